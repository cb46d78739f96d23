// How many bytes a schedule's elements have, by the type of a scenario's inputs.
#pragma once

#include <algorithm>

#include "ringlab/reference/io/array.hpp"
#include "ringlab/reference/schedule/ledger.hpp"

namespace ringlab {

/// What the inputs' type makes of an element: 16-bit inputs have accumulators of float32.
inline ElementBytes element_bytes_of(ElementType type) {
  const int bytes = static_cast<int>(bytes_of(type));
  return {bytes, std::max(bytes, 4)};
}

}  // namespace ringlab
