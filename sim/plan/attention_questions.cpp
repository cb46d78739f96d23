// Questions about the attention of one layer: family, comparison with one device, balance, grouped
// heads, placement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/sim/layer/hiding.hpp"
#include "ringlab/sim/plan/answer.hpp"
#include "ringlab/sim/plan/explain.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab::detail {
namespace {

constexpr int kMostSimulated = 256;

void need_context(const PlanRequest& r, const Parallel& p) {
  if (p.context > 1) return;
  throw InputError(
      "layout", axes_text(p),
      fmt::format("leave a context axis of at least 2 of the {} GPUs", r.cluster.gpus()));
}

std::string family_text(const Parallel& p) {
  if (p.family != Family::ulysses_ring) return name(p.family);
  return fmt::format("ulysses_ring U={} R={}", p.ulysses, p.context / p.ulysses);
}

Cell simulated(const Machine& machine, const AttentionProblem& problem) {
  if (problem.context > kMostSimulated) return words("-");
  return seconds(attention_simulated(machine, problem).total);
}

// One layer's attention with a layout of tokens, over the context ranks.
double simulated_layout(const Machine& machine, const AttentionProblem& p, LayoutKind layout) {
  ScheduleProblem problem;
  const auto tokens = static_cast<Index>(p.shape.tokens) * p.context;
  problem.key_layout = make_layout(layout, whole_sequence(tokens), p.context);
  problem.query_layout = problem.key_layout;
  problem.query_heads = static_cast<int>(p.shape.query_heads);
  problem.kv_heads = static_cast<int>(p.shape.kv_heads);
  problem.head_dim = static_cast<int>(p.shape.head_dim);
  SimOptions options;
  options.cluster = machine.cluster();
  options.attention = machine.attention();
  options.mask.causal = true;
  if (p.window > 0) options.mask.window_left = p.window - 1;
  options.longest_chain = false;
  for (int r = 0; r < p.context; ++r) options.placement.push_back(r * p.stride);
  return simulate(catalog_entry("ring"), problem, false, options).seconds();
}

}  // namespace

Answer which_family(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  Parallel p = context_layout(r);
  need_context(r, p);
  Answer a;
  a.title = fmt::format(
      "Ring, Ulysses, all-gather or a hybrid, over {} ranks of {}? One layer's "
      "attention, forward, {} tokens.",
      p.context, r.cluster.name, r.work.tokens);
  a.columns = {"family", "sent by a rank", "in flight", "closed form", "simulated", "exposed"};
  std::vector<Parallel> ways;
  for (const Family family : {Family::ring, Family::ulysses, Family::all_gather}) {
    p.family = family;
    ways.push_back(p);
  }
  p.family = Family::ulysses_ring;
  for (int u = 2; u < p.context; ++u) {
    if (p.context % u != 0) continue;
    p.ulysses = u;
    ways.push_back(p);
  }
  std::string best;
  double least = 0;
  for (const Parallel& way : ways) {
    const std::string why = why_not(r.model, r.work, way);
    if (!why.empty()) {
      a.rows.push_back({words(family_text(way)), words("ruled out: " + why)});
      continue;
    }
    const AttentionProblem problem = attention_problem(r.model, r.work, way, false);
    const AttentionTime time = attention_closed_form(machine, problem);
    const double sent =
        attention_bytes_sent(problem.shape, way.family, way.context, way.ulysses, false);
    const AttentionBuffers buffers =
        attention_buffers(problem.shape, way.family, way.context, way.ulysses, false);
    a.rows.push_back({words(family_text(way)), bytes(sent), bytes(buffers.in_flight()),
                      seconds(time.total), simulated(machine, problem), seconds(time.exposed())});
    if (best.empty() || time.total < least) {
      best = family_text(way);
      least = time.total;
    }
  }
  const double q = r.model.heads, kv = r.model.moved_kv_heads();
  a.conclusions.push_back(fmt::format("fastest here: {}", best));
  a.conclusions.push_back(fmt::format(
      "of inputs and 16-bit results a ring sends less than Ulysses below R = 1 + Hq/Hkv = {:g} "
      "ranks, but it hides what it sends",
      1 + q / kv));
  p.family = Family::ring;
  p.ulysses = 1;
  if (const auto tokens = ring_over_ulysses(r, p)) {
    if (*tokens == 0) {
      a.conclusions.push_back("the ring beats Ulysses at every length here");
    } else if (std::isinf(*tokens)) {
      a.conclusions.push_back("Ulysses beats the ring at every length here");
    } else {
      a.conclusions.push_back(fmt::format("the ring beats Ulysses from {:.0f} tokens on", *tokens));
    }
  } else {
    a.conclusions.push_back(fmt::format("Ulysses alone needs a degree that divides {} heads",
                                        r.model.heads / p.tensor));
  }
  return a;
}

