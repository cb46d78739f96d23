// Puts the ring on the screen: its picture, and what is said in its middle.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ringlab/viz/app/parts.hpp"
#include "ringlab/viz/panels/ring_panel.hpp"

namespace ringlab::viz {
namespace {

// What the messages of this schedule carry: "keys and values travel".
std::string travelling_of(const Ui& ui, const Story& story) {
  std::array<bool, 7> seen{};
  for (const Flight& flight : story.flights) {
    if (flight.bytes > 0) seen[static_cast<std::size_t>(flight.content.quantity)] = true;
  }
  std::string list;
  for (std::size_t q = 0; q < seen.size(); ++q) {
    if (!seen[q]) continue;
    list += (list.empty() ? "" : ", ") +
            ui.texts.say(std::string("travels.") + name(static_cast<Quantity>(q)));
  }
  return list.empty() ? std::string(ui.t("ui.ring.nothing"))
                      : ui.texts.say("ui.ring.caption", {list});
}

}  // namespace

// True where links cross the middle of the ring, which then has no room for words.
bool App::Parts::words_on_top() {
  if (ring_story == story) return ring_crossed;
  ring_story = story;
  const std::vector<Rect> places = ring_places(story->size(), story->node_of_rank,
                                               {-200, -200, 200, 200}, goes_one_round(*story));
  ring_crossed = false;
  for (const Link& link : story->links) {
    // The distance of the middle from the straight line between the two places.
    const Point a = places[static_cast<std::size_t>(link.from)].center();
    const Point b = places[static_cast<std::size_t>(link.to)].center();
    const float dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    const bool near = std::abs(a.x * dy - a.y * dx) < 50 * length;
    if (length > 100 && near && story->size() > 2) ring_crossed = true;
  }
  return ring_crossed;
}

void App::Parts::draw_ring(const Ui& ui, const Rect& rect) {
  const bool on_top = words_on_top();
  const RingPicture picture =
      ring_picture(*story, frame, ring_area(ui, rect, on_top), state.view.focus_rank, texts);
  const int last = std::max(0, story->schedule.hops - 1);
  const std::string caption = travelling_of(ui, *story);
  RingPanel panel{.picture = picture,
                  .title = {},
                  .lines = {},
                  .words_on_top = on_top,
                  .heading = ui.t("ui.pane.ring"),
                  .caption = caption,
                  .asked_ranks = {},
                  .asked_blocks = {}};
  mark_asked(panel);
  const std::string done =
      ui.texts.say("ui.ring.done", {fmt::format("{:.0f} %", 100 * frame.share_done)});
  if (last == 0) {
    panel.title = done;  // everything at once: there are no hops to count
  } else {
    panel.title =
        frame.first_hop == frame.last_hop
            ? ui.texts.say("ui.ring.hop", {std::to_string(frame.first_hop), std::to_string(last)})
            : ui.texts.say("ui.ring.hops", {std::to_string(frame.first_hop),
                                            std::to_string(frame.last_hop), std::to_string(last)});
    panel.lines.push_back(done);
  }
  if (!story->flights.empty()) {
    // Of what is over by now.
    double all = 0, hidden = 0;
    for (const Flight& flight : story->flights) {
      if (flight.time.end > frame.time) continue;
      const double length = flight.time.end - flight.time.start;
      all += length;
      hidden += length * flight.hidden;
    }
    if (all > 0)
      panel.lines.push_back(
          ui.texts.say("ui.ring.hidden", {fmt::format("{:.0f} %", 100 * hidden / all)}));
    panel.lines.push_back(
        ui.texts.say("ui.ring.sent", {bytes_text(static_cast<double>(frame.bytes_sent))}));
  }
  if (playback.at_end() && story->numbers) {
    panel.lines.push_back(ui.texts.say(
        "ui.ring.exact", {number_text(story->numbers->verification.out.max_abs_error, 2)}));
  }
  draw_ring_panel(ui, rect, panel, pointing);
}

}  // namespace ringlab::viz
