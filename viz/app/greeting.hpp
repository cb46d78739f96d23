// What greets a person who asked for nothing in particular: the scene runs by itself, again and
// again, until a key or a button is pressed. From then on motion stops at break points as always.
#pragma once

#include "ringlab/viz/model/playback.hpp"

namespace ringlab::viz {

class Greeting {
 public:
  /// Sets the story going. With reduced motion nothing moves by itself, so there is no greeting.
  void begin(Playback& playback);
  /// Call before each frame's commands are done; `seconds` after the last.
  void go_on(Playback& playback, bool touched, double seconds);
  bool running() const { return running_; }

 private:
  bool running_ = false;
  double rest_ = 0;  // seconds at the end so far
};

}  // namespace ringlab::viz
