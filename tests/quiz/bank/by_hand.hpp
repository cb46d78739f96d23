// The answers of generated items once more, from their parameters alone: closed forms that were
// written without the library.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>

#include "ringlab/quiz/bank/generator.hpp"

namespace ringlab::quiz::test {

/// A number, compared to the precision that the question states; or a word, compared as it is.
using ByHand = std::variant<double, std::string>;

/// By generator's name.
const std::map<std::string, std::function<ByHand(const Values&)>>& by_hand();

}  // namespace ringlab::quiz::test
