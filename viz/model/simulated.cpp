#include "ringlab/viz/model/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/sim/cluster/network.hpp"
#include "ringlab/sim/data/data.hpp"
#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Index factor_of(const Scenario& scenario, const StoryOptions& options) {
  if (options.simulated_tokens == 0 || options.simulated_tokens == scenario.tokens) return 1;
  const Index tokens = scenario.tokens;
  if (tokens <= 0 || options.simulated_tokens % tokens != 0) {
    const Index fits = tokens > 0 ? std::max<Index>(1, options.simulated_tokens / tokens) : 0;
    throw InputError("simulated_tokens", fmt::format("{}", options.simulated_tokens),
                     fmt::format("give a multiple of the {} tokens that are drawn, as {}, or 0",
                                 tokens, fits * tokens));
  }
  return options.simulated_tokens / tokens;
}

struct Request {
  Scenario scenario;
  Index factor = 1;
  SimOptions options;
};

Request request_of(const Scenario& scenario, const StoryOptions& options) {
  Request request;
  request.factor = factor_of(scenario, options);
  request.scenario = grown(scenario, request.factor);
  request.scenario.dtype = options.simulated_dtype;
  request.options = options_on({.cluster = options.cluster}, request.scenario);
  request.options.longest_chain = false;
  request.options.keep_trace = true;
  if (options.slow_rank >= 0) {
    request.options.stragglers.push_back({options.slow_rank, options.slow_rank_factor});
  }
  const int from = options.slow_link_from, to = options.slow_link_to;
  if (from >= 0 && to >= 0 && from != to) {
    request.options.slow_links.push_back({from, to, options.slow_link_factor});
  }
  return request;
}

// Steps, without the sizes of what they move.
Step without_contents(Step step) {
  if (auto* exchange = std::get_if<Exchange>(&step.action)) {
    for (auto* moves : {&exchange->sends, &exchange->receives}) {
      for (Move& move : *moves) move.content = kNothing;
    }
  } else if (auto* collective = std::get_if<Collective>(&step.action)) {
    collective->sends = collective->receives = kNothing;
  }
  return step;
}

bool same_blocks(const Content& a, const Content& b) {
  const auto same_shard = [](const Piece& x, const Piece& y) { return x.shard == y.shard; };
  return a.quantity == b.quantity && a.first_head == b.first_head && a.heads == b.heads &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same_shard);
}

bool same_steps(const Story& a, const Story& b) {
  if (a.size() != b.size() || a.schedule.hops != b.schedule.hops) return false;
  for (int r = 0; r < a.size(); ++r) {
    const RankProgram &x = a.schedule.rank(r), &y = b.schedule.rank(r);
    const auto same = [](const Step& s, const Step& t) {
      return without_contents(s) == without_contents(t);
    };
    if (x.buffers.size() != y.buffers.size() ||
        !std::equal(x.steps.begin(), x.steps.end(), y.steps.begin(), y.steps.end(), same)) {
      return false;
    }
  }
  const auto same_tile = [](const Tile& s, const Tile& t) {
    return same_blocks(s.query, t.query) && same_blocks(s.key_value, t.key_value) &&
           (s.pairs == 0) == (t.pairs == 0);
  };
  const auto same_flight = [](const Flight& s, const Flight& t) {
    return s.from == t.from && s.to == t.to && s.from_step == t.from_step &&
           s.to_step == t.to_step && same_blocks(s.content, t.content);
  };
  return std::equal(a.tiles.begin(), a.tiles.end(), b.tiles.begin(), b.tiles.end(), same_tile) &&
         std::equal(a.flights.begin(), a.flights.end(), b.flights.begin(), b.flights.end(),
                    same_flight);
}

// The grown schedule with its tiles and messages, in the machine's bytes. Refused if its steps are
// others than those that are drawn.
Story work_of(const Request& request, const Story& drawn) {
  Story work;
  work.scenario = request.scenario;
  work.schedule = schedule_of(request.scenario);
  work.ledger = make_ledger(work.schedule, request.options.mask, request.options.element);
  detail::list_work(work);
  if (!same_steps(drawn, work)) {
    throw InputError(
        "simulated_tokens", fmt::format("{}", request.scenario.tokens),
        fmt::format("with so many the schedule has other steps than with {}; give 0, or more "
                    "tokens to draw, a multiple of the ranks",
                    drawn.scenario.tokens));
  }
  for (Flight& flight : work.flights) {
    flight.bytes = wire_bytes_of(work.schedule, flight.content, request.options.element);
  }
  return work;
}

// What each link of the picture reaches on the cluster.
void take_speeds(Story& story, const SimOptions& options) {
  const Network network(options.cluster);
  std::vector<std::int64_t> slow_links;
  for (const SlowLink& slow : options.slow_links) {
    slow_links.push_back(
        network.path(options.placement[at(slow.from_rank)], options.placement[at(slow.to_rank)])
            .front());
  }
  double fastest = 0;
  for (Link& link : story.links) {
    const int a = options.placement[at(link.from)], b = options.placement[at(link.to)];
    const Level& level = options.cluster.levels[at(options.cluster.level_between(a, b))];
    link.level = level.name;
    link.bytes_per_second = level.link.bytes_per_second;
    link.latency_seconds = level.link.latency_seconds;
    const std::vector<std::int64_t> path = network.path(a, b);
    for (std::size_t i = 0; i < slow_links.size(); ++i) {
      if (std::find(path.begin(), path.end(), slow_links[i]) != path.end())
        link.bytes_per_second /= options.slow_links[i].factor;
    }
    fastest = std::max(fastest, link.bytes_per_second);
  }
  for (Link& link : story.links) link.slow = fastest / link.bytes_per_second;
}

