// The same grid with ranks that are processes: started by mpirun once per rank count, takes the
// cases of its own number of ranks, and rank 0 judges.
#include <cstdio>

#include "ringlab/reference/execute/gather.hpp"
#include "ringlab/reference/transport/mpi.hpp"
#include "tests/reference/execute/grid.hpp"

using namespace ringlab;

namespace {

struct Tally {
  int cases = 0, failures = 0;
};

template <class T>
void check_case(const test::Case& c, const CatalogEntry& entry, Communicator& communicator,
                Tally& tally) {
  const test::Inputs inputs = test::inputs_of(c);
  const AttentionPlan plan = test::plan_of(c, entry);
  const auto outputs = gather_outputs(
      plan, run_attention<T>(plan, test::shard_of<T>(c, inputs, communicator.rank()), communicator),
      communicator);
  if (!outputs) return;
  ++tally.cases;
  const std::string wrong = test::what_is_wrong<T>(c, plan, inputs, *outputs);
  if (wrong.empty()) return;
  ++tally.failures;
  std::fprintf(stderr, "FAILED %s, float%d, %s: %s\n", entry.name.c_str(),
               static_cast<int>(sizeof(T)) * 8, c.text().c_str(), wrong.c_str());
}

}  // namespace

int main() {
  MpiSession session;
  Tally tally;
  try {
    const auto communicator = session.communicator();
    for (const CatalogEntry& entry : schedule_catalog()) {
      const test::Grid grid = test::grid_of(entry);
      for (int id = 0; id < grid.cases; id += grid.stride) {
        const test::Case c = test::fit_case(test::make_case(id), entry);
        if (c.ranks != session.size()) continue;
        check_case<float>(c, entry, *communicator, tally);
        check_case<double>(c, entry, *communicator, tally);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "FAILED rank %d of %d: %s\n", session.rank(), session.size(),
                 error.what());
    return 3;
  }
  if (session.rank() != 0) return 0;
  std::printf("%d cases over %d ranks, %d failed\n", tally.cases, session.size(), tally.failures);
  return tally.failures == 0 && tally.cases > 0 ? 0 : 1;
}
