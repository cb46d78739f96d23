#include "ringlab/reference/scenario/scenario.hpp"

#include <unistd.h>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/scenario/mask_text.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
namespace fs = std::filesystem;

Scenario everything() {
  Scenario s;
  s.tokens = 16;
  s.heads = 12;
  s.kv_heads = 3;
  s.head_dim = 6;
  s.ranks = 5;
  s.layout = LayoutKind::custom;
  s.layout_file = "a \"layout\" \xc3\xa9.json";
  s.mask = mask_from("causal+window=7:*+prefix=2");
  s.documents = {5, 7, 4};
  s.query_tokens = 3;
  s.schedule = "ulysses";
  s.rotation = Rotation::previous;
  s.degree = "U=2,R=4";
  s.dtype = ElementType::float64;
  s.scale = 0.1;
  s.soft_cap = 1.0 / 3;
  s.sinks.assign(12, -0.7);
  s.alibi = true;
  s.rotary_base = 1e4;
  s.dropout = 0.1;
  s.seed = 9007199254740991;
  s.backward = true;
  s.input = "text/";
  s.hardware = "DGX H200 x4";
  return s;
}

TEST_CASE("an empty object is the default scenario") {
  CHECK(parse_scenario("{}", "s") == Scenario{});
  CHECK(parse_scenario(R"({"kv_heads": null, "scale": null, "query_tokens": null})", "s") ==
        Scenario{});
  const Scenario s;
  CHECK(s.tokens == 4096);
  CHECK(s.key_value_heads() == 8);
  CHECK(to_text(s.mask) == "causal");
  CHECK(rule_of(s).scale == 0.125);
}

TEST_CASE("writing and reading give back every field exactly") {
  CHECK(parse_scenario(to_json(Scenario{}), "s") == Scenario{});
  CHECK(parse_scenario(to_json(everything()), "s") == everything());
  // A field that equals its default in `everything` would be untested above.
  const auto by_default = scenario_fields();
  for (const FieldInfo& field : by_default) {
    const std::string line = "\"" + field.name + "\": " + field.default_text;
    CAPTURE(line);
    CHECK(to_json(everything()).find(line + ",\n") == std::string::npos);
    CHECK(to_json(everything()).find(line + "\n") == std::string::npos);
  }
}

TEST_CASE("the command line sets each field, and its text means what JSON means") {
  Scenario s;
  for (const auto& [field, text] : std::vector<std::pair<std::string, std::string>>{
           {"tokens", "16"},
           {"heads", "12"},
           {"kv-heads", "3"},
           {"head_dim", "6"},
           {"ranks", "5"},
           {"layout", "custom"},
           {"rotation", "previous"},
           {"layout-file", "a \"layout\" \xc3\xa9.json"},
           {"documents", "5+7+4"},
           {"mask", "causal+window=7:*+prefix=2"},
           {"query_tokens", "3"},
           {"schedule", "ulysses"},
           {"degree", "U=2,R=4"},
           {"dtype", "float64"},
           {"scale", "0.1"},
           {"soft_cap", "0.3333333333333333"},
           {"alibi", "true"},
           {"rotary_base", "1e4"},
           {"dropout", ".1"},
           {"backward", "true"},
           {"seed", "9007199254740991"},
           {"input", "text/"},
           {"hardware", "DGX H200 x4"},
           {"sinks", "-0.7,-0.7,-0.7,-0.7,-0.7,-0.7,-7e-1,-0.7,-0.7,-0.7,-0.7,-0.7"}}) {
    CAPTURE(field);
    set_field(s, field, text);
  }
  CHECK(s == everything());
  check(s);
  set_field(s, "kv_heads", "null");
  CHECK_FALSE(s.kv_heads.has_value());
  set_field(s, "documents", "");
  CHECK(s.documents.empty());
  set_field(s, "tokens", "1e3");
  CHECK(s.tokens == 1000);
}

TEST_CASE("the rule carries the mathematics of the scenario") {
  const AttentionRule rule = rule_of(everything());
  CHECK(rule.query_heads == 12);
  CHECK(rule.kv_heads == 3);
  CHECK(rule.scale == 0.1);
  CHECK(rule.mask.documents);
  CHECK(rule.mask.window_left == 7);
  CHECK(rule.alibi_slopes == default_alibi_slopes(12));
  CHECK(rule.dropout == Dropout{0.1, 9007199254740991});
  CHECK_FALSE(rule_of(Scenario{}).mask.documents);
}

TEST_CASE("queries are the last positions, wherever their keys lie") {
  Scenario s;
  s.tokens = 23;
  s.ranks = 4;
  s.query_tokens = 9;
  CHECK(query_sequence_of(s) == Positions::contiguous(14, 9));
  for (const auto kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
    s.layout = kind;
    const Layout keys = layout_of(s), queries = query_layout_of(s);
    check_partition(keys, sequence_of(s));
    check_partition(queries, query_sequence_of(s));
    for (std::size_t r = 0; r < keys.size(); ++r) {
      std::vector<Place> wanted;
      for (const Place& place : keys[r].expand()) {
        if (place.position >= 14) wanted.push_back(place);
      }
      CHECK(queries[r].expand() == wanted);
    }
  }
  s.query_tokens = 0;
  CHECK(query_sequence_of(s).empty());
  s.query_tokens.reset();
  CHECK(query_layout_of(s) == layout_of(s));
}

TEST_CASE("paths of a scenario file start at its folder") {
  const fs::path folder = fs::temp_directory_path() / ("ringlab_s_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  write_file(folder / "layout.json", R"({"owners": [1, 0, 1]})");
  write_file(folder / "s.json", R"({"tokens": 3, "ranks": 2, "layout": "custom",
                                    "layout_file": "./layout.json", "input": "/abs/x.txt"})");
  const Scenario s = load_scenario(folder / "s.json");
  CHECK(s.layout_file == (folder / "layout.json").string());
  CHECK(s.input == "/abs/x.txt");
  CHECK(layout_of(s)[0] == Positions::contiguous(1, 1));
  fs::remove_all(folder);
}

TEST_CASE("help names every field as a flag, with its default") {
  const std::string help = scenario_help();
  for (const FieldInfo& field : scenario_fields()) {
    std::string flag = "--" + field.name;
    std::replace(flag.begin() + 2, flag.end(), '_', '-');
    CAPTURE(flag);
    CHECK(help.find("  " + flag + " ") != std::string::npos);
    CHECK(help.find("default " + field.default_text + "\n") != std::string::npos);
    CHECK(field.help.ends_with('.'));
  }
  CHECK(help.find("0, or above 1") != std::string::npos);
}

}  // namespace