// Ranks that share the innermost network, if that groups them at all.
void take_nodes(Story& story, const SimOptions& options) {
  if (options.cluster.levels.size() < 2 || story.options.node_size > 0) return;
  const int size = options.cluster.levels[0].size;
  std::vector<int> nodes;
  for (int r = 0; r < story.size(); ++r) {
    const int node = options.placement[at(r)] / size;
    const int before = r == 0 ? node : options.placement[at(r - 1)] / size;
    if (r > 0 && node < before) return;  // not side by side
    nodes.push_back(r == 0 ? 0 : nodes.back() + (node != before));
  }
  story.node_of_rank = std::move(nodes);
}

}  // namespace

Scenario grown(Scenario s, Index factor) {
  if (factor == 1) return s;
  if (s.layout == LayoutKind::custom) {
    throw InputError("simulated_tokens", fmt::format("{}", s.tokens * factor),
                     "a layout file names its positions and cannot grow; give 0");
  }
  s.tokens *= factor;
  for (Index& length : s.documents) length *= factor;
  if (s.query_tokens && *s.query_tokens > 1) *s.query_tokens *= factor;
  if (s.mask.window_left) *s.mask.window_left = (*s.mask.window_left + 1) * factor - 1;
  if (s.mask.window_right) *s.mask.window_right *= factor;
  s.input.clear();
  return s;
}

bool wants_simulated(const StoryOptions& options) {
  return options.clock == Clock::simulated || options.clock == Clock::measured ||
         !options.cluster.empty();
}

void check_simulated(const Scenario& scenario, const StoryOptions& options) {
  if (!wants_simulated(options)) return;
  const Request request = request_of(scenario, options);
  if (request.factor == 1) return;
  Story drawn;
  drawn.scenario = scenario;
  drawn.schedule = schedule_of(scenario);
  drawn.ledger = make_ledger(drawn.schedule, rule_of(scenario).mask);
  detail::list_work(drawn);
  work_of(request, drawn);
}

void check_machine(Scenario scenario, StoryOptions options) {
  StoryOptions fitted = options;
  fitted.clock = Clock::ideal;
  fitted.cluster.clear();
  fit_to_limits(scenario, fitted);
  fitted.clock = options.clock;
  fitted.cluster = options.cluster;
  check_simulated(scenario, fitted);
}

Sentence clock_words(const Story& story) {
  if (story.options.clock != Clock::simulated || !story.simulated) return {};
  const Simulated& s = *story.simulated;
  return {s.factor > 1 ? "clock.simulated.grown" : "clock.simulated",
          {s.options.cluster.name, grouped(s.scenario.tokens), name(s.scenario.dtype),
           duration_text(s.result.seconds()), grouped(s.factor)}};
}

std::vector<std::string> clusters_for(int ranks) {
  std::vector<std::string> names;
  for (const char* part : {"h100", "b200", "a100"}) {
    for (const int nodes : {1, 2, 4, 8}) {
      if (ranks % nodes != 0 || ranks / nodes > 8) continue;
      names.push_back(nodes == 1 ? fmt::format("{}x{}", ranks, part)
                                 : fmt::format("{}x{}x{}", nodes, ranks / nodes, part));
    }
  }
  for (const std::string& name : data_names("clusters")) {
    if (load_cluster(name).gpus() >= ranks) names.push_back(name);
  }
  return names;
}

namespace detail {

void simulate_story(Story& story) {
  if (!wants_simulated(story.options)) return;
  const Request request = request_of(story.scenario, story.options);
  const Story work = work_of(request, story);
  auto simulated = std::make_shared<Simulated>();
  simulated->scenario = request.scenario;
  simulated->factor = request.factor;
  simulated->options = request.options;
  bool fits = true;
  try {
    simulated->result = ringlab::simulate(work.schedule, request.options);
    if (story.options.clock == Clock::simulated)
      fits = run_trace_clock(story, simulated->result.trace, work);
  } catch (const InputError& error) {
    if (error.field() != "tokens") throw;  // longer than the simulator's time goes
    story.notes.push_back({"note.takes_too_long", {error.remedy()}});
    if (story.options.clock == Clock::simulated) story.options.clock = Clock::ideal;
    return;
  }
  story.simulated = std::move(simulated);
  if (story.options.clock != Clock::simulated) return;
  // Where nothing takes time (no pairs, no bytes) there is nothing to show either.
  if (!fits) {
    story.options.clock = Clock::ideal;
    story.notes.push_back({"note.takes_no_time", {}});
    return;
  }
  for (std::size_t f = 0; f < story.flights.size(); ++f) {
    story.flights[f].real_bytes = work.flights[f].bytes;
  }
  for (std::size_t t = 0; t < story.tiles.size(); ++t) {
    story.tiles[t].real_flops = work.tiles[t].flops;
  }
  take_speeds(story, request.options);
  take_nodes(story, request.options);
}

}  // namespace detail

}  // namespace ringlab::viz
