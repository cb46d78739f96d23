#include "ringlab/sim/run/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <utility>

#include "ringlab/sim/engine/engine.hpp"
#include "ringlab/sim/run/compile.hpp"

namespace ringlab {
namespace {

using detail::Compiled;
using detail::Compiler;

constexpr std::size_t at(int id) {
  return static_cast<std::size_t>(id);
}

std::string time_text(Picoseconds time) {
  const double seconds = static_cast<double>(time) * 1e-12;
  return seconds < 1e-3 ? fmt::format("{:.3f} us", seconds * 1e6)
         : seconds < 1  ? fmt::format("{:.3f} ms", seconds * 1e3)
                        : fmt::format("{:.3f} s", seconds);
}

// "rank 3 waits for rank 2 at hop 1 (kv2 from rank 2) since 12 us"
std::string waiting_text(const Compiled& compiled, const engine::Blocked& b) {
  if (b.message == engine::kNone) return fmt::format("rank {} waits for what is not begun", b.rank);
  const detail::Label& label =
      b.sending ? compiled.sends[at(b.message)] : compiled.receives[at(b.message)];
  return fmt::format("rank {} waits for rank {} at hop {} ({}) since {}", b.rank, b.peer, label.hop,
                     label.text, time_text(b.since));
}

std::string list_text(const Compiled& compiled, const std::vector<engine::Blocked>& blocked,
                      const std::vector<std::size_t>& which) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, which.size()); ++i) {
    text += (i == 0 ? "" : "; ") + waiting_text(compiled, blocked[which[i]]);
  }
  if (which.size() > kMost) text += fmt::format("; and {} more", which.size() - kMost);
  return text;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

[[noreturn]] void report_stuck(const Compiled& compiled, const engine::Outcome& outcome,
                               const Cluster& cluster) {
  const std::vector<engine::Blocked>& blocked = outcome.blocked;
  if (!outcome.lost.empty()) {
    const Network network(cluster);
    const engine::Message& first = compiled.work.messages[at(outcome.lost.front())];
    const engine::Path& path = compiled.work.paths[at(first.path)];
    std::size_t l = 0;
    for (int i = path.links - 1; i >= 0; --i) {
      const auto id = at(compiled.work.path_links[static_cast<std::size_t>(path.first_link + i)]);
      if (compiled.work.links[id].lost_at != kNever) l = id;
    }
    throw RunError(fmt::format("link '{}' was lost at {}: {}", network.name(compiled.link_ids[l]),
                               time_text(compiled.work.links[l].lost_at),
                               list_text(compiled, blocked, all_of(blocked.size()))));
  }
  const std::vector<std::size_t> cycle = engine::waiting_cycle(blocked);
  if (!cycle.empty()) {
    throw RunError("deadlock, each waits for the next: " + list_text(compiled, blocked, cycle));
  }
  throw RunError("deadlock: " + list_text(compiled, blocked, all_of(blocked.size())));
}

Trace trace_of(const Compiled& compiled, const engine::Outcome& outcome) {
  Trace trace;
  const auto add = [&](int rank, Lane lane, const detail::Label& label, const engine::Span& span,
                       Index bytes) {
    trace.events.push_back({rank, lane, label.text, span.start / 1000, span.end / 1000, label.hop,
                            bytes, label.flops});
  };
  const engine::Workload& work = compiled.work;
  for (int r = 0; r < work.ranks(); ++r) {
    for (std::int64_t o = work.first_op[at(r)]; o < work.first_op[at(r) + 1]; ++o) {
      const auto op = static_cast<std::size_t>(o);
      if (work.ops[op].kind() != engine::OpKind::compute) continue;
      add(r, Lane::compute, compiled.ops[op], outcome.op_times[op], 0);
    }
  }
  for (std::size_t m = 0; m < work.messages.size(); ++m) {
    const engine::Message& message = work.messages[m];
    const engine::MessageTimes& times = outcome.message_times[m];
    add(work.groups[at(message.sender)].rank, Lane::send, compiled.sends[m], times.send,
        message.bytes);
    add(work.groups[at(message.receiver)].rank, Lane::receive, compiled.receives[m], times.receive,
        message.bytes);
  }
  sort_events(trace);
  return trace;
}

void add_bounds(SimResult& result, const Compiled& compiled, const engine::Outcome& outcome) {
  const auto most = [](const std::vector<Picoseconds>& times) {
    return static_cast<int>(std::max_element(times.begin(), times.end()) - times.begin());
  };
  if (compiled.compute.empty()) return;
  const auto seconds = [](Picoseconds time) { return static_cast<double>(time) * 1e-12; };
  const int busiest = most(compiled.compute), longest = most(compiled.channels);
  result.bounds.push_back(
      {fmt::format("compute of rank {}", busiest), seconds(compiled.compute[at(busiest)])});
  result.bounds.push_back({fmt::format("transfers of rank {}, one after another", longest),
                           seconds(compiled.channels[at(longest)])});
  double worst = -1;
  std::size_t worst_link = 0;
  for (std::size_t l = 0; l < outcome.links.size(); ++l) {
    const double time = static_cast<double>(outcome.links[l].bytes) *
                        compiled.work.links[l].picoseconds_per_byte * 1e-12;
    if (time > worst) {
      worst = time;
      worst_link = l;
    }
  }
  if (worst >= 0) {
    const auto found = std::find_if(result.links.begin(), result.links.end(), [&](const auto& l) {
      return l.id == compiled.link_ids[worst_link];
    });
    result.bounds.push_back({"bytes over link " + found->name, worst});
  }
}

