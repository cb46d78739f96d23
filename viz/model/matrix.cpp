// Cuts the attention matrix into cells, so that each cell of each head belongs to one tile.
#include <algorithm>
#include <map>
#include <set>

#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

// More segments than this on an axis cannot be told apart on a screen: then the axes run by rank.
constexpr std::size_t kMostSegments = 160;
// Rows of a partial cell that are looked at for the shape of its visible part.
constexpr Index kStripRows = 12;

using Cuts = std::vector<std::set<Index>>;  // local indices, by shard

// One token of an axis: its place in the shards.
struct Token {
  int shard = 0;
  Index local = 0;
  Place place;
};

Cuts cuts_of(const Layout& layout) {
  Cuts cuts(layout.size());
  for (std::size_t s = 0; s < layout.size(); ++s) cuts[s] = {0, layout[s].size()};
  return cuts;
}

void cut(Cuts& cuts, const Content& content) {
  for (const Piece& piece : content.pieces) {
    cuts[static_cast<std::size_t>(piece.shard)].insert({piece.first, piece.first + piece.count});
  }
}

std::vector<Token> tokens_of(const Layout& layout) {
  std::vector<Token> tokens;
  for (std::size_t s = 0; s < layout.size(); ++s) {
    Index local = 0;
    for (const Place& place : layout[s].expand()) {
      tokens.push_back({static_cast<int>(s), local++, place});
    }
  }
  return tokens;
}

std::vector<Segment> segments_of(const std::vector<Token>& tokens, const Cuts& cuts,
                                 bool by_document) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    const bool goes_on = i > 0 && t.shard == tokens[i - 1].shard &&
                         t.local == tokens[i - 1].local + 1 &&
                         cuts[static_cast<std::size_t>(t.shard)].count(t.local) == 0 &&
                         !(by_document && t.place.document != tokens[i - 1].place.document);
    if (!goes_on) {
      segments.push_back({static_cast<Index>(i), 0, t.shard, t.local, t.place.position, 0});
    }
    ++segments.back().count;
    segments.back().last_position = t.place.position;
  }
  return segments;
}

struct Axis {
  std::vector<Segment> segments;
  std::vector<Index> positions;            // by place
  std::vector<std::vector<int>> of_shard;  // segments by shard, ascending local index
};

Axis make_axis(const Layout& layout, const Cuts& cuts, bool by_document, bool by_rank) {
  std::vector<Token> tokens = tokens_of(layout);
  if (!by_rank) {
    std::stable_sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) {
      return a.place.position < b.place.position;
    });
  }
  Axis axis{segments_of(tokens, cuts, by_document), {}, {}};
  for (const Token& token : tokens) axis.positions.push_back(token.place.position);
  axis.of_shard.resize(layout.size());
  for (std::size_t i = 0; i < axis.segments.size(); ++i) {
    axis.of_shard[static_cast<std::size_t>(axis.segments[i].shard)].push_back(static_cast<int>(i));
  }
  for (std::vector<int>& list : axis.of_shard) {
    std::sort(list.begin(), list.end(), [&](int a, int b) {
      return axis.segments[static_cast<std::size_t>(a)].local_first <
             axis.segments[static_cast<std::size_t>(b)].local_first;
    });
  }
  return axis;
}

Positions places(const Layout& layout, const Segment& segment) {
  return layout[static_cast<std::size_t>(segment.shard)].slice(segment.local_first, segment.count);
}

// The segments of a content.
std::vector<int> segments_in(const Axis& axis, const Content& content) {
  std::vector<int> inside;
  for (const Piece& piece : content.pieces) {
    for (const int s : axis.of_shard[static_cast<std::size_t>(piece.shard)]) {
      const Segment& segment = axis.segments[static_cast<std::size_t>(s)];
      if (segment.local_first >= piece.first &&
          segment.local_first + segment.count <= piece.first + piece.count) {
        inside.push_back(s);
      }
    }
  }
  return inside;
}

