#include "cli/run_metrics.hpp"

#include "ringlab/reference/scenario/mask_text.hpp"
#include "ringlab/sim/report/trace_metrics.hpp"

namespace ringlab::cli {

std::string run_metrics(const RunFigures& run) {
  using enum MetricType;
  const Scenario& s = run.session.scenario;
  std::vector<MetricFamily> families;
  families.push_back({"ringlab_run",
                      info,
                      "",
                      "What ran.",
                      {{{{"schedule", s.schedule},
                         {"layout", name(s.layout)},
                         {"mask", to_text(s.mask)},
                         {"dtype", name(s.dtype)},
                         {"direction", s.backward ? "backward" : "forward"},
                         {"transport", run.where}},
                        1}}});
  const auto count = [&](const char* name, const char* help, double value) {
    families.push_back({name, gauge, "", help, {{{}, value}}});
  };
  count("ringlab_run_ranks", "Ranks that share the sequence.", s.ranks);
  count("ringlab_run_tokens", "Length of the sequence.", static_cast<double>(s.tokens));

  for (MetricFamily& family : trace_metrics("ringlab_run", run.trace)) {
    families.push_back(std::move(family));
  }
  MetricFamily memory{"ringlab_run_peak_kv_bytes",
                      gauge,
                      "bytes",
                      "Most bytes of keys and values that a rank held.",
                      {}};
  for (std::size_t rank = 0; rank < run.counts.size(); ++rank) {
    memory.samples.push_back({{{"rank", std::to_string(rank)}},
                              static_cast<double>(run.counts[rank].peak_key_value_bytes)});
  }
  families.push_back(memory);

  MetricFamily error{"ringlab_run_max_abs_error",
                     gauge,
                     "",
                     "Largest difference from full attention in float64.",
                     {}};
  MetricFamily relative{"ringlab_run_rel_frobenius_error_ratio",
                        gauge,
                        "ratio",
                        "Norm of the difference from full attention in float64, over its norm.",
                        {}};
  const auto add = [&](const char* tensor, const Difference& d) {
    error.samples.push_back({{{"tensor", tensor}}, d.max_abs_error});
    relative.samples.push_back({{{"tensor", tensor}}, d.rel_frobenius_error});
  };
  if (run.verification.verified != "none") {
    add("out", run.verification.out);
    if (run.verification.query_gradient) {
      add("dq", *run.verification.query_gradient);
      add("dk", *run.verification.key_gradient);
      add("dv", *run.verification.value_gradient);
    }
    families.push_back(error);
    families.push_back(relative);
    families.push_back({"ringlab_run_tolerance_ratio",
                        gauge,
                        "ratio",
                        "Largest relative error that is called equal.",
                        {{{}, run.tolerance}}});
    count("ringlab_run_exact", "1 if the result equals full attention within the tolerance.",
          run.exact ? 1 : 0);
  }
  return open_metrics_text(families);
}

}  // namespace ringlab::cli
