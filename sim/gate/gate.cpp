#include "ringlab/sim/gate/gate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace ringlab {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Counts in full, the rest to six digits.
std::string number_text(double value) {
  const bool count = std::abs(value) < 1e12 && value == std::floor(value);
  return count ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

// "ring-*" takes every label that starts so.
bool label_matches(const std::string& pattern, const std::string& label) {
  if (pattern.ends_with('*')) return label.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == label;
}

// How far above the bound, as a part of it. NaN is further than any number.
double excess(double value, double bound) {
  if (std::isnan(value)) return kInfinite;
  if (value == bound) return 0;
  if (bound == 0) return value > 0 ? kInfinite : -kInfinite;
  return (value - bound) / std::abs(bound);
}

double miss_of(const Target& t, GateRow::Bound bound, const Figure& figure) {
  if (bound == GateRow::equals) {
    const bool same = std::holds_alternative<bool>(*t.equals)
                          ? figure == Figure(std::get<bool>(*t.equals))
                          : figure == Figure(std::get<std::string>(*t.equals));
    return same ? -kInfinite : kInfinite;
  }
  const double value = std::get<double>(figure);
  return bound == GateRow::at_most ? excess(value, *t.at_most) : excess(-value, -*t.at_least);
}

struct Drift {
  double percent, miss;
};

// A change for the worse is positive. Without one bound to say what worse is, any change is.
Drift drift_of(const Target& t, double value, double baseline) {
  if (std::isnan(value)) return {kInfinite, kInfinite};
  double change = value - baseline;
  if (t.at_least && !t.at_most) change = -change;
  if (t.at_most.has_value() == t.at_least.has_value()) change = std::abs(change);
  double percent = 0;
  if (change != 0) {
    percent = baseline == 0 ? std::copysign(kInfinite, change) : 100 * change / std::abs(baseline);
  }
  return {percent, excess(percent, *t.drift_percent)};
}

// All values of a target, from the results that should have it.
struct Evidence {
  struct Value {
    Figure figure;
    std::string from;
  };
  std::vector<Value> values;
  std::string reason;  // why it is not measured
};

Evidence gather(const Target& t, const std::vector<Result>& results) {
  Evidence out;
  const MetricPath path = MetricPath::parse(t.metric, "metric");
  std::string why_none;
  int asked = 0;
  for (const Result& result : results) {
    if (!t.in.empty() && !label_matches(t.in, result.label())) continue;
    ++asked;
    const Finding finding = result.find(path);
    for (const Figure& figure : finding.figures) out.values.push_back({figure, result.label()});
    if (finding.figures.empty() && why_none.empty()) {
      why_none = fmt::format("{}: {}", result.label(), finding.why_none);
    }
  }
  if (asked == 0) {
    out.reason =
        t.in.empty() ? "no result was given" : fmt::format("no result is called '{}'", t.in);
  } else if (!why_none.empty() && (out.values.empty() || !t.in.empty())) {
    // Named results have to carry the figure, every one of them.
    out.reason = why_none;
  }
  const bool wants_number = !t.equals;
  for (const Evidence::Value& value : out.values) {
    if (std::holds_alternative<double>(value.figure) != wants_number && out.reason.empty()) {
      out.reason = fmt::format("{}: {} is {}", value.from, figure_text(value.figure),
                               wants_number ? "not a number" : "neither true, false nor text");
    }
  }
  if (!out.reason.empty()) out.values.clear();
  return out;
}

GateRow judge_bound(const Target& t, GateRow::Bound bound, const Evidence& evidence) {
  GateRow row;
  row.bound = bound;
  row.reason = evidence.reason;
  row.values = static_cast<int>(evidence.values.size());
  row.relative_miss = -kInfinite;
  for (const Evidence::Value& value : evidence.values) {
    const double miss = miss_of(t, bound, value.figure);
    if (row.measured && miss <= row.relative_miss) continue;
    row.measured = value.figure;
    row.from = value.from;
    row.relative_miss = miss;
  }
  if (!row.measured) row.relative_miss = 0;
  row.verdict = !row.measured            ? Verdict::unmeasured
                : row.relative_miss <= 0 ? Verdict::met
                                         : Verdict::missed;
  return row;
}

GateRow judge_drift(const Target& t, const Evidence& evidence,
                    const std::optional<Baseline>& baseline) {
  GateRow row;
  row.bound = GateRow::drift;
  row.reason = evidence.reason;
  if (!row.reason.empty()) return row;
  if (!baseline) {
    row.reason = "no baseline was given (--baseline)";
    return row;
  }
  row.baseline = baseline->find(t.metric, t.in);
  if (!row.baseline) {
    row.reason = "the baseline does not have it";
    return row;
  }
  row.values = static_cast<int>(evidence.values.size());
  for (const Evidence::Value& value : evidence.values) {
    const Drift drift = drift_of(t, std::get<double>(value.figure), *row.baseline);
    if (row.measured && drift.miss <= row.relative_miss) continue;
    row.measured = value.figure;
    row.from = value.from;
    row.drift_percent = drift.percent;
    row.relative_miss = drift.miss;
  }
  row.verdict = row.relative_miss <= 0 ? Verdict::met : Verdict::missed;
  return row;
}

// What goes into a baseline: the value that comes closest to missing, or misses most.
void remember(Baseline& baseline, const Target& t, const Evidence& evidence,
              const std::vector<GateRow>& rows) {
  if (t.equals || evidence.values.empty()) return;
  Figure figure = evidence.values.front().figure;
  if (!rows.empty()) figure = rows.front().measured.value_or(figure);
  const double value = std::get<double>(figure);
  if (std::isfinite(value)) baseline.entries.push_back({t.metric, t.in, value});
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::met:
      return "met";
    case Verdict::missed:
      return "missed";
    case Verdict::unmeasured:
      return "unmeasured";
  }
  return "?";
}

