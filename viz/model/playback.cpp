#include "ringlab/viz/model/playback.hpp"

#include <algorithm>

namespace ringlab::viz {
namespace {

// Where a story ended in several ways at once, the last break point is its end all the same.
auto after(const std::vector<BreakPoint>& breaks, double time) {
  return std::upper_bound(breaks.begin(), breaks.end(), time,
                          [](double t, const BreakPoint& b) { return t < b.time; });
}
auto at_or_after(const std::vector<BreakPoint>& breaks, double time) {
  return std::lower_bound(breaks.begin(), breaks.end(), time,
                          [](const BreakPoint& b, double t) { return b.time < t; });
}

}  // namespace

Playback::Playback(std::shared_ptr<const Story> story, int focus) : story_(std::move(story)) {
  set_focus(focus);
}

void Playback::set_story(std::shared_ptr<const Story> story) {
  const double share = end() > 0 ? time_ / end() : 0;
  story_ = std::move(story);
  set_focus(focus_);
  time_ = std::clamp(share * end(), 0.0, end());
  playing_ = false;
}

void Playback::set_focus(int rank) {
  focus_ = story_ ? std::clamp(rank, 0, story_->size() - 1) : 0;
}

void Playback::set_speed(double speed) {
  speed_ = speed >= 0.05 ? std::min(speed, 20.0) : 0.05;
}

const std::vector<BreakPoint>& Playback::breaks() const {
  static const std::vector<BreakPoint> none;
  return story_ ? story_->ranks[static_cast<std::size_t>(focus_)].breaks : none;
}

int Playback::break_index() const {
  return std::max(0, static_cast<int>(after(breaks(), time_) - breaks().begin()) - 1);
}

void Playback::play() {
  if (!story_) return;
  if (at_end()) time_ = 0;
  if (reduced_motion_) {
    step_forward();
  } else {
    playing_ = true;
  }
}

void Playback::toggle() {
  if (playing_) {
    pause();
  } else {
    play();
  }
}

void Playback::step_forward() {
  playing_ = false;
  const auto next = after(breaks(), time_);
  time_ = next == breaks().end() ? end() : next->time;
}

void Playback::step_back() {
  playing_ = false;
  const auto here = at_or_after(breaks(), time_);
  time_ = here == breaks().begin() ? 0 : (here - 1)->time;
}

void Playback::home() {
  playing_ = false;
  time_ = 0;
}

void Playback::go_to_end() {
  playing_ = false;
  time_ = end();
}

void Playback::scrub(double time) {
  playing_ = false;
  time_ = time >= 0 ? std::min(time, end()) : 0;  // a NaN is 0
}

bool Playback::go_to_hop(int hop, std::optional<BreakKind> kind) {
  for (const BreakPoint& point : breaks()) {
    if (point.hop != hop || (kind && point.kind != *kind)) continue;
    scrub(point.time);
    return true;
  }
  return false;
}

bool Playback::advance(double seconds) {
  if (!playing_ || !(seconds > 0)) return false;
  const double before = time_;
  double target = std::min(end(), time_ + seconds * speed_);
  if (stop_at_breaks_) {
    const auto next = after(breaks(), time_);
    if (next != breaks().end() && next->time <= target) {
      target = next->time;
      playing_ = false;
    }
  }
  time_ = target;
  if (at_end()) playing_ = false;
  return time_ != before;
}

}  // namespace ringlab::viz
