// The way round a ring.
#pragma once

namespace ringlab {

/// The direction in which blocks travel: to rank + 1 or to rank - 1.
enum class Rotation { next, previous };

inline const char* name(Rotation rotation) {
  return rotation == Rotation::next ? "next" : "previous";
}

}  // namespace ringlab
