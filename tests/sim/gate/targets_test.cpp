#include "ringlab/sim/gate/targets.hpp"

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/sim/gate/documents.hpp"

namespace {

using namespace ringlab;

TEST_CASE("a targets file is read field by field") {
  const Targets targets = parse_targets(R"({
    "name": "the roll-out",
    "targets": [
      {"metric": "seconds", "in": "prod-*", "kind": "latency", "at_most": 2.5, "at_least": 0.5,
       "drift_percent": 10, "unit": "s", "why": "people wait"},
      {"metric": "exact", "kind": "quality", "equals": true},
      {"metric": "schedule", "kind": "other", "equals": "ring"}],
    "waived": {"cost": "our own machine"}})",
                                        "t.json");
  CHECK(targets.name == "the roll-out");
  REQUIRE(targets.targets.size() == 3);
  Target first;
  first.metric = "seconds";
  first.in = "prod-*";
  first.kind = TargetKind::latency;
  first.at_most = 2.5;
  first.at_least = 0.5;
  first.drift_percent = 10;
  first.unit = "s";
  first.why = "people wait";
  CHECK(targets.targets[0] == first);
  CHECK(std::get<bool>(*targets.targets[1].equals));
  CHECK(std::get<std::string>(*targets.targets[2].equals) == "ring");
  CHECK(targets.waived == std::map<TargetKind, std::string>{{TargetKind::cost, "our own machine"}});
}

TEST_CASE("good documents are taken, and each bad one is refused at its field") {
  for (const std::string& document : gate_documents::good()) {
    CAPTURE(document);
    CHECK_NOTHROW(parse_targets(document, "t.json"));
  }
  for (const gate_documents::Bad& bad : gate_documents::bad()) {
    CAPTURE(bad.document);
    try {
      parse_targets(bad.document, "t.json");
      FAIL_CHECK("taken");
    } catch (const InputError& error) {
      CHECK(error.field() == bad.field);
      CHECK_FALSE(error.value().empty());
      CHECK_FALSE(error.remedy().empty());
    }
  }
}

TEST_CASE("what is no JSON is refused with its place") {
  for (const char* text :
       {"", "{", R"({"name": NaN})", R"({"name": 1e999})", R"({"name": "a", "name": "b"})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_targets(text, "t.json"), InputError);
  }
}

TEST_CASE("the example in the tree is a targets file") {
  CHECK(load_targets(RINGLAB_SOURCE "/sim/gate/example.targets.json").targets.size() > 3);
  CHECK_THROWS_AS(load_targets(RINGLAB_SOURCE "/sim/gate/missing.json"), InputError);
}

}  // namespace
