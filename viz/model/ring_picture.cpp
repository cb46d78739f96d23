#include "ringlab/viz/model/ring_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ringlab::viz {
namespace {

constexpr float kTau = 6.2831853f;
constexpr float kTallestBox = 64;
constexpr std::size_t kFaintest = 64;  // so many links that carry nothing are shown, faintly
constexpr float kTitledBox = 34;       // height from which a box has a title

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Rect shrunk(Rect r, float by) {
  return {r.x0 + by, r.y0 + by, r.x1 - by, r.y1 - by};
}

Rect united(Rect a, Rect b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
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
    one_round_ = goes_one_round(story_);
    const std::vector<Rect> places =
        ring_places(story_.size(), story_.node_of_rank, area_, one_round_);
    std::size_t flying = 0;
    for (const BlockPlace& place : frame_.places) flying += place.flying;
    crowded_ = flying > 2 * at(story_.size());
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
        NodeBox fresh;
        fresh.rect = places[at(r)];
        fresh.title = texts_.say("place.node", {std::to_string(node)});
        picture_.nodes.push_back(std::move(fresh));
      }
      Rect& rect = picture_.nodes.back().rect;
      rect = united(rect, places[at(r)]);
    }
    for (NodeBox& node : picture_.nodes) {
      node.rect = shrunk(node.rect, -4);
      node.title_at = {node.rect.x0 + 8, node.rect.y0 + 2};
    }
    if (one_round_) lay_bands(places);
  }

  // Behind the boxes of a node lies a piece of the ring that all of them stand on.
  void lay_bands(const std::vector<Rect>& places) {
    const Point c = area_.center();
    const int each = story_.size() / story_.nodes;
    // The ellipse through two of the places: x^2 / rx^2 + y^2 / ry^2 = 1, linear in what divides.
    const Point p = places[0].center(), q = places[at(std::max(1, story_.size() / 4))].center();
    const float px = (p.x - c.x) * (p.x - c.x), py = (p.y - c.y) * (p.y - c.y),
                qx = (q.x - c.x) * (q.x - c.x), qy = (q.y - c.y) * (q.y - c.y);
    const float determinant = px * qy - qx * py;
    if (std::abs(determinant) < 1e-3f) return;
    const float a = (qy - py) / determinant, b = (px - qx) / determinant;
    if (!(a > 0 && b > 0)) return;
    const float rx = 1 / std::sqrt(a), ry = 1 / std::sqrt(b);
    const auto angle_of = [&](Point at) {
      return std::atan2((at.x - c.x) / rx, -(at.y - c.y) / ry);  // from the top, clockwise
    };
    const float slot = kTau / static_cast<float>(story_.size());
    for (std::size_t n = 0; n < picture_.nodes.size(); ++n) {
      NodeBox& node = picture_.nodes[n];
      const int first = static_cast<int>(n) * each;
      float from = angle_of(places[at(first)].center());
      float to = angle_of(places[at(first + each - 1)].center());
      if (to < from) to += kTau;
      from -= 0.3f * slot;
      to += 0.3f * slot;
      constexpr int kPieces = 48;
      for (int i = 0; i <= kPieces; ++i) {
        const float t = from + (to - from) * static_cast<float>(i) / kPieces;
        node.band.push_back({c.x + rx * std::sin(t), c.y - ry * std::cos(t)});
      }
      node.band_width = 0.8f * places[0].height();
      // In the corner of the area that the band leaves free.
      const Point middle = node.band[kPieces / 2];
      node.title_at = {middle.x > c.x ? area_.x1 : area_.x0,
                       picture_.nodes.size() > 2 && middle.y > c.y ? area_.y1 - 8 : area_.y0 + 8};
    }
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
    const StoryOptions& o = story_.options;
    if (rank == o.slow_rank && o.slow_rank_factor > 1 && own_times()) {
      box.title += fmt::format(" ×{:.3g}", o.slow_rank_factor);
    }

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
      const auto fits = [&] {
        return width >= 6.5f * static_cast<float>(chip.text.size()) + (chip.solid ? 0.0f : 5.0f);
      };
      // Queries stand in outline: their letters say enough where the sign has no room.
      if (!fits() && chip.text.starts_with('q')) chip.text.remove_prefix(1);
      if (!fits()) chip.text = {};
      box.chips.push_back(chip);
    }
  }

  // Times that the options of the story have a part in.
  bool own_times() const {
    return story_.options.clock == Clock::ideal || story_.options.clock == Clock::simulated;
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
    wire.slow = link.slow > 1.001 && own_times();
    wire.quiet = crowded_ && link.from != focus_ && link.to != focus_;
    // Thinner where there are very many.
    const float crowd = std::sqrt(static_cast<float>(story_.links.size()) /
                                  (2 * static_cast<float>(story_.size())));
    const float base = std::clamp(0.06f * from.height(), 1.5f, 4.0f) / std::max(1.0f, crowd);
    wire.width = std::max(1.0f, base / static_cast<float>(wire.slow ? link.slow : 1.0));
    const Point a = from.center(), b = to.center();
    Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const int node = story_.node_of_rank[at(link.from)];
    const bool one_node = one_round_ || node == story_.node_of_rank[at(link.to)];
    const int first = first_of(node), count = first_of(node + 1) - first;
    const int apart_by = (link.to - link.from + count) % std::max(1, count);
    const bool neighbours = one_round_ || (one_node && (apart_by == 1 || apart_by == count - 1));
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

  // From node to node: as straight as the boxes between allow, else in a bow away from the middle.
  Point bowed(const Link& link, Point a, Point b) const {
    if (story_.size() > 16) return bowed(link, a, b, 0.2f);
    for (const float bow : {0.06f, 0.12f, 0.2f, 0.3f, 0.4f, 0.5f}) {
      const Point control = bowed(link, a, b, bow);
      if (passes(link, a, control, b)) return control;
    }
    return bowed(link, a, b, 0.2f);
  }

  // Whether a curve stays in the area and touches no box but its own two.
  bool passes(const Link& link, Point start, Point control, Point end) const {
    constexpr int kPieces = 12;
    Wire wire;
    wire.start = start;
    wire.control = control;
    wire.end = end;
    for (int i = 1; i < kPieces; ++i) {
      const Point p = on_wire(wire, static_cast<float>(i) / kPieces);
      if (!area_.contains(p)) return false;
      for (const RankBox& box : picture_.boxes) {
        if (box.rank != link.from && box.rank != link.to && shrunk(box.rect, -5).contains(p))
          return false;
      }
    }
    return true;
  }

  Point bowed(const Link& link, Point a, Point b, float bow) const {
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    Point aside{-(b.y - a.y) * bow, (b.x - a.x) * bow};
    const Point out{middle.x - area_.center().x, middle.y - area_.center().y};
    const float side = aside.x * out.x + aside.y * out.y;
    // Where both sides are as good, the way there and the way back take one each.
    const bool even = std::abs(side) < 0.02f * (aside.x * aside.x + aside.y * aside.y);
    if (even ? link.from > link.to : side < 0) aside = {-aside.x, -aside.y};
    const float more = !even && goes_back(link) && link.from > link.to ? 1.4f : 1.0f;
    return {middle.x + more * aside.x, middle.y + more * aside.y};
  }

  int first_of(int node) const {
    return static_cast<int>(
        std::lower_bound(story_.node_of_rank.begin(), story_.node_of_rank.end(), node) -
        story_.node_of_rank.begin());
  }

  // All links where they can be told apart; else those with something on them, and those that are
  // used most: a ring stays a ring when results go home on ways of their own. The others are faint.
  void add_wires() {
    const bool all = story_.links.size() <= 4 * at(story_.size());
    int most = 2;
    for (const Link& link : story_.links) most = std::max(most, link.messages);
    const auto used_most = [&](const Link& link) { return link.messages == most; };
    const bool keep =
        at(static_cast<int>(std::count_if(story_.links.begin(), story_.links.end(), used_most))) <=
        2 * at(story_.size());
    const auto slow = std::count_if(story_.links.begin(), story_.links.end(),
                                    [](const Link& link) { return link.slow > 1.001; });
    std::size_t busy = 0;
    for (std::size_t l = 0; l < story_.links.size(); ++l) {
      while (busy < frame_.links.size() && at(frame_.links[busy].link) < l) ++busy;
      const bool loaded = busy < frame_.links.size() && at(frame_.links[busy].link) == l;
      const bool shown = all || loaded || (keep && used_most(story_.links[l]));
      if ((!shown && story_.links.size() > kFaintest) ||
          (!all && picture_.wires.size() >= at(kMostTravelling)))
        continue;
      picture_.wires.push_back(wire_of(story_.links[l]));
      picture_.wires.back().load = loaded ? 1.0f : 0.0f;
      picture_.wires.back().quiet |= !shown;
      if (slow <= 4) name_slow(story_.links[l], picture_.wires.back());
    }
  }

  // A slow link says how slow it is, on the side of the middle of the ring.
  void name_slow(const Link& link, Wire& wire) const {
    if (!wire.slow || chip_ < 9) return;
    wire.label = link.bytes_per_second > 0 ? bytes_text(link.bytes_per_second) + "/s"
                                           : fmt::format("×{:.3g}", link.slow);
    const Point m = on_wire(wire, 0.5f), c = area_.center();
    const float length = std::max(1.0f, std::hypot(c.x - m.x, c.y - m.y));
    const float half = 0.3f * picture_.text_pixels * static_cast<float>(wire.label.size());
    const float dx = (c.x - m.x) / length, dy = (c.y - m.y) / length;
    // Far enough aside to touch no box.
    for (float aside = 6 + chip_ / 2; aside < 120; aside += 4) {
      wire.label_at = {m.x + aside * dx, m.y + aside * dy};
      const Rect place = Rect::around(wire.label_at, 2 * half + 8, 16);
      const bool free = std::none_of(picture_.boxes.begin(), picture_.boxes.end(),
                                     [&](const RankBox& b) { return b.rect.overlaps(place); });
      if (free && !place.contains(m)) return;
    }
    wire.label.clear();
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
      // In a crowd those of one rank keep away from it, where their ways are one, and from each
      // other: neighbours are not as far on.
      const float stagger = (flight.from + flight.to) % 2 == 0 ? 0.0f : 1.1f * chip_;
      const float away = crowded_ ? 1.5f * chip_ + stagger : 0.5f * chip_ + 2;
      const float margin = std::min(crowded_ ? 0.38f : 0.5f, away / length);
      const float along = margin + (1 - 2 * margin) * place.progress;
      if (wire.quiet) {
        chip.dot = true;
        chip.text = {};
        chip.rect = Rect::around(on_wire(wire, along), 0.3f * chip_, 0.3f * chip_);
        picture_.travelling.push_back(chip);
        continue;
      }
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
  bool one_round_ = false;
  bool crowded_ = false;  // more on the way than can be told apart
  RingPicture picture_;
};

}  // namespace

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