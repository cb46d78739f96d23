// Where ranks stand: on one ellipse, or on a ring for each node.
#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/viz/model/ring_picture.hpp"

namespace ringlab::viz {
namespace {

constexpr float kTau = 6.2831853f;
constexpr int kSamples = 360;
constexpr float kTallestBox = 64;
constexpr float kAspect = 1.36f;   // of a box with room for a title
constexpr float kTitledBox = 34;   // height from which a box has a title
constexpr float kFitStep = 0.95f;  // boxes shrink by this until they fit
constexpr float kSmallestBox = 3;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

float distance(Point a, Point b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Sines and cosines round the circle.
const std::array<Point, kSamples + 1>& circle() {
  static const std::array<Point, kSamples + 1> points = [] {
    std::array<Point, kSamples + 1> p;
    for (int i = 0; i <= kSamples; ++i) {
      const float angle = kTau * static_cast<float>(i) / kSamples;
      p[at(i)] = {std::sin(angle), std::cos(angle)};
    }
    return p;
  }();
  return points;
}

// Points on an ellipse, equally far apart along it, clockwise; the first at `turn` of a slot past
// the top.
std::vector<Point> on_ellipse(int count, Point center, float rx, float ry, float turn) {
  std::array<Point, kSamples + 1> outline;
  std::array<float, kSamples + 1> length{};
  for (int i = 0; i <= kSamples; ++i) {
    outline[at(i)] = {center.x + rx * circle()[at(i)].x, center.y - ry * circle()[at(i)].y};
    if (i == 0) continue;
    length[at(i)] = length[at(i - 1)] + distance(outline[at(i)], outline[at(i - 1)]);
  }
  std::vector<Point> points;
  std::size_t segment = 1;
  for (int i = 0; i < count; ++i) {
    const float wanted =
        length[kSamples] * (static_cast<float>(i) + turn) / static_cast<float>(count);
    while (segment < kSamples && length[segment] < wanted) ++segment;
    const float span = length[segment] - length[segment - 1];
    const float t = span > 0 ? (wanted - length[segment - 1]) / span : 0;
    const Point a = outline[segment - 1], b = outline[segment];
    points.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
  return points;
}

bool apart(const std::vector<Rect>& boxes, float gap) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Rect wide{boxes[i].x0 - gap, boxes[i].y0 - gap, boxes[i].x1 + gap, boxes[i].y1 + gap};
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (wide.overlaps(boxes[j])) return false;
    }
  }
  return true;
}

struct Fit {
  float tallest, aspect, gap_share, turn;
  bool stretch;  // follow the area's shape instead of staying nearly round
};

// The largest equal boxes on an ellipse that do not touch.
std::vector<Rect> boxes_on_ellipse(int count, Rect area, const Fit& fit) {
  std::vector<Rect> boxes;
  if (count == 1) {
    const float height = std::min({fit.tallest, area.height(), area.width() / fit.aspect});
    return {Rect::around(area.center(), height * fit.aspect, height)};
  }
  // No closed curve in the area is longer than the area's edge.
  const float most = 1.2f * 2 * (area.width() + area.height()) / static_cast<float>(count);
  for (float height = std::min(fit.tallest, most);; height *= kFitStep) {
    const float aspect = height < kTitledBox ? std::min(fit.aspect, 1.15f) : fit.aspect;
    const float width = height * aspect;
    float rx = std::max(0.0f, (area.width() - width) / 2 - 1);
    float ry = std::max(0.0f, (area.height() - height) / 2 - 1);
    if (!fit.stretch) {
      rx = std::min(rx, 1.25f * ry);
      ry = std::min(ry, 1.25f * rx);
    }
    boxes.clear();
    for (const Point p : on_ellipse(count, area.center(), rx, ry, fit.turn)) {
      boxes.push_back(Rect::around(p, width, height));
    }
    const bool fits = width < area.width() && height < area.height() &&
                      apart(boxes, std::max(1.0f, fit.gap_share * width));
    if (fits || height < kSmallestBox) return boxes;
  }
}

Rect shrunk(Rect r, float by) {
  return {r.x0 + by, r.y0 + by, r.x1 - by, r.y1 - by};
}

// Many nodes stand along the edge of the area, in the outer cells of a grid, clockwise from the top
// left; the middle stays free.
std::vector<Rect> along_the_edge(int nodes, Rect area) {
  int columns = nodes, rows = 1;
  float best = 0;
  for (int c = 2; c <= nodes; ++c) {
    const int r = std::max(2, (nodes + 5) / 2 - c);
    const float smaller = std::min(area.width() / static_cast<float>(c) / kAspect,
                                   area.height() / static_cast<float>(r));
    if (2 * (c + r) - 4 < nodes || smaller <= best) continue;
    best = smaller;
    columns = c;
    rows = r;
  }
  const int cells = 2 * (columns + rows) - 4;
  const float width = area.width() / static_cast<float>(columns);
  const float height = area.height() / static_cast<float>(rows);
  std::vector<Rect> places;
  for (int node = 0; node < nodes; ++node) {
    int at = node * cells / nodes, column = 0, row = 0;
    if (at < columns) {
      column = at;
    } else if ((at -= columns) < rows - 1) {
      column = columns - 1;
      row = at + 1;
    } else if ((at -= rows - 1) < columns - 1) {
      column = columns - 2 - at;
      row = rows - 1;
    } else {
      row = rows - 2 - (at - (columns - 1));
    }
    const float x = area.x0 + width * static_cast<float>(column);
    const float y = area.y0 + height * static_cast<float>(row);
    places.push_back({x, y, x + width, y + height});
  }
  return places;
}

std::vector<Rect> node_places(int nodes, Rect area) {
  if (nodes > 8) return along_the_edge(nodes, area);
  if (nodes == 2) {
    // Side by side along the longer edge, with room for words between them.
    const bool wide = area.width() >= area.height();
    const float gap = 0.14f * (wide ? area.width() : area.height());
    Rect first = area, second = area;
    if (wide) {
      first.x1 = area.center().x - gap / 2;
      second.x0 = area.center().x + gap / 2;
    } else {
      first.y1 = area.center().y - gap / 2;
      second.y0 = area.center().y + gap / 2;
    }
    return {first, second};
  }
  const float aspect = std::clamp(area.width() / std::max(1.0f, area.height()), 0.7f, 1.4f);
  const float tallest = std::min(area.height(), area.width() / aspect) / 2;
  return boxes_on_ellipse(nodes, area, {tallest, aspect, 0.04f, nodes % 2 == 0 ? 0.5f : 0, true});
}

std::vector<Rect> one_ring(int ranks, Rect area, float share, float turn = 0) {
  const float tallest = std::min(kTallestBox, share * std::min(area.width(), area.height()));
  // Few ranks leave room for what travels between them.
  const float gap = std::clamp(0.5f - 0.012f * static_cast<float>(ranks), 0.14f, 0.42f);
  return boxes_on_ellipse(ranks, area, {tallest, kAspect, gap, turn, ranks > 16});
}

// The ring of one node fills its room, save for what bows round it from node to node.
std::vector<Rect> node_ring(int ranks, Rect area) {
  const float side = 0.07f * area.width();
  area.x0 += side;
  area.x1 -= side;
  const float tallest = std::min(kTallestBox, 0.27f * std::min(area.width(), area.height()));
  return boxes_on_ellipse(ranks, area, {tallest, kAspect, 0.2f, 0, true});
}

int nodes_of(const std::vector<int>& node_of_rank) {
  return node_of_rank.empty() ? 1 : node_of_rank.back() + 1;
}

}  // namespace

