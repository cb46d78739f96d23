#include "ringlab/viz/model/matrix_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/reference/attention/score.hpp"

namespace ringlab::viz {
namespace {

constexpr float kLabelWidth = 34, kLabelHeight = 16;  // room for positions at the axes
constexpr float kLabelSpacing = 30, kLineSpacing = 6;
constexpr float kScoreWidth = 20, kScoreHeight = 13;  // a pair of this size shows its score
constexpr float kTextWidth = 30;                      // ... and of this size its digits
constexpr float kStripsFrom = 6;                      // smaller cells show their share as one shade
constexpr double kLeastTokens = 4;                    // that a zoom leaves in view

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

// A view with its defaults filled in, and where it lies on the screen.
struct Scaled {
  MatrixView view;
  Rect area;
  float sx = 1, sy = 1;  // pixels a token

  float x(double key) const { return area.x0 + static_cast<float>(key - view.first_key) * sx; }
  float y(double query) const {
    return area.y0 + static_cast<float>(query - view.first_query) * sy;
  }
};

MatrixView completed(const Story& story, MatrixView view) {
  const auto queries = static_cast<double>(story.matrix.queries);
  const auto keys = static_cast<double>(story.matrix.keys);
  if (!(view.queries > 0) || view.queries > queries) view.queries = queries;
  if (!(view.keys > 0) || view.keys > keys) view.keys = keys;
  view.first_query = std::clamp(view.first_query, 0.0, queries - view.queries);
  view.first_key = std::clamp(view.first_key, 0.0, keys - view.keys);
  return view;
}

// Tokens are squares, unless there are many more keys than queries: then rows are higher.
Scaled scaled(const Story& story, const MatrixView& view, Rect area) {
  Scaled s{completed(story, view),
           {area.x0 + kLabelWidth, area.y0 + kLabelHeight, area.x1, area.y1}};
  const float width = std::max(1.0f, s.area.width()), height = std::max(1.0f, s.area.height());
  s.sx = width / static_cast<float>(std::max(1.0, s.view.keys));
  s.sy = height / static_cast<float>(std::max(1.0, s.view.queries));
  const float least = std::min(s.sx, s.sy), most = std::max(s.sx, s.sy);
  const float longest = most < 3 * least ? least : std::min(most, 40 * least);
  (s.sx > s.sy ? s.sx : s.sy) = longest;
  s.area.x1 = s.area.x0 + s.sx * static_cast<float>(std::max(1.0, s.view.keys));
  s.area.y1 = s.area.y0 + s.sy * static_cast<float>(std::max(1.0, s.view.queries));
  return s;
}

Rect clipped(Rect r, const Rect& to) {
  return {std::max(r.x0, to.x0), std::max(r.y0, to.y0), std::min(r.x1, to.x1),
          std::min(r.y1, to.y1)};
}

class Painter {
 public:
  Painter(const Story& story, int head, const Scaled& scaled)
      : story_(story), m_(story.matrix), s_(scaled) {
    head_ = std::clamp(head, 0, story.schedule.query_heads - 1);
    tiles_ = m_.tiles.empty() ? nullptr : &m_.tiles[at(m_.class_of_head[at(head_)])];
    picture_.area = scaled.area;
  }

  MatrixPicture paint(Index picked_query) {
    add_cells();
    add_lines(m_.query_segments, s_.view.first_query, s_.view.queries, false, picture_.query_lines);
    add_lines(m_.key_segments, s_.view.first_key, s_.view.keys, true, picture_.key_lines);
    add_labels(m_.query_segments, m_.query_position, s_.view.first_query, s_.view.queries, false,
               picture_.query_labels);
    add_labels(m_.key_segments, m_.key_position, s_.view.first_key, s_.view.keys, true,
               picture_.key_labels);
    add_scores();
    if (picked_query >= 0 && picked_query < m_.queries) {
      const Rect row = clipped({s_.area.x0, s_.y(static_cast<double>(picked_query)), s_.area.x1,
                                s_.y(static_cast<double>(picked_query) + 1)},
                               s_.area);
      if (row.height() > 0) picture_.picked_row = row;
    }
    return std::move(picture_);
  }

