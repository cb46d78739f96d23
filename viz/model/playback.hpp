// Moves the time of a story: play, pause, steps between break points, scrubbing.
//
// The state is one number, the time; break points belong to the story and a rank. So stepping n
// forward and n back ends at the same bits, and so does the frame.
#pragma once

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

class Playback {
 public:
  Playback() = default;
  /// Stands at the start. `focus` is the rank whose break points stop the motion.
  explicit Playback(std::shared_ptr<const Story> story, int focus = 0);

  /// Another story or rank; the time is kept as far as it exists there, in proportion.
  void set_story(std::shared_ptr<const Story> story);
  void set_focus(int rank);
  int focus() const { return focus_; }

  double time() const { return time_; }
  double end() const { return story_ ? story_->end : 0; }
  bool playing() const { return playing_; }
  bool at_end() const { return time_ >= end(); }
  bool at_start() const { return time_ <= 0; }

  /// Units of the clock a second; clamped to [0.05, 20].
  void set_speed(double speed);
  double speed() const { return speed_; }
  /// True: no motion between break points, only jumps.
  void set_reduced_motion(bool on) { reduced_motion_ = on; }
  bool reduced_motion() const { return reduced_motion_; }
  /// True (as at first): playing stops at each break point. False: it runs through.
  void set_stop_at_breaks(bool on) { stop_at_breaks_ = on; }
  bool stop_at_breaks() const { return stop_at_breaks_; }

  /// Runs to the next break point (space): starts playing, or, in reduced motion, jumps. At the end
  /// it starts again from the beginning.
  void play();
  void pause() { playing_ = false; }
  void toggle();
  void step_forward();  // to the next break point
  void step_back();
  void home();
  void go_to_end();
  /// Any time, as the scrub bar gives it; clamped; motion stops.
  void scrub(double time);
  /// The first break point of a hop (and kind, if given). False if there is none.
  bool go_to_hop(int hop, std::optional<BreakKind> kind = {});

  /// Lets `seconds` of real time pass. True if the time changed.
  bool advance(double seconds);

  const std::vector<BreakPoint>& breaks() const;
  /// Index of the last break point at or before the time.
  int break_index() const;

 private:
  std::shared_ptr<const Story> story_;
  int focus_ = 0;
  double time_ = 0, speed_ = 1;
  bool playing_ = false, reduced_motion_ = false, stop_at_breaks_ = true;
};

}  // namespace ringlab::viz
