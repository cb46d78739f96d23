// Generated items: a C++ function draws the numbers, the item's text in the bank says them.
//
// A generator draws parameters from a seed and states values by name: the parameters, the right
// value (by a call of the library: ledger, schedule, simulator) and the wrong values, each the
// result of a named mistake. Texts of the item use them as {name}; an option names the value that
// it states. A generator is a pure function of the random stream, in integer arithmetic where it
// can be. Whoever changes what a seed gives raises `version`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ringlab/quiz/bank/random.hpp"
#include "ringlab/reference/core/tensor.hpp"

namespace ringlab::quiz {

/// One value of a question.
struct Value {
  std::string text;   // as a person reads it: "1,048,576"
  std::string plain;  // as a command line takes it: "1048576"
  double order = 0;   // numbers are offered in this order
  bool is_number = false;
};

using Values = std::map<std::string, Value>;

/// A whole number; from five digits on in groups of three.
Value whole(Index number);
/// numerator / denominator, rounded half up to `digits` decimals; exact integer arithmetic.
/// Needs numerator >= 0, denominator > 0 and numerator * 10^digits below 2^126.
Value ratio(Index numerator, Index denominator, int digits);
/// A number with `digits` decimals, for what the simulator reports.
Value decimal(double number, int digits);
/// A word, which has no order: "zigzag".
Value word(const std::string& text);

struct Generator {
  std::string name;  // ring_bytes_sent
  int version = 1;
  Values (*draw)(Random& random);
};

/// All of them, by name.
const std::map<std::string, Generator>& generators();

// One function a file of generators/; generator.cpp lists them.
std::vector<Generator> sequence_generators();
std::vector<Generator> ring_generators();
std::vector<Generator> softmax_generators();
std::vector<Generator> time_generators();
std::vector<Generator> balance_generators();
std::vector<Generator> backward_generators();
std::vector<Generator> memory_generators();
std::vector<Generator> family_generators();
std::vector<Generator> planning_generators();
std::vector<Generator> inference_generators();

}  // namespace ringlab::quiz
