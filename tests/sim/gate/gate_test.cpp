#include "ringlab/sim/gate/gate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Result result(const std::string& label, const std::string& text) {
  return Result::parse(text, label, label + ".json");
}

Targets only(Target target) {
  return {"gate", {std::move(target)}, {}};
}

Target number(const std::string& metric, std::optional<double> at_most,
              std::optional<double> at_least = {}, std::optional<double> drift = {}) {
  Target t;
  t.metric = metric;
  t.at_most = at_most;
  t.at_least = at_least;
  t.drift_percent = drift;
  return t;
}

GateReport held(const Targets& targets, const std::string& text,
                const std::optional<Baseline>& baseline = {}) {
  return hold_against(targets, {result("run", text)}, baseline);
}

TEST_CASE("a bound is met up to the bound itself, and missed by a part of it") {
  struct Case {
    Target target;
    double value;
    Verdict verdict;
    double miss;
  };
  const Case cases[] = {
      {number("x", 2), 2, Verdict::met, 0},
      {number("x", 2), 1, Verdict::met, -0.5},
      {number("x", 2), 3, Verdict::missed, 0.5},
      {number("x", -2), -1, Verdict::missed, 0.5},
      {number("x", 0), 0, Verdict::met, 0},
      {number("x", 0), -1, Verdict::met, -kInfinite},
      {number("x", 0), 1e-300, Verdict::missed, kInfinite},
      {number("x", {}, 2), 2, Verdict::met, 0},
      {number("x", {}, 2), 1, Verdict::missed, 0.5},
      {number("x", {}, 2), 5, Verdict::met, -1.5},
      {number("x", {}, 0), -1, Verdict::missed, kInfinite},
  };
  for (const Case& c : cases) {
    CAPTURE(c.value, bound_text(c.target, c.target.at_most ? GateRow::at_most : GateRow::at_least));
    const GateReport report = held(only(c.target), fmt::format(R"({{"x": {}}})", c.value));
    REQUIRE(report.rows.size() == 1);
    CHECK(report.rows[0].verdict == c.verdict);
    CHECK(report.rows[0].relative_miss == c.miss);
    CHECK(report.go() == (c.verdict == Verdict::met));
    CHECK(report.first_gap.has_value() == !report.go());
  }
}

TEST_CASE("the next number above a bound misses it") {
  for (const double bound : {1e-300, 1e-5, 1.0, 3e20}) {
    const double above = std::nextafter(bound, kInfinite);
    CHECK_FALSE(held(only(number("x", bound)), fmt::format(R"({{"x": {}}})", above)).go());
    CHECK(held(only(number("x", bound)), fmt::format(R"({{"x": {}}})", bound)).go());
    CHECK_FALSE(held(only(number("x", {}, above)), fmt::format(R"({{"x": {}}})", bound)).go());
  }
}

TEST_CASE("what is no number never passes") {
  for (const Target& t :
       {number("x", 1e308), number("x", {}, -1e308), number("x", 1e308, -1e308)}) {
    const GateReport report = held(only(t), R"({"x": null})");
    CHECK(report.missed == static_cast<int>(report.rows.size()));
    CHECK(report.rows[0].relative_miss == kInfinite);
    CHECK(report.measured.entries.empty());
  }
  const Baseline baseline{"", {{"x", "", 1}}};
  const GateReport drift = held(only(number("x", {}, {}, 1e6)), R"({"x": null})", baseline);
  CHECK(drift.missed == 1);
  // Also not among good ones.
  CHECK(held(only(number("x[*]", 5)), R"({"x": [1, null, 2]})").missed == 1);
  CHECK(held(only(number("x.mean", 5)), R"({"x": [1, null, 2]})").missed == 1);
}

TEST_CASE("a wrong kind of value is not a measurement") {
  Target truth;
  truth.metric = "x";
  truth.equals = true;
  Target text = truth;
  text.equals = std::string("ring");
  CHECK(held(only(truth), R"({"x": true})").go());
  CHECK(held(only(truth), R"({"x": false})").missed == 1);
  CHECK(held(only(truth), R"({"x": "true"})").missed == 1);
  CHECK(held(only(truth), R"({"x": 1})").unmeasured == 1);
  CHECK(held(only(truth), R"({"x": null})").unmeasured == 1);
  CHECK(held(only(text), R"({"x": "ring"})").go());
  CHECK(held(only(text), R"({"x": "rings"})").missed == 1);
  CHECK(held(only(number("x", 1)), R"({"x": true})").unmeasured == 1);
  CHECK(held(only(number("x", 1)), R"({"x": "0.5"})").unmeasured == 1);
}

