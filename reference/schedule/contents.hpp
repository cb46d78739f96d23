// Follows what each buffer of one rank holds, step by step: the little interpreter that every
// reader of a schedule starts from.
#pragma once

#include <optional>

#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

class Holdings {
 public:
  /// The initial buffers of `rank`. The schedule outlives this object.
  Holdings(const Schedule& schedule, int rank);

  /// What the buffer holds now; empty before anything was written and after a release.
  const std::optional<Content>& of(BufferId buffer) const {
    return held_[static_cast<std::size_t>(buffer)];
  }

  /// Takes the effect of a step. A receive counts as held from the moment it is begun; readers that
  /// care about arrival (the checker) keep that apart.
  void apply(const Step& step);

 private:
  void fill(BufferId buffer, Quantity quantity, BufferId like);

  const Schedule& schedule_;
  std::vector<std::optional<Content>> held_;
};

}  // namespace ringlab
