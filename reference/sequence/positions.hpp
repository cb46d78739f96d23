// Which tokens a shard holds: the one position map that everything else is a function of.
//
// A shard's tokens are a short list of runs. Contiguous: one run. Striped over R ranks: one run of
// stride R. Zigzag: two runs. Causality, windows, documents, rotary angles, ALiBi, dropout and the
// label shift read global positions from here and never look at a local index.
// Next: layout.hpp makes the runs of each rank; visible.hpp counts what a mask lets through.
#pragma once

#include <cstdint>
#include <vector>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab {

/// `count` tokens at global positions first, first + stride, ...; all of one document.
struct Run {
  Index first = 0;
  Index stride = 1;  // >= 1
  Index count = 0;
  std::int32_t document = 0;

  Index at(Index i) const { return first + stride * i; }
  bool operator==(const Run&) const = default;
};

/// A token's place in the sequence.
struct Place {
  Index position = 0;
  std::int32_t document = 0;
  bool operator==(const Place&) const = default;
};

/// An ordered list of tokens, as runs. Local index i is the i-th token of the list.
class Positions {
 public:
  Positions() = default;
  /// Takes runs in local order; empty runs vanish and runs that continue each other are joined.
  explicit Positions(const std::vector<Run>& runs);

  /// [first, first + count) in one document.
  static Positions contiguous(Index first, Index count, std::int32_t document = 0);
  /// The shortest list of runs, found greedily, for tokens given one by one.
  static Positions from_places(const std::vector<Place>& places);

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::vector<Run>& runs() const { return runs_; }

  /// The place of local index i; O(log runs).
  Place at(Index i) const;
  /// Local indices [first, first + count).
  Positions slice(Index first, Index count) const;
  /// These tokens, then those of `other`.
  Positions joined(const Positions& other) const;
  /// Every place in local order.
  std::vector<Place> expand() const;

  /// Same places in the same order, however they are cut into runs.
  bool operator==(const Positions& other) const {
    return runs_ == other.runs_ || (size_ == other.size_ && expand() == other.expand());
  }

 private:
  void push(Run run);

  std::vector<Run> runs_;
  std::vector<Index> starts_;  // local index at which each run begins
  Index size_ = 0;
};

}  // namespace ringlab