bool goes_one_round(const Story& story) {
  const int ranks = story.size();
  if ((story.nodes != 2 && story.nodes != 4) || ranks % story.nodes != 0) return false;
  for (int r = 0; r < ranks; ++r) {
    if (story.node_of_rank[at(r)] != r / (ranks / story.nodes)) return false;
  }
  return std::all_of(story.links.begin(), story.links.end(), [&](const Link& link) {
    const int by = (link.to - link.from + ranks) % ranks;
    return by == 1 || by == ranks - 1;
  });
}

std::vector<Rect> ring_places(int ranks, const std::vector<int>& node_of_rank, Rect area,
                              bool one_round) {
  const int nodes = nodes_of(node_of_rank);
  if (nodes < 2) return one_ring(ranks, area, 0.16f);
  // Half a slot past the top, so that the cuts between nodes lie on the axes.
  if (one_round) return one_ring(ranks, area, 0.16f, 0.5f);
  const std::vector<Rect> rooms = node_places(nodes, area);
  std::vector<Rect> places;
  for (int node = 0; node < nodes; ++node) {
    const auto count = std::count(node_of_rank.begin(), node_of_rank.end(), node);
    for (const Rect& place :
         nodes <= 8 ? node_ring(static_cast<int>(count), shrunk(rooms[at(node)], 5))
                    : one_ring(static_cast<int>(count), shrunk(rooms[at(node)], 4), 0.2f)) {
      places.push_back(place);
    }
  }
  return places;
}

}  // namespace ringlab::viz
