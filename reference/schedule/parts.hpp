// Where the parts of a content stand: for whoever moves numbers between buffers.
#pragma once

#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// The whole shard of `rank`, all heads: what it starts from, and what its results add up to.
Content own_shard(const Schedule& schedule, Quantity quantity, int rank);

/// A run of tokens in the buffer that holds them: local rows [row, row + count).
struct RowRun {
  Index row, count;
};

/// Where the tokens of `part` stand in a buffer that holds `content`, in the order of the part.
/// Throws InvariantError for a part that is not inside.
std::vector<RowRun> rows_of_part(const Content& content, const Content& part);

}  // namespace ringlab
