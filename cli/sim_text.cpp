#include "cli/sim_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cli/console.hpp"
#include "ringlab/reference/io/array.hpp"
#include "ringlab/sim/layer/hiding.hpp"

namespace ringlab::cli {
namespace {

double seconds_of(Picoseconds time) {
  return static_cast<double>(time) * 1e-12;
}

std::string mask_words(const Mask& mask) {
  std::string text = mask.causal ? "causal" : "full";
  if (mask.window_left) text += fmt::format(", window {}", *mask.window_left + 1);
  if (mask.documents) text += ", documents";
  if (mask.prefix > 0) text += fmt::format(", prefix {}", mask.prefix);
  return text;
}

std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3 + (digits[0] == '-' ? 1u : 0u);) {
    at -= 3;
    digits.insert(at, " ");
  }
  return digits;
}

std::string link_words(const LinkSpec& link) {
  return fmt::format("{:.4g} GB/s + {}", link.bytes_per_second * 1e-9,
                     time_text(link.latency_seconds));
}

// Ranks or links with the same figures stand in one line.
template <class Item, class Key>
std::vector<std::vector<std::size_t>> alike(const std::vector<Item>& items, const Key& key_of) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return key_of(items[group.front()]) == key_of(items[i]);
    });
    if (same == groups.end()) {
      groups.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return groups;
}

// "0-3 7", of ascending numbers; long lists are cut.
std::string numbers_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    const std::string run =
        end == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end]);
    if (text.size() + run.size() > 11) return text + fmt::format(" +{}", numbers.size() - i);
    text += (text.empty() ? "" : " ") + run;
    i = end + 1;
  }
  return text;
}

void print_ranks(const SimResult& result) {
  auto groups = alike(result.ranks, [](const RankResult& r) {
    return std::tuple(r.finish, r.compute, r.transfer, r.hidden, r.bytes_sent, r.memory.total());
  });
  std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
    return result.ranks[a.front()].finish > result.ranks[b.front()].finish;
  });
  fmt::print("\n{:<16}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>12}{:>12}\n", "rank", "finish",
             "compute", "idle", "transfer", "hidden", "exposed", "sent", "memory");
  constexpr std::size_t kMost = 12;
  for (std::size_t g = 0; g < std::min(groups.size(), kMost); ++g) {
    const RankResult& r = result.ranks[groups[g].front()];
    fmt::print("{:<16}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>12}{:>12}\n", numbers_text(groups[g]),
               time_text(seconds_of(r.finish)), time_text(seconds_of(r.compute)),
               time_text(seconds_of(r.finish - r.compute)), time_text(seconds_of(r.transfer)),
               time_text(seconds_of(r.hidden)), time_text(seconds_of(r.exposed)),
               bytes_text(static_cast<double>(r.bytes_sent)),
               bytes_text(static_cast<double>(r.memory.total())));
  }
  if (groups.size() > kMost) {
    fmt::print("{}\n",
               dim(fmt::format("others are done earlier; --json has all {}", result.ranks.size())));
  }
}

void print_links(const SimResult& result) {
  if (result.links.empty()) return;
  auto groups = alike(result.links, [](const LinkResult& l) {
    return std::tuple(l.level, l.name.substr(l.name.rfind(' ') + 1), l.messages, l.bytes, l.busy,
                      l.queued, l.most_queued);
  });
  std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
    return result.links[a.front()].busy > result.links[b.front()].busy;
  });
  fmt::print("\n{:<32}{:>12}{:>10}{:>11}{:>8}{:>11}{:>13}\n", "link", "bytes", "messages", "busy",
             "of all", "queued", "longest wait");
  constexpr std::size_t kMost = 8;
  for (std::size_t g = 0; g < std::min(groups.size(), kMost); ++g) {
    const LinkResult& l = result.links[groups[g].front()];
    const std::string name =
        groups[g].size() == 1 ? l.name : fmt::format("{}, +{} alike", l.name, groups[g].size() - 1);
    fmt::print("{:<32}{:>12}{:>10}{:>11}{:>6.1f} %{:>11}{:>13}\n", name,
               bytes_text(static_cast<double>(l.bytes)), l.messages, time_text(seconds_of(l.busy)),
               result.total > 0 ? 100 * seconds_of(l.busy) / result.seconds() : 0.0,
               time_text(seconds_of(l.queued)), time_text(seconds_of(l.most_queued)));
  }
  if (groups.size() > kMost) {
    fmt::print("{}\n",
               dim(fmt::format("others are less busy; --json has all {}", result.links.size())));
  }
}

