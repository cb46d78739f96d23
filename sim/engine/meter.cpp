#include "ringlab/sim/engine/meter.hpp"

#include <algorithm>

namespace ringlab::engine {

void Meter::close(Id message, Picoseconds end) {
  for (Span& span : spans_) {
    if (span.message == message && span.end == kNever) {
      span.end = end;
      return;
    }
  }
}

void Meter::flush(Picoseconds now, bool computing) {
  if (now <= flushed_) return;
  if (!spans_.empty()) {
    const auto earlier = [](const Span& a, const Span& b) { return a.start < b.start; };
    if (!std::is_sorted(spans_.begin(), spans_.end(), earlier)) {
      std::sort(spans_.begin(), spans_.end(), earlier);
    }
    Picoseconds covered = flushed_, sum = 0;
    std::size_t kept = 0;
    for (const Span& span : spans_) {
      const Picoseconds from = std::max(span.start, covered), to = std::min(span.end, now);
      if (to > from) {
        sum += to - from;
        covered = to;
      }
      if (span.end > now) spans_[kept++] = span;
    }
    spans_.resize(kept);
    transfer_ += sum;
    if (computing) hidden_ += sum;
  }
  flushed_ = now;
}

}  // namespace ringlab::engine
