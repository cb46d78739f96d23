// The same problem in several layouts, side by side on one clock.
#pragma once

#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {

struct Race {
  std::vector<std::string> names;  // "contiguous", "striped", "zigzag"
  std::vector<std::shared_ptr<const Story>> stories;
  double end = 0;  // of the slowest
};

/// All with one unit of time and one link speed: those of the first. No numbers are computed.
Race make_race(const Scenario& scenario, const StoryOptions& options);

struct RaceLane {
  std::string name;
  float done = 0;  // share of the visible pairs
  bool finished = false;
  double finish = 0;  // its end
  int place = 0;      // 1: finishes first; equal ends share a place
  double efficiency = 1;
  Index bytes_sent = 0;
  int hop = 0;
  std::vector<Doing> doing;  // by rank
  std::vector<float> busy;   // by rank: share of the time so far that it computed
  Sentence words;
};

std::vector<RaceLane> race_at(const Race& race, double time);

}  // namespace ringlab::viz