void print_memory(const SimResult& result) {
  const auto fullest = std::max_element(
      result.ranks.begin(), result.ranks.end(),
      [](const auto& a, const auto& b) { return a.memory.total() < b.memory.total(); });
  const MemoryParts& m = fullest->memory;
  fmt::print("\nmemory of rank {} at its peak, this layer's attention alone\n",
             fullest - result.ranks.begin());
  const std::pair<const char*, Index> parts[] = {
      {"queries", m.query},
      {"keys and values, own and in flight", m.key_value},
      {"output and lse", m.partial},
      {"gradient of the output", m.output_gradient},
      {"lse and delta", m.row_statistics},
      {"gradient of the queries", m.query_gradient},
      {"gradients of keys and values", m.key_value_gradient},
      {"parts waiting to be summed", m.waiting}};
  for (const auto& [what, bytes] : parts) {
    if (bytes > 0) fmt::print("  {:<36}{:>12}\n", what, bytes_text(static_cast<double>(bytes)));
  }
  fmt::print("  {:<36}{:>12}\n", "together", bytes_text(static_cast<double>(m.total())));
}

void print_bounds(const SimResult& result) {
  fmt::print("\n{:<44}{:>12}{:>12}\n", "no run can be shorter than", "", "of total");
  for (const LowerBound& bound : result.bounds) {
    fmt::print("  {:<42}{:>12}{:>10.2f} %\n", bound.name, time_text(bound.seconds),
               result.total > 0 ? 100 * bound.seconds / result.seconds() : 100.0);
  }
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds == 0) return "0";
  for (const auto& [unit, size] :
       {std::pair{"s", 1.0}, std::pair{"ms", 1e-3}, std::pair{"us", 1e-6}}) {
    if (seconds < size * 0.99995) continue;
    const double value = seconds / size;
    const int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
  }
  return fmt::format("{:.1f} ns", seconds * 1e9);
}

void print_heading(const SimRequest& request) {
  const Scenario& s = request.scenario;
  const Cluster& cluster = request.options.cluster;
  fmt::print(
      "{}: {}, {} ranks, {} tokens, {} layout, {} mask, {} query and {} key/value heads of "
      "{}, {}\n",
      bold(s.schedule), s.backward ? "backward" : "forward", s.ranks, grouped(s.tokens),
      name(s.layout), mask_words(request.options.mask), s.heads, s.key_value_heads(), s.head_dim,
      name(s.dtype));
  std::string levels;
  for (const Level& level : cluster.levels) {
    levels += fmt::format("{}{} of {} at {}", levels.empty() ? "" : ", ", level.name, level.size,
                          link_words(level.link));
  }
  fmt::print("cluster   {}: {}\n", cluster.name, levels);
  fmt::print("kernel    {}\n", request.options.attention.provenance());
  if (bytes_of(s.dtype) > 2) {
    fmt::print("          the kernel's rate is of 16-bit inputs; {} changes bytes, not the rate\n",
               name(s.dtype));
  }
  if (!request.calibration.empty()) fmt::print("measured  {}\n", request.calibration);
  const double block = 2.0 * s.key_value_heads() * s.head_dim *
                       static_cast<double>(bytes_of(s.dtype)) * static_cast<double>(s.tokens) /
                       s.ranks;
  if (s.ranks > 1) {
    const RingBottleneck slowest = ring_bottleneck(cluster, request.options.placement, block);
    fmt::print("placement {}: the slowest step to the next rank is {} -> {} over {}, {}\n",
               name(request.placement), slowest.from_rank, slowest.to_rank, slowest.level,
               link_words(slowest.link));
  }
}

void print_result(const SimRequest& request, const SimResult& result) {
  const LowerBound& bound = result.tightest();
  fmt::print("\ntotal {}  {:.1f} % of the transfer hidden; {} ({}) is the tightest bound\n",
             bold(time_text(result.seconds())), 100 * result.hidden_share(),
             time_text(bound.seconds), bound.name);
  if (request.model) {
    fmt::print("one layer of {}; the {} layers of {} take {}\n", request.model->layers,
               request.model->layers, request.model->name,
               time_text(result.seconds() * request.model->layers));
  }
  print_ranks(result);
  print_links(result);
  print_memory(result);
  print_bounds(result);
  fmt::print("\n{}\n",
             dim(fmt::format("{} events; every tile and message is simulated, nothing but this "
                             "group of ranks uses the links",
                             result.events)));
}

