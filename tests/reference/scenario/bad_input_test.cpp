// Wrong calls: each must be refused by an error that names the field, the value and the remedy.
// The documents stand in tests/data/bad_scenarios.json, so that the command line can be held to the
// same list.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/scenario/layout_file.hpp"
#include "ringlab/reference/scenario/scenario.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

std::string document_of(const detail::Json& item) {
  if (item.contains("document")) return item["document"];
  const std::string hex = item["document_hex"];
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return out;
}

void expect_refusal(const std::string& what, const std::string& field, const std::string& says,
                    const std::function<void()>& call) {
  CAPTURE(what);
  try {
    call();
    FAIL_CHECK("accepted");
  } catch (const InputError& error) {
    CAPTURE(error.what());
    CHECK(error.field() == field);
    CHECK_FALSE(error.value().empty());
    CHECK_FALSE(error.remedy().empty());
    CHECK(std::string(error.what()).find(says) != std::string::npos);
  }
}

TEST_CASE("wrong documents are refused by the field that is wrong") {
  const std::string path = RINGLAB_TEST_DATA "/bad_scenarios.json";
  const detail::Json list = detail::parse_json(read_file(path, "list", 1 << 20), path);
  REQUIRE(list.size() >= 60);
  for (const detail::Json& item : list) {
    expect_refusal(item["name"], item["field"], item.value("says", ""),
                   [&] { parse_scenario(document_of(item), "scenario.json"); });
  }
}

TEST_CASE("wrong command-line values are refused by the field that is wrong") {
  const std::vector<std::vector<std::string>> list = {
      {"head", "4", "head"},
      {"tokens", "", "tokens"},
      {"tokens", "4k", "tokens"},
      {"tokens", "4.5", "tokens"},
      {"tokens", " 4", "tokens"},
      {"tokens", "0x10", "tokens"},
      {"tokens", "1e30", "tokens"},
      {"ranks", "-4", "ranks"},
      {"ranks", "nan", "ranks"},
      {"tokens", "null", "tokens"},
      {"scale", "nan", "scale"},
      {"scale", "inf", "scale"},
      {"scale", "-inf", "scale"},
      {"scale", "0", "scale"},
      {"scale", "1e999", "scale"},
      {"soft-cap", "inf", "soft_cap"},
      {"sinks", "1,,2", "sinks"},
      {"sinks", "1,nan", "sinks"},
      {"documents", "5+", "documents"},
      {"documents", "5+0", "documents"},
      {"documents", "[5]", "documents"},
      {"backward", "yes", "backward"},
      {"mask", "window=:", "mask"},
      {"mask", "causal+window=1:2:3", "mask"},
      {"input", "\xff", "input"},
      {"schedule", "Ring", "schedule"},
      {"hardware", std::string(5000, 'x'), "hardware"}};
  for (const auto& item : list) {
    expect_refusal(fmt::format("{} {:.20}", item[0], item[1]), item[2], "", [&] {
      Scenario scenario;
      set_field(scenario, item[0], item[1]);
    });
  }
}

TEST_CASE("scenarios that a program filled wrongly are refused, and not written") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<const char*, std::function<void(Scenario&)>>> list = {
      {"scale", [&](Scenario& s) { s.scale = nan; }},
      {"scale", [&](Scenario& s) { s.scale = infinity; }},
      {"scale", [&](Scenario& s) { s.scale = 0.0; }},
      {"soft_cap", [&](Scenario& s) { s.soft_cap = nan; }},
      {"rotary_base", [&](Scenario& s) { s.rotary_base = nan; }},
      {"dropout", [&](Scenario& s) { s.dropout = nan; }},
      {"sinks", [&](Scenario& s) { s.sinks.assign(8, infinity); }},
      {"tokens", [&](Scenario& s) { s.tokens = -5; }},
      {"seed", [&](Scenario& s) { s.seed = ~std::uint64_t{0}; }},
      {"input", [&](Scenario& s) { s.input = "\xc3"; }},
      {"mask", [&](Scenario& s) { s.mask.documents = true; }},
  };
  for (const auto& [field, spoil] : list) {
    Scenario scenario;
    spoil(scenario);
    expect_refusal(field, field, "", [&] { check(scenario); });
    expect_refusal(field, field, "", [&] { to_json(scenario); });
  }
}

TEST_CASE("wrong layout files are refused, naming the token") {
  const std::vector<std::pair<const char*, const char*>> list = {
      {"[]", "l.json"},
      {"{}", "l.json"},
      {R"({"owners": [0, 0, 1, 1], "shards": []})", "l.json"},
      {R"({"owner": [0, 0, 1, 1]})", "l.json"},
      {R"({"owners": 4})", "owners"},
      {R"({"owners": [0, 0, 1]})", "3 owners"},
      {R"({"owners": [0, 0, 1, 2]})", "owner of token 3"},
      {R"({"owners": [0, -1, 1, 1]})", "owner of token 1"},
      {R"({"owners": [0, 0.5, 1, 1]})", "owner of token 1"},
      {R"({"owners": [0, "0", 1, 1]})", "owner of token 1"},
      {R"({"shards": {}})", "shards"},
      {R"({"shards": [[]]})", "1 shards"},
      {R"({"shards": [1, 2]})", "shard 0"},
      {R"({"shards": [[7], []]})", "shard 0 run 0"},
      {R"({"shards": [[{"first": 0, "count": 4}], [{"first": 2, "count": 1}]]})", "token 2"},
      {R"({"shards": [[{"first": 0, "count": 2}], [{"first": 3, "count": 1}]]})", "token 2"},
      {R"({"shards": [[{"first": 0, "count": 5}], []]})", "count"},
      {R"({"shards": [[{"first": 1, "count": 4}], []]})", "last token 4"},
      {R"({"shards": [[{"first": 0, "stride": 0, "count": 4}], []]})", "stride"},
      {R"({"shards": [[{"first": 3, "stride": -1, "count": 4}], []]})", "stride"},
      {R"({"shards": [[{"first": -1, "count": 4}], []]})", "first"},
      {R"({"shards": [[{"first": 0, "count": 4, "step": 1}], []]})", "step"},
      {R"({"shards": [[{"count": 4}], []]})", "shard 0 run 0"},
      {R"({"owners": [0, 0, 1, 1})", "l.json: line 1"},
  };
  for (const auto& [text, says] : list) {
    expect_refusal(text, "layout_file", says,
                   [&] { parse_layout(text, "l.json", whole_sequence(4), 2); });
  }
  expect_refusal("missing", "layout_file", "no/such.json", [] {
    Scenario s;
    s.layout = LayoutKind::custom;
    s.layout_file = "no/such.json";
    layout_of(s);
  });
  expect_refusal("missing", "scenario", "no/such.json", [] { load_scenario("no/such.json"); });
}

}  // namespace
