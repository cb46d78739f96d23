// The schema file against the table it is made from, and against the parser: both must take and
// refuse the same documents, as far as a schema can say it.
#include <cstdlib>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/scenario/scenario.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

bool schema_takes(const Json& document) {
  static const Json text = Json::parse(scenario_schema());
  static valijson::Schema schema;
  static const bool parsed = [] {
    valijson::SchemaParser().populateSchema(Adapter(text), schema);
    return true;
  }();
  return parsed && valijson::Validator().validate(schema, Adapter(document), nullptr);
}

bool parser_takes(const std::string& document) {
  try {
    parse_scenario(document, "s");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST_CASE("the schema in the tree is the one that the table makes") {
  if (std::getenv("RINGLAB_ACCEPT")) write_file(RINGLAB_SCHEMA_FILE, scenario_schema());
  // To accept a change: RINGLAB_ACCEPT=1
  // build/release/tests/reference/scenario/scenario_schema_test
  CHECK(read_file(RINGLAB_SCHEMA_FILE, "schema", 1 << 20) == scenario_schema());
}

TEST_CASE("schema and parser take the same documents") {
  const char* const good[] = {
      "{}",
      R"({"tokens": 0})",
      R"({"tokens": 2147483647, "ranks": 4096})",
      R"({"heads": 32, "kv_heads": 8, "head_dim": 128})",
      R"({"kv_heads": null})",
      R"({"layout": "contiguous"})",
      R"({"layout": "custom", "layout_file": "../my layout.json"})",
      R"({"mask": "none"})",
      R"({"mask": "causal+window=127:0+prefix=16"})",
      R"({"mask": "window=*:5"})",
      R"({"tokens": 16, "documents": [5, 7, 4]})",
      R"({"query_tokens": 1})",
      R"({"schedule": "double_ring_2"})",
      R"({"rotation": "previous", "dtype": "float64"})",
      R"({"scale": -0.5})",
      R"({"scale": null, "soft_cap": 30})",
      R"({"heads": 2, "sinks": [0.5, -1]})",
      R"({"alibi": true, "backward": true})",
      R"({"rotary_base": 0})",
      R"({"rotary_base": 1.5, "dropout": 0.999})",
      R"({"seed": 9007199254740991})",
      R"({"input": "", "hardware": "8 x H200"})",
  };
  for (const char* document : good) {
    CAPTURE(document);
    CHECK(parser_takes(document));
    CHECK(schema_takes(Json::parse(document)));
  }
  CHECK(parser_takes(to_json(Scenario{})));
  CHECK(schema_takes(Json::parse(to_json(Scenario{}))));

  const Json bad = Json::parse(read_file(RINGLAB_TEST_DATA "/bad_scenarios.json", "list", 1 << 20));
  int compared = 0;
  for (const Json& item : bad) {
    if (item.value("no_json", false)) continue;
    const std::string document = item["document"];
    CAPTURE(document);
    CHECK_FALSE(parser_takes(document));
    // What spans several fields, and numbers inside a text, are beyond a schema.
    CHECK(schema_takes(Json::parse(document)) == item.value("beyond_schema", false));
    ++compared;
  }
  CHECK(compared >= 40);
}

}  // namespace
