// Holds results against targets: go, or hold and the one gap to close first.
//
// Every target is judged on its own, so a good figure cannot make up for a bad one. What is not
// measured is not met; a value that is no number is missed by more than any number; of several
// values for one target the worst counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ringlab/sim/gate/baseline.hpp"
#include "ringlab/sim/gate/result.hpp"
#include "ringlab/sim/gate/targets.hpp"

namespace ringlab {

enum class Verdict { met, missed, unmeasured };

const char* name(Verdict verdict);

/// One bound of one target.
struct GateRow {
  std::size_t target = 0;  // index into Targets::targets
  enum Bound { at_most, at_least, equals, drift } bound = at_most;
  Verdict verdict = Verdict::unmeasured;
  std::optional<Figure> measured;       // the worst of all; of a drift, the value that has drifted
  std::optional<double> baseline;       // of a drift
  std::optional<double> drift_percent;  // for the worse is positive; infinite from a baseline of 0
  /// How far on the wrong side, as a part of the bound: 0.35 is 35 % too much; negative is room to
  /// spare; infinite for a value that is no number, a wrong text, and any miss of a bound of 0.
  double relative_miss = 0;
  std::string from;    // label of the result with that value
  int values = 0;      // how many values the worst was taken from
  std::string reason;  // why it is not measured
};

struct GateReport {
  std::vector<GateRow> rows;
  int met = 0, missed = 0, unmeasured = 0;
  /// Row of the largest relative miss; without a miss, of the first that is not measured.
  std::optional<std::size_t> first_gap;
  /// What this run would be as a baseline: numbers of all targets that have one.
  Baseline measured;
  bool go() const { return missed == 0 && unmeasured == 0; }
  /// True if every bound but drift is met: what may become a baseline.
  bool bounds_met() const;
};

GateReport hold_against(const Targets& targets, const std::vector<Result>& results,
                        const std::optional<Baseline>& baseline);

/// "<= 2 s", ">= 0.9", "= true", "drift <= 10 %".
std::string bound_text(const Target& target, GateRow::Bound bound);
/// "1.53", "true", "no number".
std::string figure_text(const Figure& figure);
/// One sentence: what to do first.
std::string gap_text(const Targets& targets, const GateRow& row);

}  // namespace ringlab
