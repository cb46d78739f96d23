// The contract of transport_contract.hpp between processes: started by mpirun, once per rank count.
#include <cstdio>
#include <string>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/mpi.hpp"
#include "tests/reference/transport/transport_contract.hpp"

using namespace ringlab;

namespace {

// Each case has a world of its own; a rank that fails goes on, so that the others are not left
// alone.
template <class Body>
int attempt(MpiSession& session, const std::string& name, const TransportOptions& options,
            Body body) {
  try {
    const auto world = session.communicator(options);
    try {
      body(*world);
    } catch (const std::exception& error) {
      world->abort(error.what());
      throw;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "FAILED %s, rank %d of %d: %s\n", name.c_str(), session.rank(),
                 session.size(), error.what());
    return 1;
  }
}

int misuse(Communicator& world) {
  const auto refused = [](auto call) {
    try {
      call();
    } catch (const InvariantError&) {
      return 0;
    }
    return 1;
  };
  return refused([&] {
           world.begin(0, {{world.rank(), {}, "self"}}, {});
         }) +
         refused([&] {
           world.begin(0, {}, {{world.size(), {}, "nobody"}});
         }) +
         refused([&] { world.wait(77); });
}

}  // namespace

int main() {
  MpiSession session;
  int failures = 0;
  for (const contract::Case& c : contract::good_cases()) {
    if (session.size() < c.min_ranks) continue;
    failures += attempt(session, c.name, c.options, c.body);
  }
  for (const contract::Fault& fault : contract::faults()) {
    if (session.size() < fault.min_ranks) continue;
    failures += attempt(session, fault.name, contract::fault_options(),
                        [&](Communicator& world) { contract::expect_fault(fault, world); });
  }
  // A rank that has ended: who waits for it is told; who does not goes on.
  if (session.size() > 1) {
    const contract::Fault ended = {"one ends early",
                                   2,
                                   [](Communicator& world) {
                                     std::vector<std::byte> in(8);
                                     world.wait(world.begin(2, {}, {{0, {in}, "kv1"}}));
                                   },
                                   {"waited for rank 0 at hop 2 (receive kv1): rank 0 has ended"}};
    failures += attempt(session, ended.name, {}, [&](Communicator& world) {
      if (world.rank() != 0) contract::expect_fault(ended, world);
    });
  }
  failures += attempt(session, "misuse", {}, [&](Communicator& world) {
    if (misuse(world) != 0) throw RunError("misuse is not refused");
    world.barrier();
  });
  return failures == 0 ? 0 : 1;
}
