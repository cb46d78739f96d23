#include "ringlab/reference/workload/gaussian.hpp"

#include <cmath>
#include <numbers>

#include "ringlab/reference/core/philox.hpp"

namespace ringlab {
namespace {

constexpr Index kMost = 65536;

// 53 random bits as a number in (0, 1], so that its logarithm is finite.
double unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits + 1) * 0x1p-53;
}

}  // namespace

template <class T>
Tensor<T> gaussian_tensor(std::uint64_t seed, int stream, const Positions& positions, Index heads,
                          Index head_dim, double deviation) {
  const auto refuse = [](const char* field, Index value) {
    throw InputError(field, std::to_string(value), "give 0 to 65536");
  };
  if (heads < 0 || heads > kMost) refuse("heads", heads);
  if (head_dim < 0 || head_dim > kMost) refuse("head_dim", head_dim);
  if (stream < 0) refuse("stream", stream);
  Tensor<T> out(positions.size(), heads, head_dim);
  Index token = 0;
  for (const Place& place : positions.expand()) {
    for (Index h = 0; h < heads; ++h) {
      T* row = out.row(token, h);
      for (Index d = 0; d < head_dim; d += 2) {
        // The last word is never 0: dropout draws with the same key have 0 there.
        const auto word = detail::philox(seed, {static_cast<std::uint32_t>(place.position),
                                                static_cast<std::uint32_t>(place.position >> 32),
                                                static_cast<std::uint32_t>(h << 15 | d / 2),
                                                static_cast<std::uint32_t>(stream) + 1});
        const double radius = deviation * std::sqrt(-2 * std::log(unit(word[0], word[1])));
        const double angle = 2 * std::numbers::pi * unit(word[2], word[3]);
        row[d] = static_cast<T>(radius * std::cos(angle));
        if (d + 1 < head_dim) row[d + 1] = static_cast<T>(radius * std::sin(angle));
      }
    }
    ++token;
  }
  return out;
}

template Tensor<float> gaussian_tensor(std::uint64_t, int, const Positions&, Index, Index, double);
template Tensor<double> gaussian_tensor(std::uint64_t, int, const Positions&, Index, Index, double);

}  // namespace ringlab