 private:
  void add_cells() {
    for (std::size_t c = 0; c < m_.cells.size(); ++c) {
      const Cell& cell = m_.cells[c];
      const Segment& q = m_.query_segments[at(cell.query)];
      const Segment& k = m_.key_segments[at(cell.key)];
      const Rect whole{s_.x(static_cast<double>(k.first)), s_.y(static_cast<double>(q.first)),
                       s_.x(static_cast<double>(k.first + k.count)),
                       s_.y(static_cast<double>(q.first + q.count))};
      const Rect rect = clipped(whole, s_.area);
      if (rect.width() <= 0 || rect.height() <= 0) continue;
      CellBox box;
      box.cell = static_cast<int>(c);
      box.tile = (*tiles_)[c];
      box.rect = rect;
      box.kind = cell.kind();
      box.share = static_cast<float>(cell.pairs) / static_cast<float>(cell.square);
      if (box.tile >= 0) box.colour = colour_of(story_.tiles[at(box.tile)].rank);
      box.strips = box.strips_end = static_cast<int>(picture_.strips.size());
      if (std::min(whole.width(), whole.height()) >= kStripsFrom) add_strips(c, whole, box);
      picture_.cells.push_back(box);
    }
  }

  void add_strips(std::size_t cell, const Rect& whole, CellBox& box) {
    for (int i = m_.strip_begin[cell]; i < m_.strip_begin[cell + 1]; ++i) {
      const Strip& strip = m_.strips[at(i)];
      const Rect rect = clipped(
          {whole.x0 + strip.column0 * whole.width(), whole.y0 + strip.row0 * whole.height(),
           whole.x0 + strip.column1 * whole.width(), whole.y0 + strip.row1 * whole.height()},
          s_.area);
      if (rect.width() > 0 && rect.height() > 0) picture_.strips.push_back(rect);
    }
    box.strips_end = static_cast<int>(picture_.strips.size());
  }

  float place(double token, bool keys) const { return keys ? s_.x(token) : s_.y(token); }

  void add_lines(const std::vector<Segment>& segments, double first, double count, bool keys,
                 std::vector<float>& lines) const {
    float last = -kLineSpacing;
    for (const Segment& s : segments) {
      const auto start = static_cast<double>(s.first);
      if (start < first || start > first + count) continue;
      const float p = place(start, keys);
      if (p - last < kLineSpacing && s.first > 0) {
        lines.clear();  // too dense to help
        return;
      }
      lines.push_back(p);
      last = p;
    }
  }

  void add_labels(const std::vector<Segment>& segments, const std::vector<Index>& positions,
                  double first, double count, bool keys, std::vector<AxisLabel>& labels) const {
    if (m_.by_rank) {
      float last = -kLabelSpacing;
      int shard = -1;
      for (const Segment& s : segments) {
        const double start = std::max(first, static_cast<double>(s.first));
        const bool seen = start<first + count&& static_cast<double>(s.first + s.count)> first;
        const float p = place(start, keys);
        if (!seen || s.shard == shard || p - last < kLabelSpacing / 2) continue;
        labels.push_back({p, letter_of(s.shard)});
        last = p;
        shard = s.shard;
      }
      return;
    }
    const float scale = keys ? s_.sx : s_.sy;
    Index step = 1;
    while (static_cast<float>(step) * scale < kLabelSpacing) step *= 2;
    for (Index t = (static_cast<Index>(std::ceil(first)) + step - 1) / step * step;
         static_cast<double>(t) < first + count && t < static_cast<Index>(positions.size());
         t += step) {
      labels.push_back({place(static_cast<double>(t), keys), std::to_string(positions[at(t)])});
    }
  }

  void add_scores() {
    if (!story_.numbers || s_.sx < kScoreWidth || s_.sy < kScoreHeight) return;
    const auto last = [](double first, double count, Index all) {
      return std::min(all, static_cast<Index>(std::ceil(first + count)));
    };
    const Index q_end = last(s_.view.first_query, s_.view.queries, m_.queries);
    const Index k_end = last(s_.view.first_key, s_.view.keys, m_.keys);
    for (auto q = static_cast<Index>(s_.view.first_query); q < q_end; ++q) {
      for (auto k = static_cast<Index>(s_.view.first_key); k < k_end; ++k) {
        add_score(q, k);
      }
    }
    // Each score belongs to the tile of its cell.
    for (const CellBox& cell : picture_.cells) {
      for (ScoreBox& score : picture_.scores) {
        if (cell.rect.contains(score.rect.center())) score.tile = cell.tile;
      }
    }
  }

