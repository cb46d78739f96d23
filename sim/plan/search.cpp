#include "ringlab/sim/plan/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

// 2^40 tokens keep pairs, and with them FLOPs, far inside a double.
constexpr Index kMostTokens = Index{1} << 40;
constexpr int kMostBatch = 1 << 24;

void check(const PlanRequest& r) {
  if (r.work.tokens < 1 || r.work.tokens > kMostTokens) {
    throw InputError("tokens", std::to_string(r.work.tokens),
                     fmt::format("give from 1 to {}", kMostTokens));
  }
  if (r.work.batch < 1 || r.work.batch > kMostBatch) {
    throw InputError("batch", std::to_string(r.work.batch),
                     fmt::format("give from 1 to {}", kMostBatch));
  }
  const int gpus = r.cluster.gpus();
  const Parallel& f = r.fixed;
  Index product = 1;
  bool all = true;
  for (const int axis : {f.data, f.tensor, f.pipeline, f.context}) {
    all = all && axis > 0;
    if (axis > 0) product *= axis;
    if (product > kMostTokens) break;
  }
  if (all ? product != gpus : gpus % product != 0) {
    throw InputError("layout", axes_text(f),
                     fmt::format("multiplies up to {}, which {} {} GPUs of {}", product,
                                 all ? "is not the" : "does not divide the", gpus, r.cluster.name));
  }
}

// The refusal for a request that no layout can meet, with the reason for the nearest one.
InputError impossible(const PlanRequest& r) {
  Parallel p = r.fixed;
  for (int* axis : {&p.data, &p.tensor, &p.pipeline, &p.context, &p.expert}) {
    if (*axis == 0) *axis = 1;
  }
  p.zero = 0;
  std::string why = why_not(r.model, r.work, p);
  if (why.empty()) {
    why = fmt::format("no layout of {} GPUs takes a batch of {} and the heads of {}",
                      r.cluster.gpus(), r.work.batch, r.model.name);
  }
  return {"layout", axes_text(p), why};
}

// What makes two layouts worth telling apart.
auto kind_of(const Parallel& p) {
  return std::tuple(p.data, p.tensor, p.pipeline, p.context, p.expert, p.family, p.ulysses,
                    p.ulysses_inside);
}

double value_of(const PlanRequest& r, const Candidate& c) {
  return r.by == Ranking::time ? c.step.total : c.step.total * c.parallel.gpus();
}

void search_into(const PlanRequest& r, PlanResult& result,
                 std::map<decltype(kind_of(Parallel{})), Candidate>& best) {
  const Machine machine(r.cluster, r.calibration);
  const double room = machine.gpu().memory_bytes;
  for_each_layout(r.model, r.work, r.cluster.gpus(), r.fixed, [&](const Parallel& p) {
    ++result.layouts;
    Candidate candidate{p, memory_of(r.model, r.work, p, machine.gpu()), {}, {}, {}, 0};
    const double total = candidate.memory.total();
    if (total > room) {
      ++result.too_large[candidate.memory.largest()];
      if (!result.smallest || total < result.smallest->memory.total()) {
        result.smallest = candidate;
      }
      return;
    }
    ++result.fitting;
    candidate.step = step_time(machine, r.model, r.work, p);
    candidate.dollars = dollars_of(r, p, candidate.step.total);
    const auto [place, is_new] = best.try_emplace(kind_of(p), candidate);
    if (!is_new && value_of(r, candidate) < value_of(r, place->second)) {
      place->second = std::move(candidate);
    }
  });
}

// Pairs of pieces that one simulation looks at: each rank's tiles, and in a hybrid each tile's
// pieces, one of every member of the Ulysses group.
double pieces_of(const AttentionProblem& p) {
  const double u = p.family == Family::ring || p.family == Family::all_gather ? 1 : p.ulysses;
  return static_cast<double>(p.context) * p.context * u;
}

}  // namespace

double dollars_of(const PlanRequest& r, const Parallel& p, double seconds) {
  const double price =
      r.dollars_per_gpu_hour > 0 ? r.dollars_per_gpu_hour : r.cluster.dollars_per_gpu_hour;
  return price * p.gpus() * seconds / 3600;
}