Answer why_slower(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  Parallel p = context_layout(r);
  need_context(r, p);
  Answer a;
  a.title = fmt::format(
      "Why is a ring of {} slower than one GPU? One layer's attention, forward, "
      "compared at equal local and at equal total length.",
      p.context);
  a.columns = {"", "tokens in all", "tokens a rank", "time", "of ideal", "beyond Q, K, V"};
  Parallel one = p;
  one.context = 1;
  // Adds a row; the time. The ideal is what one GPU takes for everything, over the ranks.
  const auto row = [&](const std::string& what, const Parallel& way, Index tokens,
                       std::optional<double> alone) {
    Workload work = r.work;
    work.tokens = tokens;
    const AttentionProblem problem = attention_problem(r.model, work, way, false);
    const double time = attention_simulated(machine, problem).total;
    const AttentionBuffers buffers =
        attention_buffers(problem.shape, way.family, way.context, way.ulysses, false);
    a.rows.push_back({words(what), count(static_cast<double>(tokens)), count(problem.shape.tokens),
                      seconds(time), alone ? percent(*alone / p.context / time) : words("-"),
                      bytes(buffers.in_flight())});
    return time;
  };
  const Index whole = r.work.tokens, local = std::max<Index>(1, whole / p.context);
  const double share = row("one GPU, a rank's share", one, local, {});
  const double alone = row("one GPU, everything", one, whole, {});
  const double ring = row("ring, everything", p, whole, alone);
  const Index brief = std::max<Index>(2 * p.context, whole / 16);
  const double brief_alone = row("one GPU, a sixteenth", one, brief, {});
  const double brief_ring = row("ring, a sixteenth", p, brief, brief_alone);
  a.conclusions.push_back(fmt::format(
      "at equal local length a ring does {} times the work per rank, and takes {:.1f} times as "
      "long here: compare at equal total length",
      p.context, ring / share));
  a.conclusions.push_back(fmt::format(
      "at equal total length it is {:.2f} times as fast as one GPU, of {} possible; of a sixteenth "
      "of the length {:.2f} times: short tiles hide less of the transfers",
      alone / ring, p.context, brief_alone / brief_ring));
  a.conclusions.push_back(
      "hungrier by two blocks of keys and values, and by a float32 running result");
  return a;
}