  void add_score(Index q, Index k) {
    const Numbers& n = *story_.numbers;
    const AttentionRule& rule = story_.session.plan.rule;
    const Index query = m_.query_position[at(q)], key = m_.key_position[at(k)];
    ScoreBox box;
    box.query = q;
    box.key = k;
    box.rect = clipped({s_.x(static_cast<double>(k)), s_.y(static_cast<double>(q)),
                        s_.x(static_cast<double>(k + 1)), s_.y(static_cast<double>(q + 1))},
                       s_.area);
    const Index row = query - (m_.keys - m_.queries);
    box.visible = rule.mask.visible(story_.session.queries.at(row), story_.session.keys.at(key));
    if (box.visible) {
      const double* a = n.queries.row(row, head_);
      const double* b = n.key_value.keys.row(key, rule.kv_head_of(head_));
      double dot = 0;
      for (int d = 0; d < rule.head_dim; ++d) dot += a[d] * b[d];
      const double s = score(rule, head_, dot, query, key).value;
      box.score = static_cast<float>(s);
      box.weight = static_cast<float>(std::exp(s - n.right.lse(row, head_, 0)));
      if (box.rect.width() >= kTextWidth) box.text = fmt::format("{:.2f}", s);
    }
    picture_.scores.push_back(std::move(box));
  }

  const Story& story_;
  const Matrix& m_;
  const Scaled& s_;
  int head_ = 0;
  const std::vector<int>* tiles_ = nullptr;
  MatrixPicture picture_;
};

}  // namespace

MatrixView zoomed(const Story& story, MatrixView view, Rect area, Point about, double factor) {
  const Scaled s = scaled(story, view, area);
  if (!(factor > 0)) return s.view;
  const double key = s.view.first_key + static_cast<double>((about.x - s.area.x0) / s.sx);
  const double query = s.view.first_query + static_cast<double>((about.y - s.area.y0) / s.sy);
  const auto shrink = [&](double count, Index all) {
    const auto most = static_cast<double>(all);
    return std::clamp(count / factor, std::min(kLeastTokens, most), most);
  };
  view.keys = shrink(s.view.keys, story.matrix.keys);
  view.queries = shrink(s.view.queries, story.matrix.queries);
  view.first_key = key - (key - s.view.first_key) * view.keys / std::max(1.0, s.view.keys);
  view.first_query =
      query - (query - s.view.first_query) * view.queries / std::max(1.0, s.view.queries);
  return completed(story, view);
}

MatrixView panned(const Story& story, MatrixView view, Rect area, Point by) {
  const Scaled s = scaled(story, view, area);
  view = s.view;
  view.first_key -= static_cast<double>(by.x / s.sx);
  view.first_query -= static_cast<double>(by.y / s.sy);
  return completed(story, view);
}

MatrixPicture matrix_picture(const Story& story, int head, Rect area, const MatrixView& view,
                             Index picked_query) {
  return Painter(story, head, scaled(story, view, area)).paint(picked_query);
}

MatrixHit matrix_hit(const Story& story, int head, const MatrixPicture& picture,
                     const MatrixView& view, Point point) {
  MatrixHit hit;
  if (!picture.area.contains(point)) return hit;
  const MatrixView full = completed(story, view);
  const double sx = static_cast<double>(picture.area.width()) / std::max(1.0, full.keys);
  const double sy = static_cast<double>(picture.area.height()) / std::max(1.0, full.queries);
  hit.key =
      static_cast<Index>(full.first_key + static_cast<double>(point.x - picture.area.x0) / sx);
  hit.query =
      static_cast<Index>(full.first_query + static_cast<double>(point.y - picture.area.y0) / sy);
  hit.key = std::min(hit.key, story.matrix.keys - 1);
  hit.query = std::min(hit.query, story.matrix.queries - 1);
  (void)head;
  for (const CellBox& cell : picture.cells) {
    if (!cell.rect.contains(point)) continue;
    hit.cell = cell.cell;
    hit.tile = cell.tile;
    break;
  }
  return hit;
}

Index query_position(const Story& story, Index place) {
  RINGLAB_ENSURE(place >= 0 && place < story.matrix.queries, "a place on the query axis");
  return story.matrix.query_position[at(place)];
}

Index key_position(const Story& story, Index place) {
  RINGLAB_ENSURE(place >= 0 && place < story.matrix.keys, "a place on the key axis");
  return story.matrix.key_position[at(place)];
}

Index query_place(const Story& story, Index position) {
  const auto& positions = story.matrix.query_position;
  const auto found = std::find(positions.begin(), positions.end(), position);
  return found == positions.end() ? -1 : static_cast<Index>(found - positions.begin());
}

}  // namespace ringlab::viz
