// The schema file against the parser: both take and refuse the same documents, as far as a schema
// can say it.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/sim/gate/documents.hpp"

namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

bool schema_takes(const std::string& document) {
  static const Json text = Json::parse(
      ringlab::read_file(RINGLAB_SOURCE "/sim/gate/targets.schema.json", "schema", 1e6));
  static valijson::Schema schema;
  static const bool parsed = [] {
    valijson::SchemaParser().populateSchema(Adapter(text), schema);
    return true;
  }();
  const Json json = Json::parse(document);
  return parsed && valijson::Validator().validate(schema, Adapter(json), nullptr);
}

TEST_CASE("the schema takes what the parser takes and refuses what it refuses") {
  for (const std::string& document : ringlab::gate_documents::good()) {
    CAPTURE(document);
    CHECK(schema_takes(document));
  }
  for (const auto& bad : ringlab::gate_documents::bad()) {
    CAPTURE(bad.document);
    CHECK(schema_takes(bad.document) == bad.beyond_schema);
  }
  CHECK(schema_takes(
      ringlab::read_file(RINGLAB_SOURCE "/sim/gate/example.targets.json", "example", 1e6)));
}

}  // namespace
