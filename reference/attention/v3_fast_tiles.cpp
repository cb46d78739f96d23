#include "ringlab/reference/attention/v3_fast_tiles.hpp"

#include <limits>

namespace ringlab {
namespace {

Bounds bounds_of(const Positions& positions) {
  Bounds all{std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min(), 0, 0};
  for (const Run& run : positions.runs()) {
    all.first = std::min(all.first, run.first);
    all.last = std::max(all.last, run.at(run.count - 1));
  }
  return all;
}

template <class Int>
PlaceLanes<Int> lanes_of(const Positions& positions, Index origin, Index block, Index padded) {
  PlaceLanes<Int> lanes;
  lanes.positions.assign(static_cast<std::size_t>(padded), std::numeric_limits<Int>::max());
  lanes.documents.assign(static_cast<std::size_t>(padded), 0);
  Index i = 0;
  for (const Run& run : positions.runs()) {
    for (Index j = 0; j < run.count; ++j, ++i) {
      const Index position = run.at(j);
      lanes.positions[static_cast<std::size_t>(i)] = static_cast<Int>(position - origin);
      lanes.documents[static_cast<std::size_t>(i)] = run.document;
      if (i % block == 0) {
        lanes.blocks.push_back({position, position, run.document, run.document});
        continue;
      }
      Bounds& bounds = lanes.blocks.back();
      bounds = joined(bounds, {position, position, run.document, run.document});
    }
  }
  return lanes;
}

}  // namespace

Bounds joined(const Bounds& a, const Bounds& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last),
          std::min(a.first_document, b.first_document), std::max(a.last_document, b.last_document)};
}

TileClass classify_bounds(const Mask& mask, const Bounds& queries, const Bounds& keys) {
  bool one_document = true;
  if (mask.documents) {
    if (keys.last_document < queries.first_document ||
        queries.last_document < keys.first_document) {
      return TileClass::empty;
    }
    one_document = queries.first_document == queries.last_document &&
                   keys.first_document == keys.last_document;
  }
  const KeyRange of_first = mask.keys_of(queries.first), of_last = mask.keys_of(queries.last);
  const bool in_prefix = keys.first < mask.prefix;
  if (!in_prefix && (keys.last < of_first.first || of_last.last < keys.first)) {
    return TileClass::empty;
  }
  const bool all_seen =
      keys.last < mask.prefix || (of_last.first <= keys.first && keys.last <= of_first.last);
  return one_document && all_seen ? TileClass::full : TileClass::partial;
}

PanelSpan panels_seen(const Mask& mask, const Bounds& queries, const std::vector<Bounds>& panels,
                      Index first_panel, Index panel_width, Index keys) {
  const auto of = [&](Index panel) {
    const TileClass tile = classify_bounds(mask, queries, panels[static_cast<std::size_t>(panel)]);
    const bool padded = (panel + 1) * panel_width > keys;
    return tile == TileClass::full && padded ? TileClass::partial : tile;
  };
  PanelSpan span;
  span.first = first_panel;
  span.end =
      std::min<Index>(first_panel + kKeyBlock / panel_width, static_cast<Index>(panels.size()));
  while (span.first < span.end && of(span.first) == TileClass::empty) ++span.first;
  while (span.first < span.end && of(span.end - 1) == TileClass::empty) --span.end;
  for (Index panel = span.first; panel < span.end; ++panel) {
    const bool partial = of(panel) != TileClass::full;
    span.partial[static_cast<std::size_t>(panel - span.first)] = partial;
    span.any_partial |= partial;
  }
  return span;
}

template <class Int>
TileMap<Int>::TileMap(const Mask& mask, const Positions& query_positions,
                      const Positions& key_positions, Index panel_width)
    : documents(mask.documents) {
  const Bounds q = bounds_of(query_positions), k = bounds_of(key_positions);
  origin = std::min(q.first, k.first);
  fits = std::max(q.last, k.last) - origin < kLimit;
  if (!fits) return;
  queries = lanes_of<Int>(query_positions, origin, kQueryBand, query_positions.size());
  keys = lanes_of<Int>(key_positions, origin, panel_width,
                       round_up(key_positions.size(), panel_width));
  // Reaches beyond the limit bind nobody: no two positions are that far apart.
  left = static_cast<Int>(std::min(mask.reach_left(), kLimit));
  right = static_cast<Int>(std::min(mask.reach_right(), kLimit));
  prefix = static_cast<Int>(std::clamp<Index>(mask.prefix - origin, 0, kLimit));
}

template struct TileMap<std::int32_t>;
template struct TileMap<std::int64_t>;

}  // namespace ringlab
