#include "ringlab/reference/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringlab {

const char* name(Quantity quantity) {
  switch (quantity) {
    case Quantity::query:
      return "query";
    case Quantity::key_value:
      return "key_value";
    case Quantity::partial:
      return "partial";
    case Quantity::output_gradient:
      return "output_gradient";
    case Quantity::row_statistics:
      return "row_statistics";
    case Quantity::query_gradient:
      return "query_gradient";
    case Quantity::key_value_gradient:
      return "key_value_gradient";
  }
  return "?";
}

const char* name(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_gather:
      return "all_gather";
    case CollectiveKind::all_to_all:
      return "all_to_all";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
  }
  return "?";
}

Content common_part(const Content& a, const Content& b) {
  const int first_head = std::max(a.first_head, b.first_head);
  const int heads = std::min(a.first_head + a.heads, b.first_head + b.heads) - first_head;
  Content common{a.quantity, {}, first_head, std::max(0, heads)};
  if (common.heads == 0) return common;
  for (const Piece& p : a.pieces) {
    for (const Piece& q : b.pieces) {
      if (p.shard != q.shard) continue;
      const Index first = std::max(p.first, q.first);
      const Index last = std::min(p.first + p.count, q.first + q.count);
      if (first < last) common.pieces.push_back({p.shard, first, last - first});
    }
  }
  return common;
}

bool is_of_queries(Quantity quantity) {
  return quantity != Quantity::key_value && quantity != Quantity::key_value_gradient;
}

Positions Schedule::tokens_of(const Content& content) const {
  const Layout& layout = is_of_queries(content.quantity) ? query_layout : key_layout;
  Positions tokens;
  for (const Piece& piece : content.pieces) {
    tokens = tokens.joined(
        layout[static_cast<std::size_t>(piece.shard)].slice(piece.first, piece.count));
  }
  return tokens;
}

Index Schedule::token_count(const Content& content) const {
  Index count = 0;
  for (const Piece& piece : content.pieces) count += piece.count;
  return count;
}

Index bytes_of(const Schedule& schedule, const Content& content, const ElementBytes& element) {
  const Index rows = schedule.token_count(content) * content.heads, dim = schedule.head_dim;
  switch (content.quantity) {
    case Quantity::query:
    case Quantity::output_gradient:
      return rows * dim * element.input;
    case Quantity::key_value:
      return rows * 2 * dim * element.input;
    case Quantity::partial:
      return rows * (dim + 1) * element.accumulator;
    case Quantity::row_statistics:
      return rows * 2 * element.accumulator;
    case Quantity::query_gradient:
      return rows * dim * element.accumulator;
    case Quantity::key_value_gradient:
      return rows * 2 * dim * element.accumulator;
  }
  return 0;
}

Index wire_bytes_of(const Schedule& schedule, const Content& content, const ElementBytes& element) {
  const Index wide = bytes_of(schedule, content, element);
  if (element.wire_result == 0) return wide;
  const Index values = schedule.token_count(content) * content.heads * schedule.head_dim;
  const Index saved = values * (element.accumulator - element.wire_result);
  switch (content.quantity) {
    case Quantity::partial:
    case Quantity::query_gradient:
      return wide - saved;
    case Quantity::key_value_gradient:
      return wide - 2 * saved;
    default:
      return wide;
  }
}

std::string label(const Schedule& schedule, const Content& content) {
  const char* letters[] = {"q", "kv", "o", "do", "stat", "dq", "dkv"};
  const bool queries = is_of_queries(content.quantity);
  std::string text = letters[static_cast<int>(content.quantity)];
  for (std::size_t p = 0; p < content.pieces.size(); ++p) {
    const Piece& piece = content.pieces[p];
    const Layout& layout = queries ? schedule.query_layout : schedule.key_layout;
    text += fmt::format("{}{}", p == 0 ? "" : "+", piece.shard);
    if (piece.count != layout[static_cast<std::size_t>(piece.shard)].size()) {
      text += fmt::format("[{}:{}]", piece.first, piece.first + piece.count);
    }
  }
  if (content.heads != (queries ? schedule.query_heads : schedule.kv_heads)) {
    text += fmt::format(" heads {}-{}", content.first_head, content.first_head + content.heads - 1);
  }
  return text;
}

std::string label(const Schedule& schedule, ContentId id) {
  return id == kNothing ? "nothing" : label(schedule, schedule.content(id));
}

}  // namespace ringlab
