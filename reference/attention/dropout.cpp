#include "ringlab/reference/attention/score.hpp"
#include "ringlab/reference/core/philox.hpp"

namespace ringlab {

double dropout_factor(const Dropout& dropout, int head, Index query_position, Index key_position) {
  if (dropout.probability <= 0) return 1;
  // One Philox call gives four draws; four neighbouring keys share it.
  const auto low = [](Index x) { return static_cast<std::uint32_t>(x); };
  const std::uint32_t draw = detail::philox(
      dropout.seed, {low(query_position), low(key_position >> 2), low(head),
                     low(query_position >> 32 << 16) ^ low(key_position >> 34)})[key_position & 3];
  const double uniform = (draw + 0.5) * 0x1p-32;
  return uniform < dropout.probability ? 0 : 1 / (1 - dropout.probability);
}

}  // namespace ringlab
