#include "ringlab/quiz/bank/generator.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace ringlab::quiz {
namespace {

// "1234567" -> "1,234,567"; four digits stay together.
std::string grouped(const std::string& digits) {
  if (digits.size() < 5) return digits;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

// Groups the whole part of a plain number.
Value number(const std::string& plain) {
  const std::size_t from = plain[0] == '-' ? 1 : 0;
  const std::size_t point = std::min(plain.find('.'), plain.size());
  const std::string text =
      plain.substr(0, from) + grouped(plain.substr(from, point - from)) + plain.substr(point);
  return {text, plain, std::strtod(plain.c_str(), nullptr), true};
}

}  // namespace

Value whole(Index number_of) {
  return number(std::to_string(number_of));
}

Value ratio(Index numerator, Index denominator, int digits) {
  RINGLAB_ENSURE(numerator >= 0 && denominator > 0 && digits >= 0 && digits <= 9, "a fraction");
  __extension__ using Wide = __int128;
  Index power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  const Wide scaled = (Wide{2} * numerator * power + denominator) / (Wide{2} * denominator);
  const Index before = static_cast<Index>(scaled / power);
  const Index after = static_cast<Index>(scaled % power);
  if (digits == 0) return whole(before);
  return number(fmt::format("{}.{:0{}}", before, after, digits));
}

Value decimal(double value, int digits) {
  return number(fmt::format("{:.{}f}", value, digits));
}

Value word(const std::string& text) {
  return {text, text, 0, false};
}

const std::map<std::string, Generator>& generators() {
  static const std::map<std::string, Generator> all = [] {
    std::map<std::string, Generator> map;
    for (const auto& list :
         {sequence_generators(), ring_generators(), softmax_generators(), time_generators(),
          balance_generators(), backward_generators(), memory_generators(), family_generators(),
          planning_generators(), inference_generators()}) {
      for (const Generator& generator : list) {
        RINGLAB_ENSURE(map.emplace(generator.name, generator).second, "one generator a name");
      }
    }
    return map;
  }();
  return all;
}

}  // namespace ringlab::quiz
