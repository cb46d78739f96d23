// A question: an item of the bank as a seed has drawn it, with the options in the order shown.
#pragma once

#include <cstdint>

#include "ringlab/quiz/bank/bank.hpp"
#include "ringlab/quiz/bank/generator.hpp"

namespace ringlab::quiz {

struct Question {
  const Item* item = nullptr;
  std::uint64_t seed = 0;
  Text stem, explanation;
  std::vector<Option> options;  // in the order shown
  std::string show;             // arguments of `ringlab`, or ""
  std::vector<Claim> expects;   // what they prove, with the values in place
  Values values;                // of a generated item

  /// Index of the right option.
  int right() const;
};

/// Draws a question: a pure function of (item, seed). A draw in which two options coincide is
/// repeated with the next numbers of the stream; throws InvariantError where a thousand in a row
/// do, or where a text names a value that the generator does not state.
Question make_question(const Item& item, std::uint64_t seed);

}  // namespace ringlab::quiz
