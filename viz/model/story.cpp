#include "ringlab/viz/model/story.hpp"

#include <numeric>

#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz {
namespace {

void check_size(const Story& story) {
  const Scenario& s = story.session.scenario;
  if (s.tokens <= Limits::kTokens && s.heads <= Limits::kHeads && s.head_dim <= Limits::kHeadDim &&
      s.ranks <= Limits::kRanks) {
    return;
  }
  throw InputError("input", s.input,
                   "it is too large to show: give at most " + std::to_string(Limits::kTokens) +
                       " tokens, " + std::to_string(Limits::kHeads) + " heads and head_dim " +
                       std::to_string(Limits::kHeadDim));
}

void choose_clock(Story& story) {
  detail::run_ideal_clock(story);
  detail::simulate_story(story);
  const Clock wanted = story.options.clock;
  if (wanted == Clock::ideal || wanted == Clock::simulated) return;
  const std::optional<Trace>& trace = wanted == Clock::measured ? story.measured : story.given;
  if (trace && detail::run_trace_clock(story, *trace, story)) {
    // A run that is over cannot be slowed down.
    const StoryOptions& o = story.options;
    if (o.slow_rank >= 0) story.notes.push_back({"note.not_in_clock", {"slow_rank", name(wanted)}});
    if (o.slow_link_from >= 0 && o.slow_link_to >= 0) {
      story.notes.push_back({"note.not_in_clock", {"slow_link", name(wanted)}});
      for (Link& link : story.links) link.slow = 1;
    }
    return;
  }
  story.options.clock = Clock::ideal;
  story.notes.push_back({trace ? "note.trace_does_not_fit" : "note.no_trace", {name(wanted)}});
}

}  // namespace

const char* name(Clock clock) {
  static constexpr std::array<const char*, 4> kNames = {"ideal", "measured", "simulated",
                                                        "imported"};
  return kNames[static_cast<std::size_t>(clock)];
}

std::string letter_of(int shard) {
  std::string text(1, static_cast<char>('A' + shard % 26));
  return shard < 26 ? text : text + std::to_string(shard / 26 + 1);
}

Index RankStory::Memory::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), parts);
}

std::shared_ptr<const Story> make_story(Scenario scenario, StoryOptions options,
                                        std::optional<Trace> given) {
  auto story = std::make_shared<Story>();
  story->notes = fit_to_limits(scenario, options);
  story->options = options;
  // Of a text, as many tokens as are shown; else the input decides.
  const bool cuts = !scenario.input.empty() && !scenario.input.ends_with(".safetensors");
  story->session = open_session(
      std::move(scenario), cuts ? std::vector<std::string>{"tokens"} : std::vector<std::string>{});
  check_size(*story);
  story->scenario = story->session.scenario;
  story->schedule = story->session.plan.backward.value_or(story->session.plan.forward);
  story->ledger = make_ledger(story->schedule, story->session.plan.rule.mask);
  story->given = std::move(given);

  detail::list_work(*story);
  detail::run_numbers(*story);
  choose_clock(*story);
  detail::follow_copies(*story);
  detail::cut_matrix(*story);
  detail::group_ranks(*story);
  detail::tell_breaks(*story);
  return story;
}

}  // namespace ringlab::viz
