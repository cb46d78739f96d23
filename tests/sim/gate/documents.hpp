// Targets files that are good and bad, for the parser and for the schema. Three targets of the
// kinds that every file has to state stand around the one that is tried.
#pragma once

#include <string>
#include <vector>

namespace ringlab::gate_documents {

inline std::string with_target(const std::string& target) {
  return R"({"name": "n", "targets": [)"
         R"({"metric": "a", "kind": "latency", "at_most": 1},)"
         R"({"metric": "b", "kind": "quality", "at_most": 1},)"
         R"({"metric": "c", "kind": "cost", "at_most": 1},)" +
         target + "]}";
}

inline std::string with_metric(const std::string& path) {
  return with_target(R"({"metric": ")" + path + R"(", "kind": "other", "at_most": 1})");
}

inline std::vector<std::string> good() {
  std::vector<std::string> list = {
      with_target(R"({"metric": "d", "kind": "other", "at_least": -1e300, "at_most": 1e300})"),
      with_target(R"({"metric": "d", "kind": "cost", "at_most": 0})"),
      with_target(R"({"metric": "d", "kind": "cost", "drift_percent": 0})"),
      with_target(R"({"metric": "d", "kind": "cost", "drift_percent": 1000000, "at_least": 3})"),
      with_target(R"({"metric": "d", "kind": "quality", "equals": true})"),
      with_target(R"({"metric": "d", "kind": "quality", "equals": "", "why": "because"})"),
      with_target(R"({"metric": "a", "in": "x", "kind": "latency", "at_most": 1, "unit": "s"})"),
      R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}],
          "waived": {"quality": "no reference", "cost": "our own machine"}})",
  };
  for (const char* path : {"a_b", "d.e.f", "d[0]", "d[0][1].e", "d[*]", "d[k=v]", "d[k=v,l=m w].e",
                           "d[k=1=2].max", "a-b/c d", "\\u00e4.max"}) {
    list.push_back(with_metric(path));
  }
  return list;
}

struct Bad {
  std::string document, field;  // field: where the message has to point
  bool beyond_schema = false;   // what only the parser sees
};

inline std::vector<Bad> bad() {
  std::vector<Bad> list = {
      {"[]", "t.json"},
      {"{}", "t.json: name"},
      {R"({"name": "n"})", "t.json: targets"},
      {R"({"name": "n", "targets": []})", "t.json: targets"},
      {R"({"name": "n", "targets": {}})", "t.json: targets"},
      {R"({"name": "n", "targets": [3]})", "t.json: targets[0]"},
      {R"({"name": "", "targets": [{"metric": "a", "kind": "cost", "at_most": 1}]})",
       "t.json: name"},
      {R"({"name": 3, "targets": [{"metric": "a", "kind": "cost", "at_most": 1}]})",
       "t.json: name"},
      {R"({"name": "a\nb", "targets": [{"metric": "a", "kind": "cost", "at_most": 1}]})",
       "t.json: name"},
      {R"({"name": "n", "target": []})", "t.json: target"},
      {with_target(R"({"kind": "other", "at_most": 1})"), "t.json: targets[3].metric"},
      {with_target(R"({"metric": 1, "kind": "other", "at_most": 1})"), "t.json: targets[3].metric"},
      {with_target(R"({"metric": "d", "at_most": 1})"), "t.json: targets[3].kind"},
      {with_target(R"({"metric": "d", "kind": "speed", "at_most": 1})"), "t.json: targets[3].kind"},
      {with_target(R"({"metric": "d", "kind": 1, "at_most": 1})"), "t.json: targets[3].kind"},
      {with_target(R"({"metric": "d", "kind": "other"})"), "t.json: targets[3].at_most"},
      {with_target(R"({"metric": "d", "kind": "other", "atmost": 1})"),
       "t.json: targets[3].atmost"},
      {with_target(R"({"metric": "d", "kind": "other", "at_most": "1"})"),
       "t.json: targets[3].at_most"},
      {with_target(R"({"metric": "d", "kind": "other", "at_most": null})"),
       "t.json: targets[3].at_most"},
      {with_target(R"({"metric": "d", "kind": "other", "at_least": true})"),
       "t.json: targets[3].at_least"},
      {with_target(R"({"metric": "d", "kind": "other", "equals": 1})"),
       "t.json: targets[3].equals"},
      {with_target(R"({"metric": "d", "kind": "other", "equals": true, "at_most": 1})"),
       "t.json: targets[3].equals"},
      {with_target(R"({"metric": "d", "kind": "other", "equals": "x", "drift_percent": 1})"),
       "t.json: targets[3].equals"},
      {with_target(R"({"metric": "d", "kind": "other", "drift_percent": -1})"),
       "t.json: targets[3].drift_percent"},
      {with_target(R"({"metric": "d", "kind": "other", "drift_percent": 1000001})"),
       "t.json: targets[3].drift_percent"},
      {with_target(R"({"metric": "d", "kind": "other", "at_most": 1, "unit": 1})"),
       "t.json: targets[3].unit"},
      {with_target(R"({"metric": "d", "kind": "other", "at_most": 1, "in": ["x"]})"),
       "t.json: targets[3].in"},
      {with_target(R"({"metric": "d", "kind": "other", "at_most": 1, "why": ")" +
                   std::string(301, 'w') + R"("})"),
       "t.json: targets[3].why"},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}],
           "waived": {"quality": "", "cost": "own"}})",
       "t.json: waived.quality"},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}],
           "waived": {"speed": "x"}})",
       "t.json: waived.speed"},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}],
           "waived": ["quality", "cost"]})",
       "t.json: waived"},
      // What spans several fields is beyond a schema.
      {with_target(R"({"metric": "d", "kind": "other", "at_least": 2, "at_most": 1})"),
       "t.json: targets[3].at_least", true},
      {with_target(R"({"metric": "a", "kind": "other", "at_most": 1})"),
       "t.json: targets[3].metric", true},
      {with_metric("d[99999999999999999999]"), "t.json: targets[3].metric", true},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}]})",
       "t.json: targets", true},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "latency", "at_most": 1}],
           "waived": {"quality": "x"}})",
       "t.json: targets", true},
      {R"({"name": "n", "targets": [{"metric": "a", "kind": "cost", "at_most": 1}],
           "waived": {"quality": "x", "latency": "x", "cost": "x"}})",
       "t.json: waived.cost", true},
  };
  for (const char* path : {"", ".", "a.", ".a", "a..b", "a[", "a]", "a[]", "a[x]", "a[0]b", "[0]",
                           "a.[0]", "a[k=]", "a[=v]", "a[k=v,]", "a[-1]"}) {
    list.push_back({with_metric(path), "t.json: targets[3].metric"});
  }
  return list;
}

}  // namespace ringlab::gate_documents