TEST_CASE("not measured is not met") {
  const GateReport report = held(only(number("y", 1)), R"({"x": 0})");
  CHECK(report.unmeasured == 1);
  CHECK_FALSE(report.go());
  CHECK_FALSE(report.bounds_met());
  CHECK_THAT(gap_text(only(number("y", 1)), report.rows[0]), Catch::Contains("there is no 'y'"));
}

TEST_CASE("of several results the worst counts, whichever comes first") {
  const Result good = result("a", R"({"x": 1})"), bad = result("b", R"({"x": 3})"),
               none = result("c", R"({"y": 1})"), broken = result("d", R"({"x": null})");
  const Targets targets = only(number("x", 2));
  for (const auto& results : {std::vector{good, bad}, std::vector{bad, good, none}}) {
    const GateReport report = hold_against(targets, results, {});
    CHECK(report.missed == 1);
    CHECK(report.rows[0].from == "b");
    CHECK(report.rows[0].values == 2);
  }
  CHECK(hold_against(targets, {bad, broken, good}, {}).rows[0].from == "d");
  CHECK(hold_against(targets, {good, none}, {}).go());
  // Of a range the worst may lie on either side.
  const Targets range = only(number("x[*]", 10, 2));
  const GateReport sides = held(range, R"({"x": [1, 5, 11]})");
  REQUIRE(sides.rows.size() == 2);
  CHECK(std::get<double>(*sides.rows[0].measured) == 11);
  CHECK(std::get<double>(*sides.rows[1].measured) == 1);
}

TEST_CASE("results that are named must all have the figure") {
  Target t = number("x", 2);
  const auto judge = [&](const std::string& in) {
    t.in = in;
    return hold_against(only(t),
                        {result("ring-4", R"({"x": 1})"), result("ring-8", R"({"y": 1})"),
                         result("tree", R"({"x": 3})")},
                        {});
  };
  CHECK(judge("ring-4").go());
  CHECK(judge("tree").missed == 1);
  CHECK(judge("ring-8").unmeasured == 1);
  CHECK(judge("ring-*").unmeasured == 1);
  CHECK(judge("ring").unmeasured == 1);
  CHECK(judge("t*").missed == 1);
  CHECK(judge("").missed == 1);
}

TEST_CASE("drift is counted from the baseline in the direction that is worse") {
  const Baseline baseline{"gate", {{"x", "", 100}, {"zero", "", 0}, {"x", "big", 1000}}};
  const auto drift = [&](Target t, double value) {
    return held(only(t), fmt::format(R"({{"x": {0}, "zero": {0}}})", value), baseline).rows.back();
  };
  const Target smaller_is_better = number("x", 1e9, {}, 10), larger = number("x", {}, 0, 10),
               either = number("x", {}, {}, 10);
  CHECK(drift(smaller_is_better, 110).verdict == Verdict::met);
  CHECK(drift(smaller_is_better, 111).verdict == Verdict::missed);
  CHECK(*drift(smaller_is_better, 111).drift_percent == Approx(11));
  CHECK(drift(smaller_is_better, 111).relative_miss == Approx(0.1));
  CHECK(drift(smaller_is_better, 1).verdict == Verdict::met);
  CHECK(drift(larger, 90).verdict == Verdict::met);
  CHECK(drift(larger, 89).verdict == Verdict::missed);
  CHECK(drift(larger, 1000).verdict == Verdict::met);
  CHECK(drift(either, 89).verdict == Verdict::missed);
  CHECK(drift(either, 111).verdict == Verdict::missed);
  CHECK(drift(either, 95).verdict == Verdict::met);
  // From nothing: only nothing has not drifted.
  CHECK(drift(number("zero", 1e9, {}, 1e6), 0).verdict == Verdict::met);
  CHECK(drift(number("zero", 1e9, {}, 1e6), 1e-9).verdict == Verdict::missed);
  // No baseline, or none of this metric or label.
  CHECK(held(only(either), R"({"x": 100})").unmeasured == 1);
  CHECK(held(only(number("y", {}, {}, 10)), R"({"y": 1})", baseline).unmeasured == 1);
  Target named = either;
  named.in = "run";
  CHECK(held(only(named), R"({"x": 100})", baseline).unmeasured == 1);
}

