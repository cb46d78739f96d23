// How large a file may be before reading it is taken for a mistake.
#pragma once

#include <cstdint>

namespace ringlab {

inline constexpr std::uint64_t kLargestTensorFile = std::uint64_t{64} << 30;  // bytes
inline constexpr std::uint64_t kLargestTextFile = std::uint64_t{16} << 20;    // bytes, in a folder
inline constexpr std::uint64_t kLargestJsonFile = std::uint64_t{256} << 20;   // bytes

}  // namespace ringlab
