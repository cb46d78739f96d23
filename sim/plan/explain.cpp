#include "ringlab/sim/plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

Binding binding_of(const StepTime& step) {
  const Shares& s = step.shares;
  const std::vector<Binding> all = {
      {"compute", s.matrix + s.attention},
      {"memory traffic", s.memory},
      {"links", s.tensor + s.context + s.expert + s.weights},
      {"pipeline bubble", s.pipeline},
      {"host link", s.host},
  };
  Binding most = *std::max_element(all.begin(), all.end(),
                                   [](const auto& a, const auto& b) { return a.share < b.share; });
  most.share /= step.total;
  return most;
}

std::vector<Alternative> alternatives(const PlanResult& result) {
  std::vector<Alternative> list;
  const Candidate& best = result.best.front();
  const auto add = [&](const std::string& how, auto&& differs) {
    for (const Candidate& c : result.best) {
      if (!differs(c.parallel)) continue;
      const Shares::Part* grown = nullptr;
      double most = 0;
      for (const Shares::Part& part : Shares::parts()) {
        const double more = c.step.shares.*part.seconds - best.step.shares.*part.seconds;
        if (more > most) {
          most = more;
          grown = &part;
        }
      }
      list.push_back({how, c.parallel, c.step.total, grown ? grown->name : ""});
      return;
    }
  };
  const Parallel& b = best.parallel;
  if (b.context > 1) {
    add("without a context axis", [](const Parallel& p) { return p.context == 1; });
    add("another family", [&](const Parallel& p) {
      return p.context == b.context && p.tensor == b.tensor && p.family != b.family;
    });
  } else {
    add("with a context axis", [](const Parallel& p) { return p.context > 1; });
  }
  add("another tensor degree", [&](const Parallel& p) { return p.tensor != b.tensor; });
  if (b.pipeline > 1) {
    add("without a pipeline", [](const Parallel& p) { return p.pipeline == 1; });
  } else {
    add("with a pipeline", [](const Parallel& p) { return p.pipeline > 1; });
  }
  return list;
}

std::vector<OtherHardware> next_hardware(const PlanRequest& request) {
  static const std::vector<std::string> order = {"a100-40", "a100", "h100", "h200", "b200"};
  std::vector<OtherHardware> list;
  const Cluster& cluster = request.cluster;
  const auto here = std::find(order.begin(), order.end(), cluster.gpu.name);
  if (here == order.end() || cluster.levels.size() > 2) return list;
  for (auto next = here + 1; next != order.end(); ++next) {
    PlanRequest other = request;
    other.calibration.reset();  // it was measured on this part
    const int node = cluster.levels[0].size;
    other.cluster = load_cluster(cluster.gpus() == node
                                     ? fmt::format("{}x{}", node, *next)
                                     : fmt::format("{}x{}x{}", cluster.gpus() / node, node, *next));
    const PlanResult result = search(other);
    OtherHardware one{*next, !result.best.empty(), {}, 0};
    if (one.fits) {
      one.parallel = result.best.front().parallel;
      one.seconds = result.best.front().step.total;
    }
    list.push_back(one);
  }
  return list;
}

std::optional<double> ring_over_ulysses(const PlanRequest& request, const Parallel& p) {
  if (p.context < 2 || request.work.purpose == Purpose::decode) return {};
  if (request.model.heads / p.tensor % p.context != 0) return {};
  const Machine machine(
      p.gpus() == request.cluster.gpus() ? request.cluster : with_gpus(request.cluster, p.gpus()),
      request.calibration);
  AttentionProblem problem = attention_problem(request.model, request.work, p, false);
  problem.window = 0;
  return break_even_tokens(machine, problem, Family::ring, Family::ulysses);
}

}  // namespace ringlab