TEST_CASE("the gap to close first is the largest; without one, what is not measured") {
  Targets targets{
      "gate", {number("nothing", 1), number("a", 10), number("b", 1), number("c", 5)}, {}};
  GateReport report = held(targets, R"({"a": 30, "b": 4, "c": 5})");
  CHECK((report.met == 1 && report.missed == 2 && report.unmeasured == 1));
  CHECK(report.rows[*report.first_gap].target == 2);  // 300 % before 200 %
  CHECK(gap_text(targets, report.rows[*report.first_gap]) ==
        "b is 4 in run, wanted <= 1: 300 % too much");
  report = held(targets, R"({"a": 1, "b": 1, "c": 5})");
  CHECK(report.rows[*report.first_gap].target == 0);
  report = held(targets, R"({"a": 1, "b": null, "c": 500})");
  CHECK(report.rows[*report.first_gap].target == 2);
  // A figure that is excellent does not outweigh one that is just missed.
  CHECK_FALSE(held({"", {number("a", 10), number("b", 1)}, {}}, R"({"a": 1e-9, "b": 1.001})").go());
}

// Judged again by comparison alone, without relative figures.
TEST_CASE("go exactly when every comparison holds") {
  std::mt19937 random(7);
  const auto draw = [&] { return static_cast<int>(random() % 7) - 3; };
  int going = 0;
  for (int round = 0; round < 3000; ++round) {
    Targets targets;
    std::string text = "{";
    bool all = true;
    const int count = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < count; ++i) {
      const int bound = draw();
      const bool upper = random() % 2 == 0;
      targets.targets.push_back(upper ? number(fmt::format("m{}[*]", i), bound)
                                      : number(fmt::format("m{}[*]", i), {}, bound));
      text += fmt::format("{}\"m{}\": [", i ? "," : "", i);
      const int values = 1 + static_cast<int>(random() % 2);
      for (int v = 0; v < values; ++v) {
        const int value = draw();
        all = all && (upper ? value <= bound : value >= bound);
        text += fmt::format("{}{}", v ? "," : "", value);
      }
      text += "]";
    }
    CAPTURE(text);
    const GateReport report = held(targets, text + "}");
    CHECK(report.go() == all);
    going += all;
  }
  CHECK((going > 300 && going < 2700));
}

TEST_CASE("a baseline is read back to the last bit, and holds the worst of each target") {
  const Targets targets{
      "gate", {number("x[*]", 10, {}, 5), number("y", {}, 1), number("z", {}, {}, 3)}, {}};
  const GateReport report =
      held(targets, R"({"x": [1, 0.1, 3.0000000000000004], "y": 0.3, "z": 7})");
  const Baseline& baseline = report.measured;
  CHECK(baseline.entries == std::vector<Baseline::Entry>{
                                {"x[*]", "", 3.0000000000000004}, {"y", "", 0.3}, {"z", "", 7}});
  CHECK(parse_baseline(to_json(baseline), "b.json") == baseline);
  for (
      const char* text :
      {"{}", "[]", R"({"ringlab_baseline": 2, "name": "", "metrics": []})",
       R"({"ringlab_baseline": 1, "metrics": []})",
       R"({"ringlab_baseline": 1, "name": "", "metrics": {}})",
       R"({"ringlab_baseline": 1, "name": "", "metrics": [{"metric": "x", "in": ""}]})",
       R"({"ringlab_baseline": 1, "name": "", "metrics": [{"metric": "x", "in": "", "value": null}]})",
       R"({"ringlab_baseline": 1, "name": "", "metrics": [3]})",
       R"({"ringlab_baseline": 1, "name": "", "metrics": [{"metric": "x", "in": "", "value": 1},
            {"metric": "x", "in": "", "value": 2}]})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_baseline(text, "b.json"), InputError);
  }
}

}  // namespace
