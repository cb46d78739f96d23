#include "ringlab/viz/app/greeting.hpp"

namespace ringlab::viz {
namespace {

// Long enough to read the result, short enough to see that it goes round.
constexpr double kRestSeconds = 3;

}  // namespace

void Greeting::begin(Playback& playback) {
  if (playback.reduced_motion()) return;
  running_ = true;
  rest_ = 0;
  playback.set_stop_at_breaks(false);
  playback.play();  // from the beginning, if it is at its end
}

void Greeting::go_on(Playback& playback, bool touched, double seconds) {
  if (!running_) return;
  if (touched) {
    running_ = false;
    playback.set_stop_at_breaks(true);
    return;
  }
  if (!playback.at_end()) return;
  rest_ += seconds;
  if (rest_ >= kRestSeconds) begin(playback);
}

}  // namespace ringlab::viz
