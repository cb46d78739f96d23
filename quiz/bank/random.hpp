// The draw of the quiz: SplitMix64, integer arithmetic only, the same on every machine and for
// ever.
//
// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014). A stored
// seed must give the same question years later, so nothing of <random> is used here: its
// distributions differ from library to library.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A number in [0, count), each equally likely.
  std::uint64_t below(std::uint64_t count) {
    RINGLAB_ENSURE(count > 0, "something to draw from");
    // What does not divide evenly is drawn again.
    const std::uint64_t refused = (0 - count) % count;
    for (;;) {
      const std::uint64_t word = next();
      if (word >= refused) return word % count;
    }
  }

  /// An integer in [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least + 1)));
  }

  template <class T>
  T pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(list.size()))];
  }

  /// Fisher and Yates.
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

/// A seed for part `index` of what `seed` draws; parts are as good as independent.
inline std::uint64_t sub_seed(std::uint64_t seed, std::uint64_t index) {
  return Random(seed ^ (index * 0xd1342543de82ef95u)).next();
}

}  // namespace ringlab::quiz