PlanResult search(const PlanRequest& request) {
  check(request);
  PlanResult result;
  std::map<decltype(kind_of(Parallel{})), Candidate> best;
  search_into(request, result, best);
  const bool free_size = request.fixed == kAnyLayout && request.by == Ranking::cost;
  // The cheapest may leave GPUs unused: halves of the cluster are looked at as well.
  for (int gpus = request.cluster.gpus() / 2; free_size && gpus >= 1; gpus /= 2) {
    PlanRequest half = request;
    try {
      half.cluster = with_gpus(request.cluster, gpus);
    } catch (const InputError&) {
      break;
    }
    search_into(half, result, best);
  }
  if (result.layouts == 0) throw impossible(request);
  for (auto& [kind, candidate] : best) result.best.push_back(std::move(candidate));
  std::stable_sort(result.best.begin(), result.best.end(),
                   [&](const Candidate& a, const Candidate& b) {
                     return value_of(request, a) < value_of(request, b);
                   });
  return result;
}

void verify(const PlanRequest& request, PlanResult& result, double most_pieces) {
  std::map<std::tuple<int, int, Family, int, bool, int, bool>, AttentionTime> known;
  double pieces = 0;
  const int count = std::min<int>(request.keep, static_cast<int>(result.best.size()));
  for (int i = 0; i < count; ++i) {
    Candidate& c = result.best[static_cast<std::size_t>(i)];
    const Parallel& p = c.parallel;
    if (request.work.purpose == Purpose::decode) {
      c.not_simulated = "decoding is composed";
      continue;
    }
    if (p.context == 1) {
      c.simulated = c.step.total;
      c.not_simulated = "no context axis";
      continue;
    }
    const Machine machine(
        p.gpus() == request.cluster.gpus() ? request.cluster : with_gpus(request.cluster, p.gpus()),
        request.calibration);
    StepOptions options;
    for (const bool backward : {false, true}) {
      if (backward && request.work.purpose != Purpose::train) continue;
      const AttentionProblem problem = attention_problem(request.model, request.work, p, backward);
      const auto key = std::tuple(p.tensor, p.context, p.family, p.ulysses, p.ulysses_inside,
                                  p.micro_batch, backward);
      auto found = known.find(key);
      if (found == known.end()) {
        if (pieces + pieces_of(problem) > most_pieces) {
          c.not_simulated = "too many ranks to simulate";
          break;
        }
        pieces += pieces_of(problem);
        found = known.emplace(key, attention_simulated(machine, problem)).first;
      }
      (backward ? options.backward : options.forward) = found->second;
    }
    if (!c.not_simulated.empty()) continue;
    c.simulated = step_time(machine, request.model, request.work, p, options).total;
  }
}

bool some_layout_fits(const PlanRequest& request, Candidate* smallest) {
  check(request);
  const double room = request.cluster.gpu.memory_bytes;
  bool fits = false;
  double least = 0;
  for_each_layout(request.model, request.work, request.cluster.gpus(), request.fixed,
                  [&](const Parallel& p) {
                    if (fits) return;
                    Memory memory = memory_of(request.model, request.work, p, request.cluster.gpu);
                    const double total = memory.total();
                    if (smallest && (least == 0 || total < least)) {
                      least = total;
                      smallest->parallel = p;
                      smallest->memory = memory;
                    }
                    fits = total <= room;
                  });
  return fits;
}

Index longest_tokens(PlanRequest request) {
  constexpr Index kStep = 1024;
  const auto fits = [&](Index steps) {
    request.work.tokens = steps * kStep;
    return some_layout_fits(request);
  };
  if (!fits(1)) return 0;
  Index low = 1, high = 2;
  while (high <= Index{1} << 23 && fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low * kStep;
}

int fewest_gpus(PlanRequest request, int most) {
  const Cluster whole = request.cluster;
  for (int gpus = 1; gpus <= most; gpus *= 2) {
    try {
      request.cluster = with_gpus(whole, gpus);
    } catch (const InputError&) {
      continue;
    }
    if (some_layout_fits(request)) return gpus;
  }
  return 0;
}

}  // namespace ringlab
