// The one adapter to Random123: Philox4x32-10 as a function of 64 key bits and a counter.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstdint>

namespace ringlab::detail {

/// Four random words for a key and a counter.
inline std::array<std::uint32_t, 4> philox(std::uint64_t key,
                                           std::array<std::uint32_t, 4> counter) {
  const r123::Philox4x32::key_type words = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const r123::Philox4x32::ctr_type at = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::ctr_type out = r123::Philox4x32()(at, words);
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace ringlab::detail
