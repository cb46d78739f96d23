// The exercise of lesson 15: go or hold, judged by the program's own gate.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ringlab/lessons/exercise/problems.hpp"
#include "ringlab/sim/gate/gate.hpp"

namespace ringlab::exercise {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Maybe = std::optional<double>;

struct Bounds {
  Maybe at_most, at_least, drift_percent, baseline;
  std::vector<double> measured;
};

std::string text_of(const Bounds& t) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (t.at_most) add("at most " + number_text(*t.at_most));
  if (t.at_least) add("at least " + number_text(*t.at_least));
  if (t.drift_percent) {
    add(fmt::format("drift at most {} % from {}", number_text(*t.drift_percent),
                    t.baseline ? number_text(*t.baseline) : "no baseline"));
  }
  std::string values;
  for (const double value : t.measured) {
    values += (values.empty() ? "" : " and ") + (std::isnan(value) ? "NaN" : number_text(value));
  }
  add(values.empty() ? "not measured" : "measured " + values);
  return text;
}

Case case_of(const std::vector<Bounds>& targets) {
  Case one{"", {static_cast<double>(targets.size())}};
  const auto add = [&](const Maybe& value) {
    one.input.insert(one.input.end(), {value ? 1.0 : 0.0, value.value_or(0)});
  };
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Bounds& t = targets[i];
    one.given += fmt::format("{}target {}: {}", i == 0 ? "" : "; ", i, text_of(t));
    add(t.at_most);
    add(t.at_least);
    add(t.drift_percent);
    add(t.baseline);
    one.input.push_back(static_cast<double>(t.measured.size()));
    one.input.insert(one.input.end(), t.measured.begin(), t.measured.end());
  }
  return one;
}

constexpr int kDrifts = 40;

// Values on both sides of the bounds, on them, zero, missing, and no numbers.
Bounds drawn(Draw& draw, bool with_drift) {
  Bounds t;
  const double bound = draw.integer(0, 9) == 0 ? 0 : static_cast<double>(draw.integer(-4, 20)) / 4;
  const long long kind = draw.integer(0, with_drift ? 3 : 2);
  if (kind == 0 || kind == 2) t.at_most = bound;
  if (kind == 1) t.at_least = bound;
  if (kind == 2) t.at_least = bound - static_cast<double>(draw.integer(1, 8)) / 4;
  for (long long left = draw.integer(0, 9) == 0 ? 0 : draw.integer(1, 3); left > 0; --left) {
    // Mostly met, or few cases would go.
    double value = bound + (kind == 1 ? 1 : -1) * static_cast<double>(draw.integer(-1, 6)) / 16;
    if (draw.integer(0, 24) == 0) value = kNaN;
    t.measured.push_back(value);
  }
  if (with_drift && (kind == 3 || draw.integer(0, 1) == 1)) {
    t.drift_percent = static_cast<double>(draw.integer(0, 4)) * 10;
    if (draw.integer(0, 9) != 0) {
      t.baseline = draw.integer(0, 9) == 0
                       ? 0
                       : bound + (kind == 1 ? 1 : -1) * static_cast<double>(draw.integer(0, 3)) / 8;
    }
  }
  if (kind == 3 && !t.drift_percent) t.at_most = bound;
  return t;
}

