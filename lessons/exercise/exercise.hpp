// An exercise: cases made here, answered by the learner's program in a child process, and judged
// here against the reference. The right answers never go into the child, so printing them is no
// way to pass.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringlab::exercise {

/// What the learner's function is asked once.
struct Case {
  std::string given;              // for people: "tokens 64, ranks 4, position 17"
  std::vector<double> input;      // for the child
  std::vector<double> kept = {};  // for the judge alone: what the child must not see
};

/// How an answer differs.
struct Complaint {
  std::string where;  // "row 3", "hop 1", or empty
  std::string found, right;
};

using Answer = std::vector<double>;

struct Problem {
  /// "online_softmax": files NAME.exercise.cpp, .solution.cpp, .check.cpp, .en.md, and NAME.hpp
  /// where all three include types and helpers of their own.
  std::string name;
  std::string lesson;            // folder of the lesson
  std::string entry;             // the function to write, as a declaration
  std::vector<Case> (*cases)();  // the same on every call
  std::optional<Complaint> (*judge)(const Case&, const Answer&);
  /// The second goal, once all cases are right: empty if it is met, else what is still to be had.
  /// It is told by counts (reads, bytes, calls, questions) or by cases of its own, not by times.
  std::optional<std::string> (*second)(const std::vector<Case>&,
                                       const std::vector<Answer>&) = nullptr;
  int bonus = 0;  // so many of the last cases are of the second goal alone
};

const std::vector<Problem>& problems();

/// Problems of a lesson's folder, in order.
std::vector<const Problem*> problems_of(const std::string& lesson);

/// Complains unless the numbers agree within `tolerance` relative to the larger of 1 and the right
/// one; `where(i)` names number i. The answer may be longer: what follows is a measurement.
std::optional<Complaint> compare(const Answer& answer, const std::vector<double>& right,
                                 double tolerance,
                                 const std::function<std::string(std::size_t)>& where);

/// A number as a person reads it: whole numbers without a fraction.
std::string number_text(double value);

/// Numbers drawn from a seed, the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();  // SplitMix64
  long long integer(long long least, long long most);
  double real(double least, double most);

 private:
  std::uint64_t state_;
};

}  // namespace ringlab::exercise
