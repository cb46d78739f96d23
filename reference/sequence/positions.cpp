#include "ringlab/reference/sequence/positions.hpp"

#include <algorithm>

namespace ringlab {

Positions::Positions(const std::vector<Run>& runs) {
  for (const Run& run : runs) push(run);
}

Positions Positions::contiguous(Index first, Index count, std::int32_t document) {
  return Positions({Run{first, 1, count, document}});
}

void Positions::push(Run run) {
  RINGLAB_ENSURE(run.count >= 0 && run.stride >= 1, "a run has a count >= 0 and a stride >= 1");
  if (run.count == 0) return;
  if (run.count == 1) run.stride = 1;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    // A single token has no stride of its own yet, so the next token may give it one.
    const Index gap = run.first - last.at(last.count - 1);
    const bool fits =
        (last.count == 1 || last.stride == gap) && (run.count == 1 || run.stride == gap);
    if (last.document == run.document && gap >= 1 && fits) {
      last.stride = gap;
      last.count += run.count;
      size_ += run.count;
      return;
    }
  }
  starts_.push_back(size_);
  size_ += run.count;
  runs_.push_back(run);
}

Positions Positions::from_places(const std::vector<Place>& places) {
  Positions out;
  for (const Place& place : places) out.push(Run{place.position, 1, 1, place.document});
  return out;
}

Place Positions::at(Index i) const {
  RINGLAB_ENSURE(i >= 0 && i < size_, "a local index lies inside its shard");
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), i);
  const std::size_t r = static_cast<std::size_t>(next - starts_.begin()) - 1;
  return {runs_[r].at(i - starts_[r]), runs_[r].document};
}

Positions Positions::slice(Index first, Index count) const {
  RINGLAB_ENSURE(first >= 0 && count >= 0 && first + count <= size_,
                 "a slice lies inside its shard");
  Positions out;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Index begin = std::max(first, starts_[r]);
    const Index end = std::min(first + count, starts_[r] + runs_[r].count);
    if (begin >= end) continue;
    Run part = runs_[r];
    part.first = runs_[r].at(begin - starts_[r]);
    part.count = end - begin;
    out.push(part);
  }
  return out;
}

Positions Positions::joined(const Positions& other) const {
  Positions out = *this;
  for (const Run& run : other.runs_) out.push(run);
  return out;
}

std::vector<Place> Positions::expand() const {
  std::vector<Place> out;
  out.reserve(static_cast<std::size_t>(size_));
  for (const Run& run : runs_) {
    for (Index i = 0; i < run.count; ++i) out.push_back({run.at(i), run.document});
  }
  return out;
}

}  // namespace ringlab