// Appends all ranks to a compiler.
using Source = std::function<void(Compiler&)>;

SimResult run(int ranks, const Source& source, const SimOptions& options) {
  Compiler compiler(ranks, options, options.keep_trace);
  source(compiler);
  Compiled compiled = compiler.take();
  engine::Outcome outcome = engine::run(compiled.work, {true, options.keep_trace});
  if (outcome.too_long) {
    throw InputError("tokens", "too many",
                     fmt::format("the run would take more than {:.0f} days; give fewer tokens",
                                 static_cast<double>(kLatestTime) * 1e-12 / 86400));
  }
  if (!outcome.blocked.empty()) {
    if (options.keep_trace) report_stuck(compiled, outcome, options.cluster);
    Compiler labelled(ranks, options, true);  // the same once more, with names for people
    source(labelled);
    report_stuck(labelled.take(), outcome, options.cluster);
  }
  SimResult result;
  result.total = outcome.total;
  result.events = outcome.events;
  result.ranks = std::move(compiled.ranks);
  for (std::size_t r = 0; r < result.ranks.size(); ++r) {
    const engine::RankTimes& times = outcome.ranks[r];
    RankResult& rank = result.ranks[r];
    rank.compute = times.compute;
    rank.transfer = times.transfer;
    rank.hidden = times.hidden;
    rank.exposed = times.transfer - times.hidden;
    rank.finish = times.finish;
  }
  const Network network(options.cluster);
  for (std::size_t l = 0; l < outcome.links.size(); ++l) {
    const engine::LinkTimes& times = outcome.links[l];
    if (times.messages == 0) continue;
    const std::int64_t id = compiled.link_ids[l];
    result.links.push_back({id, network.name(id),
                            options.cluster.levels[at(network.level_of(id))].name, times.messages,
                            times.bytes, times.busy, times.queued, times.most_queued,
                            1e12 / compiled.work.links[l].picoseconds_per_byte});
  }
  std::sort(result.links.begin(), result.links.end(),
            [](const LinkResult& a, const LinkResult& b) { return a.id < b.id; });
  add_bounds(result, compiled, outcome);
  if (options.longest_chain) {
    const engine::Outcome alone = engine::run(compiled.work, {false, false});
    result.bounds.push_back(
        {"longest chain, without queues", static_cast<double>(alone.total) * 1e-12});
  }
  if (options.keep_trace) result.trace = trace_of(compiled, outcome);
  return result;
}

}  // namespace

const LowerBound& SimResult::tightest() const {
  RINGLAB_ENSURE(!bounds.empty(), "every run has lower bounds");
  return *std::max_element(bounds.begin(), bounds.end(),
                           [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

int SimResult::busiest_rank() const {
  const auto most = std::max_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
    return a.compute < b.compute;
  });
  return static_cast<int>(most - ranks.begin());
}

double SimResult::hidden_share() const {
  double hidden = 0, transfer = 0;
  for (const RankResult& rank : ranks) {
    hidden += static_cast<double>(rank.hidden);
    transfer += static_cast<double>(rank.transfer);
  }
  return transfer > 0 ? hidden / transfer : 1;
}

SimResult simulate(const Schedule& schedule, const SimOptions& options) {
  const CollectiveIndex collectives(schedule);
  SimResult result = run(
      schedule.size(),
      [&](Compiler& compiler) {
        for (int r = 0; r < schedule.size(); ++r) compiler.add_rank(schedule, r, &collectives);
      },
      options);
  result.schedule = schedule.name;
  result.backward = schedule.backward;
  result.hops = schedule.hops;
  return result;
}

SimResult simulate(const CatalogEntry& entry, const ScheduleProblem& problem, bool backward,
                   const SimOptions& options) {
  const auto build = [&](const ScheduleProblem& some) {
    return backward ? backward_of(entry, some) : forward_of(entry, some);
  };
  // One rank's program shows whether the ranks can be built apart: a collective needs them all.
  ScheduleProblem part = problem;
  part.built = {0, 1};
  const Schedule first = build(part);
  for (const Step& step : first.rank(0).steps) {
    if (std::holds_alternative<Collective>(step.action)) return simulate(build(problem), options);
  }
  // The next few are built while these are compiled, and those before are taken down.
  constexpr int kAtOnce = 16;
  const auto build_from = [&](int begin, Schedule) {
    ScheduleProblem some = problem;
    some.built = {begin, std::min(begin + kAtOnce, problem.ranks())};
    return build(some);
  };
  SimResult result = run(
      problem.ranks(),
      [&](Compiler& compiler) {
        std::future<Schedule> next = std::async(std::launch::async, build_from, 0, Schedule{});
        Schedule some;
        for (int begin = 0; begin < problem.ranks(); begin += kAtOnce) {
          Schedule before = std::exchange(some, next.get());
          const int end = std::min(begin + kAtOnce, problem.ranks());
          if (end < problem.ranks()) {
            next = std::async(std::launch::async, build_from, end, std::move(before));
          }
          for (int r = begin; r < end; ++r) compiler.add_rank(some, r, nullptr);
        }
      },
      options);
  result.schedule = first.name;
  result.backward = backward;
  result.hops = first.hops;
  return result;
}

}  // namespace ringlab
