#include <Random123/philox.h>

#include "ringlab/reference/attention/score.hpp"

namespace ringlab {

double dropout_factor(const Dropout& dropout, int head, Index query_position, Index key_position) {
  if (dropout.probability <= 0) return 1;
  // One Philox call gives four draws; four neighbouring keys share it.
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(query_position), static_cast<std::uint32_t>(key_position >> 2),
       static_cast<std::uint32_t>(head),
       static_cast<std::uint32_t>((query_position >> 32 << 16) ^ (key_position >> 34))}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(dropout.seed), static_cast<std::uint32_t>(dropout.seed >> 32)}};
  const std::uint32_t draw = r123::Philox4x32{}(counter, key)[key_position & 3];
  const double uniform = (draw + 0.5) * 0x1p-32;
  return uniform < dropout.probability ? 0 : 1 / (1 - dropout.probability);
}

}  // namespace ringlab