void add_strips(const Mask& mask, const Positions& queries, const Positions& keys,
                std::vector<Strip>& strips) {
  const std::vector<Place> columns = keys.expand();
  const auto width = static_cast<float>(columns.size());
  const Index bands = std::min(kStripRows, queries.size());
  for (Index band = 0; band < bands; ++band) {
    const float row0 = static_cast<float>(band) / static_cast<float>(bands);
    const float row1 = static_cast<float>(band + 1) / static_cast<float>(bands);
    const Place query = queries.at((2 * band + 1) * queries.size() / (2 * bands));
    for (std::size_t first = 0; first < columns.size();) {
      if (!mask.visible(query, columns[first])) {
        ++first;
        continue;
      }
      std::size_t end = first;
      while (end < columns.size() && mask.visible(query, columns[end])) ++end;
      const Strip strip{row0, row1, static_cast<float>(first) / width,
                        static_cast<float>(end) / width};
      Strip* above = strips.empty() ? nullptr : &strips.back();
      if (above && above->row1 == row0 && above->column0 == strip.column0 &&
          above->column1 == strip.column1 && band > 0) {
        above->row1 = row1;
      } else {
        strips.push_back(strip);
      }
      first = end;
    }
  }
}

void find_head_classes(Story& story) {
  std::set<int> cuts = {0, story.schedule.query_heads};
  for (const Tile& tile : story.tiles) {
    cuts.insert({tile.query.first_head, tile.query.first_head + tile.query.heads});
  }
  Matrix& m = story.matrix;
  int head_class = -1;
  for (int h = 0; h < story.schedule.query_heads; ++h) {
    if (cuts.count(h) > 0) ++head_class;
    m.class_of_head.push_back(head_class);
  }
  m.tiles.assign(static_cast<std::size_t>(head_class + 1), std::vector<int>(m.cells.size(), -1));
}

}  // namespace

void cut_matrix(Story& story) {
  const Schedule& schedule = story.schedule;
  const Mask& mask = story.session.plan.rule.mask;
  Matrix& m = story.matrix;
  Cuts query_cuts = cuts_of(schedule.query_layout), key_cuts = cuts_of(schedule.key_layout);
  for (const Tile& tile : story.tiles) {
    cut(query_cuts, tile.query);
    cut(key_cuts, tile.key_value);
  }
  Axis queries, keys;
  for (const bool by_rank : {false, true}) {
    m.by_rank = by_rank;
    queries = make_axis(schedule.query_layout, query_cuts, mask.documents && !by_rank, by_rank);
    keys = make_axis(schedule.key_layout, key_cuts, mask.documents && !by_rank, by_rank);
    if (std::max(queries.segments.size(), keys.segments.size()) <= kMostSegments) break;
  }
  for (const Segment& s : queries.segments) m.queries += s.count;
  for (const Segment& s : keys.segments) m.keys += s.count;

  std::vector<int> cell_at(queries.segments.size() * keys.segments.size(), -1);
  std::vector<Positions> columns;
  for (const Segment& s : keys.segments) columns.push_back(places(schedule.key_layout, s));
  for (std::size_t q = 0; q < queries.segments.size(); ++q) {
    const Positions rows = places(schedule.query_layout, queries.segments[q]);
    for (std::size_t k = 0; k < keys.segments.size(); ++k) {
      const Index pairs = visible_pairs(mask, rows, columns[k]);
      if (pairs == 0) continue;
      const Index square = rows.size() * columns[k].size();
      cell_at[q * keys.segments.size() + k] = static_cast<int>(m.cells.size());
      m.strip_begin.push_back(static_cast<int>(m.strips.size()));
      if (pairs < square) add_strips(mask, rows, columns[k], m.strips);
      m.cells.push_back({static_cast<int>(q), static_cast<int>(k), pairs, square});
    }
  }
  m.strip_begin.push_back(static_cast<int>(m.strips.size()));

  find_head_classes(story);
  for (std::size_t t = 0; t < story.tiles.size(); ++t) {
    const Tile& tile = story.tiles[t];
    if (tile.query.heads == 0) continue;
    const int first = m.class_of_head[static_cast<std::size_t>(tile.query.first_head)];
    const int last =
        m.class_of_head[static_cast<std::size_t>(tile.query.first_head + tile.query.heads - 1)];
    const std::vector<int> columns_in = segments_in(keys, tile.key_value);
    for (const int q : segments_in(queries, tile.query)) {
      for (const int k : columns_in) {
        const int cell = cell_at[static_cast<std::size_t>(q) * keys.segments.size() +
                                 static_cast<std::size_t>(k)];
        if (cell < 0) continue;
        for (int c = first; c <= last; ++c) {
          m.tiles[static_cast<std::size_t>(c)][static_cast<std::size_t>(cell)] =
              static_cast<int>(t);
        }
      }
    }
  }
  m.query_segments = std::move(queries.segments);
  m.key_segments = std::move(keys.segments);
  m.query_position = std::move(queries.positions);
  m.key_position = std::move(keys.positions);
}

}  // namespace ringlab::viz::detail
