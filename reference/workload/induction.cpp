#include "ringlab/reference/workload/induction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ringlab/reference/core/philox.hpp"

namespace ringlab {
namespace {

constexpr Index kLongest = 8;   // bytes of context
constexpr Index kValues = 128;  // coordinates that stand for a byte
constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x100000001b3;  // FNV-1a, 64 bits

Index byte_at(std::string_view text, Index position) {
  return static_cast<unsigned char>(text[static_cast<std::size_t>(position)]);
}

// Adds weight * (+-1) to each coordinate, with signs drawn from the hash of the last n bytes.
void add_signs(std::uint64_t hash, Index n, double weight, std::vector<double>& code) {
  for (std::size_t d = 0; d < code.size(); d += 128) {
    const auto words = detail::philox(
        hash, {static_cast<std::uint32_t>(d / 128), static_cast<std::uint32_t>(n), 0, 0});
    const std::size_t end = std::min<std::size_t>(code.size() - d, 128);
    for (std::size_t bit = 0; bit < end; ++bit) {
      code[d + bit] += words[bit / 32] >> (bit % 32) & 1 ? weight : -weight;
    }
  }
}

// The code of the context that ends at (and with) `last`; zero for last = -1, the empty context.
template <class T>
void write_code(std::string_view text, Index last, std::vector<double>& code, T* row) {
  std::fill(code.begin(), code.end(), 0.0);
  const double unit = 1 / std::sqrt(static_cast<double>(code.size()));
  std::uint64_t hash = kOffset;
  for (Index n = 1; n <= std::min(kLongest, last + 1); ++n) {
    hash = (hash ^ static_cast<std::uint64_t>(byte_at(text, last + 1 - n))) * kPrime;
    add_signs(hash, n, std::sqrt(static_cast<double>(n)) * unit, code);
  }
  for (std::size_t d = 0; d < code.size(); ++d) row[d] = static_cast<T>(code[d]);
}

}  // namespace

template <class T>
InductionInput<T> induction_input(std::string_view text, const Positions& positions,
                                  Index head_dim) {
  if (head_dim < kValues) {
    throw InputError("head_dim", std::to_string(head_dim),
                     "give 128 or more: a byte needs 128 values to be told from the others");
  }
  const Tensor<T> zeros(positions.size(), 1, head_dim);
  InductionInput<T> out{zeros, zeros, zeros};
  std::vector<double> code(static_cast<std::size_t>(head_dim));
  Index token = 0;
  for (const Place& place : positions.expand()) {
    if (place.position < 0 || place.position >= static_cast<Index>(text.size())) {
      throw InputError("tokens", "position " + std::to_string(place.position),
                       "give at most the " + std::to_string(text.size()) + " bytes of the text");
    }
    write_code(text, place.position, code, out.queries.row(token, 0));
    write_code(text, place.position - 1, code, out.keys.row(token, 0));
    const Index byte = byte_at(text, place.position);
    out.values(token, 0, byte % kValues) = T(byte < kValues ? 1 : -1);
    ++token;
  }
  return out;
}

template <class T>
int decode_byte(const T* row, Index head_dim) {
  RINGLAB_ENSURE(head_dim >= kValues, "a row that stands for a byte has 128 values or more");
  Index loudest = 0;
  for (Index d = 0; d < kValues; ++d) {
    if (std::isnan(row[d])) return -1;
    if (std::abs(row[d]) > std::abs(row[loudest])) loudest = d;
  }
  if (row[loudest] == 0) return -1;
  return static_cast<int>(row[loudest] > 0 ? loudest : loudest + kValues);
}

template <class T>
double next_byte_share(std::string_view text, const Positions& positions, const Tensor<T>& output) {
  RINGLAB_ENSURE(output.tokens() == positions.size() && output.heads() == 1,
                 "one row of output for each position");
  Index asked = 0, right = 0, token = 0;
  for (const Place& place : positions.expand()) {
    if (place.position + 1 < static_cast<Index>(text.size())) {
      ++asked;
      right +=
          decode_byte(output.row(token, 0), output.head_dim()) == byte_at(text, place.position + 1);
    }
    ++token;
  }
  return asked == 0 ? 0 : static_cast<double>(right) / static_cast<double>(asked);
}

template InductionInput<float> induction_input(std::string_view, const Positions&, Index);
template InductionInput<double> induction_input(std::string_view, const Positions&, Index);
template int decode_byte(const float*, Index);
template int decode_byte(const double*, Index);
template double next_byte_share(std::string_view, const Positions&, const Tensor<float>&);
template double next_byte_share(std::string_view, const Positions&, const Tensor<double>&);

}  // namespace ringlab
