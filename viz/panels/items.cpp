#include "ringlab/viz/panels/items.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringlab::viz {

void Items::clear() {
  items_.clear();
  panes_.clear();
  open_.clear();
}

void Items::push_pane(std::string_view id, ImVec2 min, ImVec2 max, bool scrolls, int layer,
                      bool sideways) {
  if (!recording) return;
  open_.push_back(static_cast<int>(panes_.size()));
  panes_.push_back({std::string(id), min, max, scrolls, layer, sideways});
}

void Items::pop_pane() {
  if (!recording || open_.empty()) return;
  open_.pop_back();
}

void Items::add(std::string_view id) {
  if (recording) add(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void Items::add(std::string_view id, ImVec2 min, ImVec2 max) {
  if (!recording || open_.empty()) return;
  items_.push_back({std::string(id), Item::Kind::control, min, max, open_.back()});
}

void Items::add_text(std::string_view text, ImVec2 min, ImVec2 max) {
  if (!recording || open_.empty()) return;
  items_.push_back({std::string(text), Item::Kind::text, min, max, open_.back()});
}

const Item* Items::find(std::string_view id) const {
  // The last one wins: an overlay lies over what was drawn before it.
  for (auto it = items_.rbegin(); it != items_.rend(); ++it) {
    if (it->kind == Item::Kind::control && it->id == id) return &*it;
  }
  return nullptr;
}

std::vector<std::string> layout_faults(const Items& items) {
  // Half a pixel is what rounding of positions to the pixel grid can cost; glyph boxes carry some
  // empty space above and below, so that lines may touch by a pixel or two without harm.
  constexpr float kSlack = 0.5f, kTouch = 2.0f;
  std::vector<std::string> faults;
  std::vector<const Item*> texts;
  for (const Item& item : items.items()) {
    const Pane& pane = items.panes()[static_cast<std::size_t>(item.pane)];
    const bool wide =
        !pane.sideways && (item.min.x < pane.min.x - kSlack || item.max.x > pane.max.x + kSlack);
    const bool tall = item.min.y < pane.min.y - kSlack || item.max.y > pane.max.y + kSlack;
    if (wide || (tall && !pane.scrolls)) {
      faults.push_back(fmt::format(
          "'{}' ({:.0f},{:.0f} to {:.0f},{:.0f}) sticks out of {} ({:.0f},{:.0f} to {:.0f},{:.0f})",
          item.id, item.min.x, item.min.y, item.max.x, item.max.y, pane.id, pane.min.x, pane.min.y,
          pane.max.x, pane.max.y));
    }
    if (item.kind == Item::Kind::text) texts.push_back(&item);
  }
  std::sort(texts.begin(), texts.end(),
            [](const Item* a, const Item* b) { return a->min.y < b->min.y; });
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const Item &a = *texts[i], &b = *texts[j];
      if (b.min.y > a.max.y - kTouch) break;
      const Pane& pa = items.panes()[static_cast<std::size_t>(a.pane)];
      const Pane& pb = items.panes()[static_cast<std::size_t>(b.pane)];
      if (pa.layer != pb.layer) continue;
      // Scrolled out of sight, a text lies where another pane's may be.
      const bool hidden = pa.scrolls || pb.scrolls || pa.sideways || pb.sideways;
      if (hidden && a.pane != b.pane) continue;
      if (a.min.x < b.max.x - kTouch && b.min.x < a.max.x - kTouch) {
        faults.push_back(
            fmt::format("'{}' lies over '{}' at {:.0f},{:.0f}", a.id, b.id, b.min.x, b.min.y));
      }
    }
  }
  return faults;
}

}  // namespace ringlab::viz