void print_algebra(const SimRequest& request, const SimResult& result) {
  const Scenario& s = request.scenario;
  const double ranks = s.ranks, n = static_cast<double>(s.tokens) / ranks;
  const double hq = s.heads, hkv = s.key_value_heads(), d = s.head_dim;
  const double b = request.options.element.input, a = request.options.element.accumulator;
  fmt::print("\n{}\n", bold("the algebra, with the numbers filled in"));
  if (s.ranks == 1) {
    fmt::print("  one rank: nothing moves\n");
    return;
  }
  const bool causal = request.options.mask.causal;
  const double flop = s.backward ? 10 : 4, share = causal ? 0.5 : 1;
  const AttentionTile tile{n * n * hq * share, n * n * hq, n, n, s.heads, s.head_dim, s.backward};
  const double t_c = request.options.attention.seconds(tile);
  const double rate = n > 0 && t_c > 0 ? flop * tile.pair_heads * d / t_c : 1;
  const double wide = s.backward ? b + a : b;
  const double bytes = n * 2 * hkv * d * wide;
  const RingBottleneck slowest =
      ring_bottleneck(request.options.cluster, request.options.placement, bytes);
  // Block and gradient are two messages.
  const double t_m = slowest.link.seconds(bytes) + (s.backward ? slowest.link.latency_seconds : 0);
  fmt::print("  tokens a rank           n = {} / {} = {:.6g}\n", grouped(s.tokens), s.ranks, n);
  fmt::print(
      "  a tile                  {:g} n^2 Hq D{} = {:.4g} GFLOP at F = {:.4g} TFLOP/s: t_c = "
      "{}\n",
      flop, causal ? " / 2 (balanced causal)" : "", flop * tile.pair_heads * d * 1e-9, rate * 1e-12,
      time_text(t_c));
  fmt::print("  a hop moves             n 2 Hkv D {} = {} at BW = {}: t_m = {}\n",
             s.backward ? fmt::format("({:g} + {:g})", b, a) : fmt::format("{:g}", b),
             bytes_text(bytes), link_words(slowest.link), time_text(t_m));
  const double factor = (s.backward ? 5 : 2) * share;
  fmt::print("  it hides when           n >= Hkv {:g} F / ({:g} Hq BW) = {:.4g}", wide, factor,
             hkv * wide * rate / (factor * hq * slowest.link.bytes_per_second));
  const HidingProblem hiding{hq, hkv, d, b, a, rate, slowest.link, causal, s.backward};
  fmt::print("; with the latency {:.4g}\n", hidden_from_tokens(hiding));
  fmt::print("  so here                 n = {:.6g}: {}\n", n,
             t_c >= t_m ? fmt::format("hidden, t_c = {:.3g} t_m", t_c / t_m)
                        : fmt::format("{} of each hop lie open, t_m = {:.3g} t_c",
                                      time_text(t_m - t_c), t_m / t_c));
  const double form = t_c + (ranks - 1) * std::max(t_c, t_m);
  fmt::print("  a ring of such hops     t_c + (R - 1) max(t_c, t_m) = {}; simulated {} ({})\n",
             time_text(form), time_text(result.seconds()), result.schedule);
  fmt::print(
      "  bytes sent by a rank    ring (R - 1) n 2 Hkv D b = {}; Ulysses (R - 1) / R n (2 Hq "
      "+ 2 Hkv) D b = {}\n",
      bytes_text((ranks - 1) * n * 2 * hkv * d * b),
      bytes_text((ranks - 1) / ranks * n * (2 * hq + 2 * hkv) * d * b));
  fmt::print(
      "                          forward; the ring sends less iff R < 1 + Hq / Hkv = {:.4g}\n",
      1 + hq / hkv);
  for (const Placement one : {Placement::flat, Placement::topology, Placement::scattered}) {
    const std::vector<int> places = place_ranks(request.options.cluster, s.ranks, one);
    const RingBottleneck step = ring_bottleneck(request.options.cluster, places, bytes);
    fmt::print("  placed {:<17}slowest step {} -> {} over {}, {}: {}\n", name(one), step.from_rank,
               step.to_rank, step.level, link_words(step.link),
               time_text(step.link.seconds(bytes)));
  }
}

}  // namespace ringlab::cli
