// Times the rungs of tile attention on one thread and prints their share of the FMA peak.
//
//   attend_bench [tokens] [seconds a case] [v2]
//
// FLOPs count visible pairs: 4 * head_dim a pair forward, 10 * head_dim backward.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "ringlab/reference/attention/attend.hpp"
#include "ringlab/reference/attention/fma_peak.hpp"
#include "ringlab/reference/sequence/layout.hpp"
#include "ringlab/reference/sequence/visible.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

struct Workload {
  const char* name;
  int head_dim;
  Mask mask;
  Positions positions;
};

// The best of as many runs as fit, in processor time: neighbours on the machine only ever add.
double best_seconds(double budget, const auto& prepare, const auto& work) {
  double best = INFINITY;
  for (double spent = 0; spent <= budget;) {
    prepare();
    const std::clock_t start = std::clock();
    work();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

template <class T>
void measure(const Workload& load, AttendKernel kernel, double budget, double peak) {
  AttentionRule rule;
  rule.head_dim = load.head_dim;
  rule.scale = default_scale(load.head_dim);
  rule.mask = load.mask;
  const Index tokens = load.positions.size();
  const auto tensor = [&](std::uint64_t seed) {
    return test::gaussian(seed, tokens, 1, load.head_dim).template cast<T>();
  };
  const Tensor<T> query = tensor(1), output_gradient = tensor(4);
  const KeyValue<T> block = {tensor(2), tensor(3)};
  const QueryTile<T> queries{query, load.positions};
  const KeyValueTile<T> keys{block, load.positions};

  Partial<T> partial;
  const double forward = best_seconds(
      budget, [&] { partial = identity_partial<T>(tokens, 1, load.head_dim); },
      [&] { attend(rule, queries, keys, partial, kernel); });
  const RowStatistics<T> statistics = row_statistics(partial, output_gradient);
  Tensor<T> query_gradient(tokens, 1, load.head_dim);
  KeyValue<T> gradient = {query_gradient, query_gradient};
  const double backward = best_seconds(
      budget, [] {},
      [&] {
        attend_backward(rule, queries, output_gradient, statistics, keys, query_gradient, gradient,
                        kernel);
      });
  const double pairs =
      static_cast<double>(visible_pairs(load.mask, load.positions, load.positions));
  const auto report = [&](const char* direction, double flops_a_pair, double seconds) {
    const double rate = pairs * flops_a_pair * load.head_dim / seconds;
    fmt::print("{:12} {:7} {:14} head_dim {:3} {:8} {:9.2f} ms {:7.1f} GFLOP/s {:5.1f} % of peak\n",
               name(kernel), sizeof(T) == 4 ? "float" : "double", load.name, load.head_dim,
               direction, seconds * 1e3, rate / 1e9, 100 * rate / peak);
  };
  report("forward", 4, forward);
  report("backward", 10, backward);
}

}  // namespace

int main(int count, char** arguments) {
  const Index tokens = count > 1 ? std::atol(arguments[1]) : 8192;
  const double budget = count > 2 ? std::atof(arguments[2]) : 1;
  const bool v2 = count > 3 && std::strcmp(arguments[3], "v2") == 0;
  const double peak = measure_fma_flops_per_second(0.5);
  fmt::print("{} float FMA peak {:.1f} GFLOP/s, {} tokens, 1 head\n", simd_target_name(),
             peak / 1e9, tokens);
  const Positions whole = whole_sequence(tokens);
  const std::vector<Index> lengths(static_cast<std::size_t>(tokens / 256), 256);
  const Positions packed = whole_sequence(tokens / 256 * 256, lengths);
  const Positions striped(std::vector<Run>{{3, 8, tokens, 0}});
  Mask causal, window, packed_causal;
  causal.causal = window.causal = packed_causal.causal = true;
  window.window_left = 511;
  packed_causal.documents = true;
  std::vector<Workload> loads;
  for (const int head_dim : {64, 128}) {
    loads.push_back({"full", head_dim, {}, whole});
    loads.push_back({"causal", head_dim, causal, whole});
  }
  loads.push_back({"causal striped", 128, causal, striped});
  loads.push_back({"window 512", 128, window, whole});
  if (tokens >= 256) loads.push_back({"documents 256", 128, packed_causal, packed});
  loads.push_back({"full", 80, {}, whole});
  for (const Workload& load : loads) {
    if (v2) measure<float>(load, AttendKernel::v2_blockwise, 0, peak);
    measure<float>(load, AttendKernel::v3_fast, budget, peak);
  }
  measure<double>({"full", 128, {}, whole}, AttendKernel::v3_fast, budget, peak / 2);
}