Answer which_balance(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  const Parallel p = context_layout(r);
  need_context(r, p);
  const AttentionProblem problem = attention_problem(r.model, r.work, p, false);
  Answer a;
  a.title = fmt::format(
      "Is zigzag or striped needed, and how bad is contiguous? Causal ring of {}, "
      "{} tokens.",
      p.context, r.work.tokens);
  a.columns = {"layout", "worst over mean", "lock step useful", "simulated", "times zigzag"};
  const auto tokens = static_cast<Index>(problem.shape.tokens) * p.context;
  const double zigzag = simulated_layout(machine, problem, LayoutKind::zigzag);
  for (const LayoutKind layout :
       {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
    ScheduleProblem schedule;
    schedule.key_layout = make_layout(layout, whole_sequence(tokens), p.context);
    schedule.query_layout = schedule.key_layout;
    Mask mask{.causal = true, .window_left = {}, .window_right = {}};
    if (problem.window > 0) mask.window_left = problem.window - 1;
    const Ledger ledger = make_ledger(forward_of(catalog_entry("ring"), schedule), mask);
    const double time = simulated_layout(machine, problem, layout);
    a.rows.push_back({words(name(layout)),
                      factor(static_cast<double>(ledger.worst_rank_pair_heads) * p.context /
                             static_cast<double>(ledger.pair_heads)),
                      percent(ledger.efficiency()), seconds(time), factor(time / zigzag)});
  }
  a.conclusions.push_back(fmt::format(
      "contiguous: the last rank does 2 - 1/R = {:.3f} times the mean, and in lock step "
      "(R/2)/(R-1/2) = {:.1f} % of the hops is useful",
      2 - 1.0 / p.context, 100 * (p.context / 2.0) / (p.context - 0.5)));
  a.conclusions.push_back(
      "level for one causal document; packed documents want zigzag_per_document, windows little");
  return a;
}

Answer which_heads(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  const Parallel p = context_layout(r);
  need_context(r, p);
  Answer a;
  a.title = fmt::format(
      "Are grouped key/value heads expanded before the ring? {} query and {} "
      "key/value heads over {} ranks.",
      r.model.heads / p.tensor, std::max(1, r.model.moved_kv_heads() / p.tensor), p.context);
  a.columns = {"", "key/value heads", "bytes a hop", "sent by a rank", "simulated", "exposed"};
  for (const bool expanded : {false, true}) {
    AttentionProblem problem = attention_problem(r.model, r.work, p, false);
    if (expanded) problem.shape.kv_heads = problem.shape.query_heads;
    const AttentionTime time = attention_simulated(machine, problem);
    const double sent = attention_bytes_sent(problem.shape, p.family, p.context, 1, false);
    a.rows.push_back({words(expanded ? "expanded first" : "as they are"),
                      count(problem.shape.kv_heads), bytes(sent / (p.context - 1)), bytes(sent),
                      seconds(time.total), seconds(time.exposed())});
  }
  a.conclusions.push_back(
      fmt::format("expanding multiplies the traffic by Hq/Hkv = {:g} and changes no result; every "
                  "schedule here moves the heads as they are",
                  a.rows[1][3].value / a.rows[0][3].value));
  return a;
}

Answer which_placement(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  Parallel p = context_layout(r);
  need_context(r, p);
  p.family = Family::ulysses_ring;
  Answer a;
  a.title = fmt::format("Where on the network do ring and Ulysses go? {} ranks on {}.", p.context,
                        r.cluster.name);
  a.columns = {"degrees", "Ulysses over", "ring over", "closed form", "simulated", "exposed"};
  std::string best;
  double least = 0;
  for (int u = 2; u < p.context; ++u) {
    if (p.context % u != 0) continue;
    p.ulysses = u;
    for (const bool inside : {true, false}) {
      p.ulysses_inside = inside;
      const int ring = p.context / u;
      const std::string degrees =
          fmt::format("U={} {}, R={}", u, inside ? "inside" : "outside", ring);
      const std::string why = why_not(r.model, r.work, p);
      if (!why.empty()) {
        a.rows.push_back({words(degrees), words("ruled out: " + why)});
        continue;
      }
      const AttentionProblem problem = attention_problem(r.model, r.work, p, false);
      const AttentionTime time = attention_closed_form(machine, problem);
      const auto level = [&](int size, int stride) {
        const GroupPath& path = machine.path({size, stride});
        return words(r.cluster.levels[static_cast<std::size_t>(path.ring_level)].name);
      };
      a.rows.push_back({words(degrees), level(u, inside ? p.tensor : p.tensor * ring),
                        level(ring, inside ? p.tensor * u : p.tensor), seconds(time.total),
                        simulated(machine, problem), seconds(time.exposed())});
      if (best.empty() || time.total < least) {
        best = degrees;
        least = time.total;
      }
    }
  }
  if (a.rows.empty()) {
    throw InputError("layout", axes_text(p), "a hybrid needs a context axis that is not prime");
  }
  a.conclusions.push_back("best here: " + (best.empty() ? "none is possible" : best));
  a.conclusions.push_back(
      "Ulysses hides nothing, so it wants the fast links; the ring hides behind its tiles and can "
      "take the slow ones");
  return a;
}

}  // namespace ringlab::detail
