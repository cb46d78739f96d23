// Runs a program that is not trusted: in a child process, with limits on time, memory, files and
// output, and without the means to do harm.
//
// The child gets a process group of its own, resource limits, and for learners' code a seccomp
// filter that stands before its first instruction: no new process, no network, no file written. A
// wall clock ends it; its whole group is killed, so that nothing of it stays behind.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ringlab::exercise {

struct Limits {
  std::chrono::milliseconds wall{5000};
  std::chrono::seconds processor{0};  // of each process; 0: as `wall`
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::uint64_t output_bytes = 64 * 1024;  // of each stream; more ends the program
  std::uint64_t file_bytes = 0;            // largest file it may write
  bool filtered = true;                    // system calls; a compiler needs more of them
};

enum class Ending { exited, crashed, out_of_time, too_much_output, forbidden_call };

struct Outcome {
  Ending ending = Ending::exited;
  int code = 0;         // exit code, or signal number for `crashed`
  std::string out;      // standard output
  std::string error;    // standard error
  std::string answers;  // what it wrote to file descriptor 3
};

/// Runs `arguments` (the first is the program, looked for in PATH) in `folder` with `input` as its
/// standard input. Returns when it has ended, and all its descendants with it. Throws RunError
/// where the system refuses to start it under these limits.
Outcome run_limited(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    const std::string& input, const Limits& limits);

}  // namespace ringlab::exercise
