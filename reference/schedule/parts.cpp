#include "ringlab/reference/schedule/parts.hpp"

namespace ringlab {

Content own_shard(const Schedule& schedule, Quantity quantity, int rank) {
  const bool queries = is_of_queries(quantity);
  const Layout& layout = queries ? schedule.query_layout : schedule.key_layout;
  return {quantity,
          {{rank, 0, layout[static_cast<std::size_t>(rank)].size()}},
          0,
          queries ? schedule.query_heads : schedule.kv_heads};
}

std::vector<RowRun> rows_of_part(const Content& content, const Content& part) {
  std::vector<RowRun> rows;
  for (const Piece& wanted : part.pieces) {
    Index row = 0;
    Index left = wanted.count;
    for (const Piece& piece : content.pieces) {
      const bool inside = piece.shard == wanted.shard && piece.first <= wanted.first &&
                          wanted.first + wanted.count <= piece.first + piece.count;
      if (inside && left > 0) {
        rows.push_back({row + wanted.first - piece.first, wanted.count});
        left = 0;
      }
      row += piece.count;
    }
    RINGLAB_ENSURE(left == 0, "a part lies inside its content");
  }
  return rows;
}

}  // namespace ringlab
