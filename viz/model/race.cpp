#include "ringlab/viz/model/race.hpp"

#include <algorithm>

namespace ringlab::viz {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

Race make_race(const Scenario& scenario, const StoryOptions& options) {
  Race race;
  StoryOptions common = options;
  common.clock = Clock::ideal;
  common.numbers = false;
  std::vector<LayoutKind> layouts = {LayoutKind::contiguous, LayoutKind::striped,
                                     LayoutKind::zigzag};
  if (!scenario.documents.empty()) layouts.push_back(LayoutKind::zigzag_per_document);
  for (const LayoutKind layout : layouts) {
    Scenario entrant = scenario;
    entrant.layout = layout;
    entrant.layout_file.clear();
    race.names.push_back(name(layout));
    race.stories.push_back(make_story(entrant, common));
    const Story& first = *race.stories.front();
    common.pair_heads_per_unit = first.pair_heads_per_unit;
    common.bytes_per_unit = first.bytes_per_unit;
    race.end = std::max(race.end, race.stories.back()->end);
  }
  return race;
}

std::vector<RaceLane> race_at(const Race& race, double time) {
  std::vector<RaceLane> lanes;
  Frame frame;
  for (std::size_t i = 0; i < race.stories.size(); ++i) {
    const Story& story = *race.stories[i];
    frame_at(story, time, frame);
    RaceLane lane;
    lane.name = race.names[i];
    lane.done = static_cast<float>(frame.share_done);
    lane.finish = story.end;
    lane.finished = time >= story.end;
    lane.efficiency = story.ledger.efficiency();
    lane.bytes_sent = frame.bytes_sent;
    lane.hop = frame.last_hop;
    lane.place = 1;
    for (const auto& other : race.stories) lane.place += other->end < story.end;
    const double so_far = std::min(time, story.end);
    for (int r = 0; r < story.size(); ++r) {
      lane.doing.push_back(frame.ranks[at(r)].doing);
      double busy = 0;
      for (const int t : story.ranks[at(r)].tiles) {
        const Span span = story.tiles[at(t)].time;
        busy += std::max(0.0, std::min(span.end, so_far) - span.start);
      }
      lane.busy.push_back(so_far > 0 ? static_cast<float>(std::min(1.0, busy / so_far)) : 0.0f);
    }
    lane.words = {lane.finished ? "race.finished" : "race.running",
                  {lane.name, number_text(story.end), number_text(100 * lane.efficiency),
                   number_text(100 * static_cast<double>(lane.done))}};
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace ringlab::viz
