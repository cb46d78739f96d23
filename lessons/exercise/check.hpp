// Compiles a learner's file, runs it over all cases of a problem and says what came of it.
#pragma once

#include <filesystem>

#include "ringlab/lessons/exercise/exercise.hpp"
#include "ringlab/lessons/exercise/sandbox.hpp"

namespace ringlab::exercise {

enum class Verdict {
  right,
  wrong,  // an answer differs
  does_not_build,
  no_answer,  // the program ended, or was ended, before it had answered
};

struct Checked {
  Verdict verdict = Verdict::right;
  int cases = 0;                      // of the problem
  int passed = 0;                     // before the first that failed
  std::string given;                  // of the case that failed
  Complaint complaint;                // for `wrong`
  std::string trouble;                // for people: the compiler's words, or how the program ended
  std::string printed;                // what the learner's code printed, shortened
  std::optional<std::string> second;  // what is still to be had, if a second goal is not met
  bool has_second = false;
  double build_seconds = 0, run_seconds = 0;
};

/// Everything that is needed to build and run the file stands in the program itself, but for a C++
/// compiler: $CXX, or g++. Throws InputError if the file cannot be read, RunError without a
/// compiler.
Checked check(const Problem& problem, const std::filesystem::path& file);

/// The same for a text that is not in a file.
Checked check_text(const Problem& problem, const std::string& text);

}  // namespace ringlab::exercise
