#include "ringlab/viz/model/ring_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

Rect united(Rect a, Rect b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
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

std::vector<Rect> one_ring(int ranks, Rect area, float share) {
  const float tallest = std::min(kTallestBox, share * std::min(area.width(), area.height()));
  // Few ranks leave room for what travels between them.
  const float gap = std::clamp(0.5f - 0.012f * static_cast<float>(ranks), 0.14f, 0.42f);
  return boxes_on_ellipse(ranks, area, {tallest, kAspect, gap, 0, ranks > 16});
}

int nodes_of(const std::vector<int>& node_of_rank) {
  return node_of_rank.empty() ? 1 : node_of_rank.back() + 1;
}

// Where the line from a box's centre to a point leaves the box.
Point edge(const Rect& box, Point towards) {
  const Point c = box.center();
  const float dx = towards.x - c.x, dy = towards.y - c.y;
  if (dx == 0 && dy == 0) return c;
  const float tx = dx == 0 ? 1e9f : box.width() / 2 / std::abs(dx);
  const float ty = dy == 0 ? 1e9f : box.height() / 2 / std::abs(dy);
  const float t = std::min({tx, ty, 1.0f});
  return {c.x + t * dx, c.y + t * dy};
}

class Painter {
 public:
  Painter(const Story& story, const Frame& frame, Rect area, int focus, const Texts& texts)
      : story_(story), frame_(frame), area_(area), focus_(focus), texts_(texts) {}

  RingPicture paint() {
    const std::vector<Rect> places = ring_places(story_.size(), story_.node_of_rank, area_);
    float height = kTallestBox;
    for (const Rect& r : places) height = std::min(height, r.height());
    // In small boxes a letter still needs its size.
    chip_ = std::clamp(std::max(0.34f * height, std::min(14.0f, 0.6f * height)), 5.0f, 26.0f);
    picture_.text_pixels = std::clamp(0.62f * chip_, 7.0f, 14.0f);
    add_nodes(places);
    for (int r = 0; r < story_.size(); ++r) add_box(r, places[at(r)]);
    add_wires();
    add_travelling();
    find_centre();
    return std::move(picture_);
  }

 private:
  void add_nodes(const std::vector<Rect>& places) {
    if (story_.nodes < 2) return;
    for (int r = 0; r < story_.size(); ++r) {
      const int node = story_.node_of_rank[at(r)];
      if (node == static_cast<int>(picture_.nodes.size())) {
        picture_.nodes.push_back({places[at(r)], texts_.say("place.node", {std::to_string(node)})});
      }
      Rect& rect = picture_.nodes.back().rect;
      rect = united(rect, places[at(r)]);
    }
    for (NodeBox& node : picture_.nodes) node.rect = shrunk(node.rect, -4);
  }

  // The copy that the rank computes with: now, next, or last.
  int current_block(int rank) const {
    const RankNow& now = frame_.ranks[at(rank)];
    for (const int t : {now.tile, now.next_tile, now.last_tile}) {
      if (t < 0) continue;
      const int copy = story_.tiles[at(t)].key_value_copy;
      if (copy < 0) continue;
      const Copy& c = story_.copies[at(copy)];
      if (c.rank == rank && c.arrives <= frame_.time && c.dies > frame_.time) return copy;
    }
    return -1;
  }

  Chip chip_of(const BlockPlace& place, bool current) const {
    const Copy& copy = story_.copies[at(place.copy)];
    Chip chip;
    chip.copy = place.copy;
    chip.colour = colour_of(copy);
    chip.quantity = copy.content.quantity;
    chip.text = copy.short_label;
    const bool stays = chip.quantity == Quantity::query || chip.quantity == Quantity::partial ||
                       chip.quantity == Quantity::output_gradient ||
                       chip.quantity == Quantity::row_statistics ||
                       chip.quantity == Quantity::query_gradient;
    chip.solid = place.flying || !stays;
    chip.active = place.in_use;
    chip.faded = !place.flying && !stays && !current && !place.in_use;
    chip.arrival = place.progress;
    return chip;
  }

  // What matters most comes first, since a small box shows one chip only.
  static int weight(const Chip& chip, bool current) {
    if (current) return 0;
    switch (chip.quantity) {
      case Quantity::query:
        return 1;
      case Quantity::key_value:
        return chip.active ? 2 : 3;
      case Quantity::key_value_gradient:
        return 4;
      case Quantity::query_gradient:
        return 5;
      case Quantity::partial:
        return 6;
      default:
        return 7;
    }
  }

  void add_box(int rank, const Rect& rect) {
    RankBox box;
    box.rank = rank;
    box.rect = rect;
    box.colour = colour_of(rank);
    const RankNow& now = frame_.ranks[at(rank)];
    box.doing = now.doing;
    box.fraction = now.tile_fraction;
    box.focus = rank == focus_;
    box.show_title = rect.height() >= kTitledBox;
    box.title = std::to_string(rank);
    if (rect.width() >= 60) box.title = texts_.say("place.rank", {box.title});

    const int current = current_block(rank);
    std::vector<std::pair<int, Chip>> chips;
    for (int p = frame_.places_begin[at(rank)]; p < frame_.places_begin[at(rank) + 1]; ++p) {
      const BlockPlace& place = frame_.places[at(p)];
      if (place.flying || story_.copies[at(place.copy)].bytes == 0) continue;
      const bool is_current = place.copy == current;
      Chip chip = chip_of(place, is_current);
      chips.emplace_back(weight(chip, is_current), chip);
    }
    std::stable_sort(chips.begin(), chips.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    lay_chips(box, chips);
    picture_.boxes.push_back(std::move(box));
  }

  void lay_chips(RankBox& box, const std::vector<std::pair<int, Chip>>& chips) {
    const float pad = std::max(2.0f, 0.05f * box.rect.height());
    Rect room = shrunk(box.rect, pad);
    if (!box.show_title) {
      // One chip fills a small box.
      if (!chips.empty()) {
        Chip chip = chips.front().second;
        chip.rect = room;
        if (room.width() < 5.5f * static_cast<float>(chip.text.size())) chip.text = {};
        box.chips.push_back(chip);
        box.hidden_chips = static_cast<int>(chips.size()) - 1;
      }
      return;
    }
    room.y0 += 0.34f * box.rect.height();
    const float width = (room.width() - pad) / 2;
    const int rows = std::max(1, static_cast<int>((room.height() + pad) / (chip_ + pad)));
    const float height =
        (room.height() - pad * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    for (std::size_t i = 0; i < chips.size(); ++i) {
      if (static_cast<int>(i) >= 2 * rows) {
        ++box.hidden_chips;
        continue;
      }
      Chip chip = chips[i].second;
      // Queries stand on the left, what they meet on the right.
      std::size_t seat = i;
      if (chips.size() >= 2 && chips[0].second.quantity != Quantity::query &&
          chips[1].second.quantity == Quantity::query && i < 2) {
        seat = 1 - i;
      }
      const float x = room.x0 + static_cast<float>(seat % 2) * (width + pad);
      const float y = room.y0 + static_cast<float>(seat / 2) * (height + pad);
      chip.rect = {x, y, x + width, y + height};
      if (width < 6.5f * static_cast<float>(chip.text.size())) chip.text = {};
      box.chips.push_back(chip);
    }
  }

  bool goes_back(const Link& link) const {
    const auto back = std::lower_bound(
        story_.links.begin(), story_.links.end(), std::pair(link.to, link.from),
        [](const Link& l, std::pair<int, int> p) { return std::pair(l.from, l.to) < p; });
    return back != story_.links.end() && back->from == link.to && back->to == link.from;
  }

  Wire wire_of(const Link& link) const {
    const Rect &from = picture_.boxes[at(link.from)].rect, &to = picture_.boxes[at(link.to)].rect;
    Wire wire;
    wire.from = link.from;
    wire.to = link.to;
    wire.slow = link.slow > 1;
    // Thinner where there are very many.
    const float crowd = std::sqrt(static_cast<float>(story_.links.size()) /
                                  (2 * static_cast<float>(story_.size())));
    const float base = std::clamp(0.06f * from.height(), 1.5f, 4.0f) / std::max(1.0f, crowd);
    wire.width = std::max(1.0f, base / static_cast<float>(link.slow));
    const Point a = from.center(), b = to.center();
    Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const int node = story_.node_of_rank[at(link.from)];
    const bool one_node = node == story_.node_of_rank[at(link.to)];
    const int first = first_of(node), count = first_of(node + 1) - first;
    const int apart_by = (link.to - link.from + count) % std::max(1, count);
    const bool neighbours = one_node && (apart_by == 1 || apart_by == count - 1);
    if (!one_node) {
      middle = bowed(link, a, b);
    } else if (!neighbours) {
      const Point centre =
          story_.nodes > 1 ? picture_.nodes[at(node)].rect.center() : area_.center();
      middle = {middle.x + 0.4f * (centre.x - middle.x), middle.y + 0.4f * (centre.y - middle.y)};
    }
    if (one_node && goes_back(link)) {
      // Keep to the right, so that both ways are seen.
      const float dx = b.x - a.x, dy = b.y - a.y, length = std::max(1.0f, std::hypot(dx, dy));
      const float aside = std::min(0.35f * from.height(), 14.0f);
      middle = {middle.x - aside * dy / length, middle.y + aside * dx / length};
    }
    wire.start = edge(from, middle);
    wire.end = edge(to, middle);
    wire.control = middle;
    return wire;
  }

  // From node to node: a bow away from the middle, so that it passes the boxes between.
  Point bowed(const Link& link, Point a, Point b) const {
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    Point aside{-(b.y - a.y) * 0.2f, (b.x - a.x) * 0.2f};
    const Point out{middle.x - area_.center().x, middle.y - area_.center().y};
    const float side = aside.x * out.x + aside.y * out.y;
    // Where both sides are as good, the way there and the way back take one each.
    const bool even = std::abs(side) < 0.02f * (aside.x * aside.x + aside.y * aside.y);
    if (even ? link.from > link.to : side < 0) aside = {-aside.x, -aside.y};
    const float more = !even && goes_back(link) && link.from > link.to ? 1.25f : 1.0f;
    return {middle.x + more * aside.x, middle.y + more * aside.y};
  }

  int first_of(int node) const {
    return static_cast<int>(
        std::lower_bound(story_.node_of_rank.begin(), story_.node_of_rank.end(), node) -
        story_.node_of_rank.begin());
  }

  // All links where they can be told apart; else those with something on them.
  void add_wires() {
    const bool all = story_.links.size() <= 4 * at(story_.size());
    std::size_t busy = 0;
    for (std::size_t l = 0; l < story_.links.size(); ++l) {
      while (busy < frame_.links.size() && at(frame_.links[busy].link) < l) ++busy;
      const bool loaded = busy < frame_.links.size() && at(frame_.links[busy].link) == l;
      if (!all && (!loaded || picture_.wires.size() >= at(kMostTravelling))) continue;
      picture_.wires.push_back(wire_of(story_.links[l]));
      picture_.wires.back().load = loaded ? 1.0f : 0.0f;
    }
  }

  void add_travelling() {
    for (const BlockPlace& place : frame_.places) {
      if (!place.flying || story_.copies[at(place.copy)].bytes == 0) continue;
      if (picture_.travelling.size() >= at(kMostTravelling)) {
        ++picture_.hidden_travelling;
        continue;
      }
      const Flight& flight = story_.flights[at(story_.copies[at(place.copy)].flight)];
      const Wire wire = wire_of(story_.links[at(flight.link)]);
      Chip chip = chip_of(place, true);
      if (chip_ < 9) chip.text = {};
      const float width =
          std::max(chip_, 0.62f * picture_.text_pixels * static_cast<float>(chip.text.size()) + 6);
      // It starts and ends beside the boxes, not half over them.
      const float length = std::hypot(wire.end.x - wire.start.x, wire.end.y - wire.start.y) + 1e-3f;
      const float margin = std::min(0.5f, (0.5f * chip_ + 2) / length);
      const float along = margin + (1 - 2 * margin) * place.progress;
      chip.rect = Rect::around(on_wire(wire, along), chip.text.empty() ? chip_ : width, chip_);
      picture_.travelling.push_back(chip);
    }
  }

  // The largest rectangle about the middle that touches no box.
  void find_centre() {
    if (story_.size() == 1) {  // there is no middle: the words stand below
      picture_.centre = area_;
      picture_.centre.y0 = std::min(area_.y1, picture_.boxes[0].rect.y1 + 8);
      return;
    }
    for (float share = 0.9f; share > 0.02f; share *= 0.93f) {
      picture_.centre = Rect::around(area_.center(), share * area_.width(), share * area_.height());
      const Rect wide = shrunk(picture_.centre, -8);
      const bool free = std::none_of(picture_.boxes.begin(), picture_.boxes.end(),
                                     [&](const RankBox& b) { return b.rect.overlaps(wide); });
      if (free) return;
    }
    picture_.centre = Rect::around(area_.center(), 0, 0);
  }

  const Story& story_;
  const Frame& frame_;
  Rect area_;
  int focus_;
  const Texts& texts_;
  float chip_ = 20;
  RingPicture picture_;
};

}  // namespace

std::vector<Rect> ring_places(int ranks, const std::vector<int>& node_of_rank, Rect area) {
  const int nodes = nodes_of(node_of_rank);
  if (nodes < 2) return one_ring(ranks, area, 0.16f);
  const std::vector<Rect> rooms = node_places(nodes, area);
  std::vector<Rect> places;
  for (int node = 0; node < nodes; ++node) {
    const auto count = std::count(node_of_rank.begin(), node_of_rank.end(), node);
    for (const Rect& place :
         one_ring(static_cast<int>(count), shrunk(rooms[at(node)], nodes > 8 ? 4 : 5), 0.2f)) {
      places.push_back(place);
    }
  }
  return places;
}

RingPicture ring_picture(const Story& story, const Frame& frame, Rect area, int focus_rank,
                         const Texts& texts) {
  return Painter(story, frame, area, focus_rank, texts).paint();
}

Point on_wire(const Wire& wire, float progress) {
  const float a = (1 - progress) * (1 - progress), b = 2 * progress * (1 - progress),
              c = progress * progress;
  return {a * wire.start.x + b * wire.control.x + c * wire.end.x,
          a * wire.start.y + b * wire.control.y + c * wire.end.y};
}

}  // namespace ringlab::viz
