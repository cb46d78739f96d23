// Group arithmetic: ranks as a mesh of named axes, and rings along an axis.
//
// A mesh of degrees U = 2, R = 4 has 8 ranks; the first axis is the innermost, its ranks are
// neighbours (0, 1), those of the second axis lie 2 apart. Groups of one axis are a partition of
// all ranks, and the groups of two axes meet in exactly one rank.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ringlab/reference/sequence/rotation.hpp"

namespace ringlab {

/// Axes with their sizes, innermost first: "U=2,R=4".
using Degree = std::vector<std::pair<std::string, int>>;

/// Reads "U=2,R=4". Throws InputError (field `degree`).
Degree degree_from(const std::string& text);
std::string to_text(const Degree& degree);

class Mesh {
 public:
  /// Throws InputError (field `degree`) unless the sizes are positive and multiply up to `ranks`
  /// and the axes are those named in `axes`, in any order.
  Mesh(const Degree& degree, const std::vector<std::string>& axes, int ranks);

  int size(const std::string& axis) const;
  /// A rank's coordinate on an axis.
  int at(const std::string& axis, int rank) const;
  /// The ranks that differ from `rank` in this axis only, in the order of their coordinates.
  std::vector<int> group(const std::string& axis, int rank) const;

 private:
  struct Axis {
    std::string name;
    int size, stride;
  };
  const Axis& axis(const std::string& name) const;
  std::vector<Axis> axes_;
};

/// A ring over the ranks of a group, seen from one of them.
class RingSeat {
 public:
  RingSeat(std::vector<int> group, int rank, Rotation rotation);

  int size() const { return static_cast<int>(group_.size()); }
  int to() const { return member(step_); }
  int from() const { return member(-step_); }
  /// The rank whose block is here at `hop`: blocks go one seat a hop.
  int origin(int hop) const { return member(-step_ * hop); }

 private:
  int member(int offset) const;

  std::vector<int> group_;
  int seat_ = 0, step_ = 1;
};

/// 0, 1, ..., ranks - 1.
std::vector<int> all_ranks(int ranks);

}  // namespace ringlab
