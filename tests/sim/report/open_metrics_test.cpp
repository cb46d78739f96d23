// The writer against a parser written from the specification (OpenMetrics 1.0, "ABNF" and "Text
// format"), strict in all that the writer can get wrong.
#include "ringlab/sim/report/open_metrics.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/report/trace_metrics.hpp"
#include "tests/catch.hpp"
#include "tests/sim/report/open_metrics_parser.hpp"

namespace {

using namespace ringlab;
using open_metrics::parse;
using open_metrics::Parsed;

TEST_CASE("families are written with their metadata, and the text ends") {
  const std::string text = open_metrics_text(
      {{"ringlab_run_seconds", MetricType::gauge, "seconds", "How long.", {{{}, 1.5}}},
       {"ringlab_events",
        MetricType::counter,
        "",
        "",
        {{{{"rank", "0"}}, 3}, {{{"rank", "1"}}, 4}}},
       {"ringlab_run", MetricType::info, "", "What ran.", {{{{"schedule", "ring"}}, 1}}}});
  CHECK(text ==
        "# TYPE ringlab_run_seconds gauge\n"
        "# UNIT ringlab_run_seconds seconds\n"
        "# HELP ringlab_run_seconds How long.\n"
        "ringlab_run_seconds 1.5\n"
        "# TYPE ringlab_events counter\n"
        "ringlab_events_total{rank=\"0\"} 3\n"
        "ringlab_events_total{rank=\"1\"} 4\n"
        "# TYPE ringlab_run info\n"
        "# HELP ringlab_run What ran.\n"
        "ringlab_run_info{schedule=\"ring\"} 1\n"
        "# EOF\n");
  CHECK(open_metrics_text({}) == "# EOF\n");
}

TEST_CASE("labels, help and values come back through the grammar") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string ugly = "a\"b\\c\nd,e}f{g=h # \xc3\xa4";
  const std::string text = open_metrics_text({{"x_ratio",
                                               MetricType::gauge,
                                               "ratio",
                                               ugly,
                                               {{{{"name", ugly}, {"b", ""}}, 0.1},
                                                {{}, infinity},
                                                {{{"c", "1"}}, -infinity},
                                                {{{"c", "2"}}, std::nan("")},
                                                {{{"c", "3"}}, 1e-300},
                                                {{{"c", "4"}}, 12345678901234567.0},
                                                {{{"c", "5"}}, -0.0}}}});
  const Parsed parsed = parse(text);
  REQUIRE(parsed.families.size() == 1);
  CHECK(parsed.families[0].help == ugly);
  const auto& samples = parsed.families[0].samples;
  REQUIRE(samples.size() == 7);
  CHECK(samples[0].labels == std::map<std::string, std::string>{{"name", ugly}, {"b", ""}});
  CHECK(samples[0].value == 0.1);
  CHECK(samples[1].value == infinity);
  CHECK(samples[2].value == -infinity);
  CHECK(std::isnan(samples[3].value));
  CHECK(samples[4].value == 1e-300);
  CHECK(samples[5].value == 12345678901234567.0);
}

TEST_CASE("what the format forbids is not written") {
  const auto family = [](const std::string& name, MetricType type, const std::string& unit,
                         std::vector<MetricSample> samples) {
    return std::vector<MetricFamily>{{name, type, unit, "", std::move(samples)}};
  };
  using enum MetricType;
  for (const auto& bad :
       {family("1x", gauge, "", {}), family("", gauge, "", {}), family("x-y", gauge, "", {}),
        family("x_total", counter, "", {}), family("x_info", info, "", {}),
        family("x_sum", gauge, "", {}), family("x", gauge, "seconds", {}),
        family("x_seconds", info, "seconds", {}), family("x", gauge, "", {{{{"a b", ""}}, 1}}),
        family("x", gauge, "", {{{{"a:b", ""}}, 1}}), family("x", gauge, "", {{{{"__a", ""}}, 1}}),
        family("x", gauge, "", {{{{"a", ""}, {"a", ""}}, 1}}),
        family("x", gauge, "", {{{{"a", "1"}}, 1}, {{{"a", "1"}}, 2}}),
        family("x", counter, "", {{{}, -1}}), family("x", counter, "", {{{}, std::nan("")}}),
        family("x", info, "", {{{}, 2}})}) {
    CAPTURE(bad[0].name);
    CHECK_THROWS_AS(open_metrics_text(bad), InvariantError);
  }
  CHECK_THROWS_AS(open_metrics_text({{"x", gauge, "", "", {}}, {"x", gauge, "", "", {}}}),
                  InvariantError);
}

TEST_CASE("the parser of this test refuses what it should") {
  for (const char* text :
       {"", "# EOF", "x 1\n", "# EOF\nx 1\n", "# TYPE x gauge\nx 1\n",
        "# TYPE x gauge\nx  1\n# EOF\n", "# TYPE x gauge\n# TYPE x gauge\n# EOF\n",
        "# TYPE x counter\nx 1\n# EOF\n", "# TYPE x gauge\n# UNIT x seconds\nx 1\n# EOF\n",
        "# TYPE x gauge\nx{a=\"1} 1\n# EOF\n",
        "# TYPE x gauge\nx{a=\"1\"} 1\nx{a=\"1\"} 2\n# EOF\n", "# TYPE x gauge\ny 1\n# EOF\n",
        "# TYPE x gauge\nx 1\n# HELP x late\n# EOF\n", "# TYPE x gauge\nx one\n# EOF\n"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse(text), std::runtime_error);
  }
}

TEST_CASE("a trace's metrics are its sums") {
  Trace trace;
  trace.events = {{0, Lane::compute, "attend", 0, 100, 0, 0, 7e6},
                  {0, Lane::send, "kv0", 50, 150, 0, 4096, 0},
                  {1, Lane::receive, "kv0", 50, 150, 0, 4096, 0},
                  {1, Lane::compute, "attend", 150, 250, 1, 0, 5e6}};
  const Parsed parsed = parse(open_metrics_text(trace_metrics("ringlab_run", trace)));
  const auto value = [&](const std::string& name, std::map<std::string, std::string> labels) {
    for (const auto& family : parsed.families) {
      for (const auto& sample : family.samples) {
        if (sample.name == name && sample.labels == labels) return sample.value;
      }
    }
    throw std::runtime_error("no sample " + name);
  };
  CHECK(value("ringlab_run_duration_seconds", {}) == Approx(250e-9));
  CHECK(value("ringlab_run_lane_busy_seconds", {{"rank", "0"}, {"lane", "send"}}) ==
        Approx(100e-9));
  CHECK(value("ringlab_run_transfer_hidden_seconds", {{"rank", "0"}}) == Approx(50e-9));
  CHECK(value("ringlab_run_transfer_exposed_seconds", {{"rank", "1"}}) == Approx(100e-9));
  CHECK(value("ringlab_run_transfer_hidden_ratio", {}) == Approx(0.25));
  CHECK(value("ringlab_run_sent_bytes", {{"rank", "0"}}) == 4096);
  CHECK(value("ringlab_run_sent_bytes", {{"rank", "1"}}) == 0);
  CHECK(value("ringlab_run_flops", {{"rank", "1"}}) == 5e6);
  // Nothing measured is not 0 seconds.
  for (const auto& family : parse(open_metrics_text(trace_metrics("x", {}))).families) {
    CHECK(family.samples.empty());
  }
}

}  // namespace