bool GateReport::bounds_met() const {
  for (const GateRow& row : rows) {
    if (row.bound != GateRow::drift && row.verdict != Verdict::met) return false;
  }
  return true;
}

GateReport hold_against(const Targets& targets, const std::vector<Result>& results,
                        const std::optional<Baseline>& baseline) {
  GateReport report;
  report.measured.name = targets.name;
  for (std::size_t i = 0; i < targets.targets.size(); ++i) {
    const Target& t = targets.targets[i];
    const Evidence evidence = gather(t, results);
    std::vector<GateRow> rows;
    if (t.at_most) rows.push_back(judge_bound(t, GateRow::at_most, evidence));
    if (t.at_least) rows.push_back(judge_bound(t, GateRow::at_least, evidence));
    if (t.equals) rows.push_back(judge_bound(t, GateRow::equals, evidence));
    remember(report.measured, t, evidence, rows);
    if (t.drift_percent) rows.push_back(judge_drift(t, evidence, baseline));
    for (GateRow& row : rows) {
      row.target = i;
      report.rows.push_back(std::move(row));
    }
  }
  std::optional<std::size_t> unmeasured;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const GateRow& row = report.rows[i];
    switch (row.verdict) {
      case Verdict::met:
        ++report.met;
        break;
      case Verdict::missed:
        ++report.missed;
        if (!report.first_gap || row.relative_miss > report.rows[*report.first_gap].relative_miss) {
          report.first_gap = i;
        }
        break;
      case Verdict::unmeasured:
        ++report.unmeasured;
        if (!unmeasured) unmeasured = i;
        break;
    }
  }
  if (!report.first_gap) report.first_gap = unmeasured;
  return report;
}

std::string figure_text(const Figure& figure) {
  if (const bool* truth = std::get_if<bool>(&figure)) return *truth ? "true" : "false";
  if (const double* number = std::get_if<double>(&figure)) {
    return std::isnan(*number) ? "no number" : number_text(*number);
  }
  return fmt::format("'{}'", std::get<std::string>(figure));
}

std::string bound_text(const Target& t, GateRow::Bound bound) {
  const std::string unit = t.unit.empty() ? "" : " " + t.unit;
  switch (bound) {
    case GateRow::at_most:
      return fmt::format("<= {}{}", number_text(*t.at_most), unit);
    case GateRow::at_least:
      return fmt::format(">= {}{}", number_text(*t.at_least), unit);
    case GateRow::equals:
      return std::holds_alternative<bool>(*t.equals)
                 ? fmt::format("= {}", std::get<bool>(*t.equals))
                 : fmt::format("= '{}'", std::get<std::string>(*t.equals));
    case GateRow::drift: {
      const bool either = t.at_most.has_value() == t.at_least.has_value();
      return fmt::format("drift <= {} %{}", number_text(*t.drift_percent),
                         either ? " either way" : "");
    }
  }
  return "";
}

std::string gap_text(const Targets& targets, const GateRow& row) {
  const Target& t = targets.targets[row.target];
  if (row.verdict == Verdict::unmeasured) {
    return fmt::format("measure {}: {}", t.metric, row.reason);
  }
  const std::string unit = t.unit.empty() ? "" : " " + t.unit;
  if (row.bound == GateRow::drift) {
    const std::string drifted =
        std::isinf(*row.drift_percent)
            ? fmt::format("from {}", number_text(*row.baseline))
            : fmt::format("{:+.3g} % from {}", *row.drift_percent, number_text(*row.baseline));
    return fmt::format("{} has drifted to {}{}, {}; allowed are {} %", t.metric,
                       figure_text(*row.measured), unit, drifted, number_text(*t.drift_percent));
  }
  std::string text =
      fmt::format("{} is {}{} in {}, wanted {}", t.metric, figure_text(*row.measured), unit,
                  row.from, bound_text(t, row.bound));
  if (std::isfinite(row.relative_miss)) {
    text += fmt::format(": {:.3g} % {}", 100 * row.relative_miss,
                        row.bound == GateRow::at_most ? "too much" : "too little");
  }
  return text;
}

}  // namespace ringlab
