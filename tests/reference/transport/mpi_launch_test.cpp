// What is left of a job when one of its ranks goes: started without mpirun this program launches
// itself as four ranks, once for each way to end, and looks at the status and the line.
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/mpi.hpp"
#include "ringlab/reference/transport/mpi_launch.hpp"

using namespace ringlab;

namespace {

constexpr int kRanks = 4;

void ring_for_ever(Communicator& world, int hops, void (*at_hop)(int rank, int hop)) {
  std::vector<std::byte> out(100'000), in(100'000);
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  for (int hop = 0; hop < hops; ++hop) {
    at_hop(world.rank(), hop);
    world.wait(world.begin(hop, {{next, {out}, "kv"}}, {{previous, {in}, "kv"}}));
  }
}

int rank_main(const std::string& mode) {
  if (mode == "stillborn") return 1;
  MpiSession session(MpiSession::LastWords::on_sigterm);
  const auto world = session.communicator();
  try {
    if (mode == "kill") {
      ring_for_ever(*world, 1'000'000, [](int rank, int hop) {
        if (rank == 1 && hop == 50) kill(getpid(), SIGKILL);
      });
    } else if (mode == "throw") {
      ring_for_ever(*world, 1'000'000, [](int rank, int hop) {
        if (rank == 2 && hop == 50) throw RunError("out of cheese");
      });
    } else {
      ring_for_ever(*world, 50, [](int, int) {});
    }
    world->barrier();
  } catch (const RunError& error) {
    world->abort(error.what());
    if (session.first_to_tell()) std::fprintf(stderr, "told: %s\n", error.what());
    return 3;
  }
  return mode == "no" ? 1 : 0;
}

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "FAILED %s\n", what.c_str());
  ++failures;
}

// The line consists of these pieces in order, with something between them; no pieces: no line.
bool consists_of(const std::string& line, const std::vector<std::string>& pieces) {
  if (pieces.empty()) return line.empty();
  std::size_t at = 0;
  for (const std::string& piece : pieces) {
    const std::size_t found = line.find(piece, at);
    if (found == std::string::npos || (at == 0 && found != 0)) return false;
    at = found + piece.size();
  }
  return at == line.size() && line.find('\n') == std::string::npos;
}

void launch(const std::string& mode, int status, const std::vector<std::string>& pieces) {
  const std::int64_t start = now_nanoseconds();
  const LaunchResult result = launch_mpi(kRanks, {"ranks", mode});
  const double seconds = static_cast<double>(now_nanoseconds() - start) * 1e-9;
  std::fprintf(stderr, "%s: status %d after %.1f s, \"%s\"\n", mode.c_str(), result.status, seconds,
               result.message.c_str());
  expect(result.status == status, mode + " ends with its status");
  expect(consists_of(result.message, pieces), mode + " says why");
  expect(seconds < 10, mode + " ends within 10 s");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "ranks") return rank_main(argv[2]);
  expect(!under_mpirun(), "the launcher is not under mpirun");
  launch("good", 0, {});
  launch("no", 1, {});
  launch("throw", 3, {});  // the ranks have told it themselves
  launch("stillborn", 3, {"mpirun could not start 4 ranks"});
  // Rank 0 sends to the dead rank, rank 2 receives from it; either may be seen first.
  for (int i = 0; i < 3; ++i) {
    launch("kill", 3, {"rank ", " waited for rank 1 at hop ", " kv): rank 1 died"});
  }
  return failures == 0 ? 0 : 1;
}