std::vector<Case> gate_cases() {
  const auto at_most = [](double bound, std::vector<double> measured) {
    return Bounds{bound, {}, {}, {}, std::move(measured)};
  };
  const auto at_least = [](double bound, std::vector<double> measured) {
    return Bounds{{}, bound, {}, {}, std::move(measured)};
  };
  std::vector<Case> cases = {
      case_of({at_most(2, {2.5})}),
      case_of({at_most(2, {1.9}), at_least(0.9, {0.95})}),
      case_of({at_most(2, {2}), at_least(0.9, {0.9})}),   // on the bound is met
      case_of({at_most(2, {1, 2.5, 1})}),                 // the worst of several
      case_of({at_most(2, {2.5}), at_least(1, {0.7})}),   // 0.25 and 0.3
      case_of({at_most(100, {110}), at_most(1, {1.2})}),  // parts of the bound, not units
      case_of({at_most(2, {1}), at_most(5, {})}),         // not measured
      case_of({at_most(5, {}), at_most(2, {2.1})}),       // a miss goes before
      case_of({at_most(2, {3}), at_most(2, {kNaN})}),     // larger than any number
      case_of({at_most(2, {kNaN, 1})}),
      case_of({at_most(0, {1e-9}), at_most(1, {5})}),    // a bound of 0
      case_of({at_least(-2, {-3}), at_most(-2, {-3})}),  // bounds below 0
      case_of({at_most(1, {2}), at_most(2, {4})}),       // equal: the earlier
      case_of({Bounds{3, 1, {}, {}, {0.5, 2}}}),         // both bounds
      case_of({at_most(1, {}), at_least(1, {})}),
  };
  Draw draw(15);
  for (int i = 0; i < 40 + kDrifts; ++i) {
    std::vector<Bounds> targets;
    for (long long left = draw.integer(1, 4); left > 0; --left) {
      targets.push_back(drawn(draw, i >= 40));
    }
    cases.push_back(case_of(targets));
  }
  return cases;
}

// The gate as `ringlab gate` asks it: targets, a result as JSON, a baseline.
Answer right_gate(const Case& c) {
  Targets targets;
  Baseline baseline;
  std::string result;
  std::size_t at = 1;
  const auto take = [&]() -> Maybe {
    at += 2;
    return c.input[at - 2] != 0 ? Maybe(c.input[at - 1]) : std::nullopt;
  };
  for (int i = 0; i < static_cast<int>(c.input[0]); ++i) {
    Target target;
    const std::string name = fmt::format("m{}", i);
    target.metric = name + "[*]";
    target.at_most = take();
    target.at_least = take();
    target.drift_percent = take();
    if (const Maybe value = take()) baseline.entries.push_back({target.metric, "", *value});
    const auto count = static_cast<std::size_t>(c.input[at++]);
    std::string values;
    for (std::size_t n = 0; n < count; ++n, ++at) {
      const std::string text =
          std::isnan(c.input[at]) ? "null" : fmt::format("{:.17g}", c.input[at]);
      values += (values.empty() ? "" : ", ") + text;
    }
    if (count > 0)
      result += fmt::format("{}\"{}\": [{}]", result.empty() ? "" : ", ", name, values);
    targets.targets.push_back(std::move(target));
  }
  const GateReport report =
      hold_against(targets, {Result::parse("{" + result + "}", "result", "result")}, baseline);
  const double first =
      report.first_gap ? static_cast<double>(report.rows[*report.first_gap].target) : -1;
  return {report.go() ? 1.0 : 0.0, first};
}

std::string decision_text(const Answer& answer) {
  if (answer.size() < 2) return "nothing";
  return answer[0] != 0 ? "go" : "hold, close target " + number_text(answer[1]) + " first";
}

std::optional<Complaint> judge_gate(const Case& c, const Answer& answer) {
  const Answer right = right_gate(c);
  if (answer.size() >= 2 && (answer[0] != 0) == (right[0] != 0) &&
      (right[0] != 0 || answer[1] == right[1])) {
    return std::nullopt;
  }
  return Complaint{"", decision_text(answer), decision_text(right)};
}

std::optional<std::string> second_gate(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kDrifts; i < cases.size(); ++i) {
    if (const auto complaint = judge_gate(cases[i], answers[i])) {
      return fmt::format("{}: {} and not {}", cases[i].given, complaint->right, complaint->found);
    }
  }
  return std::nullopt;
}

}  // namespace

void add_gate_problems(std::vector<Problem>& list) {
  list.push_back({"evidence_gate", "15-running-it-for-real",
                  "Decision decide(const std::vector<Target>& targets)", gate_cases, judge_gate,
                  second_gate, kDrifts});
}

}  // namespace ringlab::exercise
