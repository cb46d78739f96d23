#include "ringlab/reference/trace/chrome.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using Json = nlohmann::json;

namespace {

Trace example() {
  const std::int64_t up = 400LL * 86400 * 1'000'000'000;  // a machine that is up for 400 days
  Trace trace;
  trace.events = {
      {0, Lane::compute, "attend q0 x kv0", up + 1, up + 1'234'567, 0, 0, 1.5e12},
      {3, Lane::send, "kv3 \"quoted\" \xc3\xa9\n", up + 7, up + 7, -1, 123456789012345, 0},
      {3, Lane::receive, "", up, up + 999, 2, 1, 0.1}};
  trace.metadata = {{"transport", "threads"}, {"scenario", "{\"ranks\": 4}"}, {"", ""}};
  return trace;
}

// The field that parse_chrome_json refuses; "" if it takes the text.
std::string refused(const std::string& text) {
  try {
    parse_chrome_json(text, "t.json");
  } catch (const InputError& error) {
    CHECK_FALSE(error.remedy().empty());
    return error.field();
  }
  return "";
}

}  // namespace

TEST_CASE("a trace comes back as it was, to the nanosecond") {
  CHECK(parse_chrome_json(to_chrome_json(example()), "t.json") == example());
  CHECK(parse_chrome_json(to_chrome_json({}), "t.json") == Trace{});
  Trace extreme = example();
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  extreme.events = {{0, Lane::send, "long", low, low + (std::int64_t{1} << 52), 0, 0, 1e-300},
                    {2'000'000'000, Lane::send, "far", low + 3, low + 4, 2'000'000'000, 0, 0}};
  CHECK(parse_chrome_json(to_chrome_json(extreme), "t.json") == extreme);
  Trace many;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t start = i * 1'234'567'891LL;
    many.events.push_back({i % 8, static_cast<Lane>(i % 3), "e", start, start + i, i, i, i / 3.0});
  }
  CHECK(parse_chrome_json(to_chrome_json(many), "t.json") == many);
}

TEST_CASE("the file is what a trace viewer expects") {
  const Json json = Json::parse(to_chrome_json(example()));
  CHECK(json["otherData"]["transport"] == "threads");
  std::vector<Json> complete;
  std::map<std::string, int> names;
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] == "X") complete.push_back(event);
    if (event["ph"] == "M" && event["name"] == "process_name") {
      names[event["args"]["name"].get<std::string>()] = event["pid"].get<int>();
    }
  }
  CHECK(names == std::map<std::string, int>{{"rank 0", 1}, {"rank 3", 4}});
  REQUIRE(complete.size() == 3);
  CHECK(complete[0]["name"] == "attend q0 x kv0");
  CHECK(complete[0]["cat"] == "compute");
  CHECK(complete[0]["pid"] == 1);
  CHECK(complete[0]["tid"] == 1);
  CHECK(complete[0]["ts"] == 0.001);  // after the earliest event, in microseconds
  CHECK(complete[0]["dur"] == 1234.566);
  CHECK(complete[0]["args"]["flops"] == 1.5e12);
  CHECK(complete[1]["tid"] == 2);
  CHECK(complete[1]["args"]["bytes"] == 123456789012345);
  CHECK(complete[1]["args"]["hop"] == -1);
  CHECK(complete[2]["tid"] == 3);
}

TEST_CASE("a bad file is refused by the name of its field") {
  const Json good = Json::parse(to_chrome_json(example()));
  const std::size_t first = good["traceEvents"].size() - 3;
  const std::string event = "t.json.traceEvents[" + std::to_string(first) + "]";
  const auto with = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return refused(bad.dump());
  };
  const std::string at = "/traceEvents/" + std::to_string(first);
  CHECK(refused(good.dump()) == "");
  CHECK(refused("") == "t.json");
  CHECK(refused("{\"ringlab\":") == "t.json");
  CHECK(refused("[]") == "t.json");
  CHECK(refused("{}") == "t.json.ringlab");
  CHECK(refused("{\"traceEvents\":[]}") == "t.json.ringlab");
  CHECK(refused(std::string(100'000, '[')) == "t.json");
  CHECK(with("/ringlab/version", 2) == "t.json.ringlab.version");
  CHECK(with("/ringlab/origin_nanoseconds", 1.5) == "t.json.ringlab.origin_nanoseconds");
  CHECK(with("/ringlab/origin_nanoseconds", UINT64_MAX) == "t.json.ringlab.origin_nanoseconds");
  CHECK(with("/ringlab/origin_nanoseconds", INT64_MAX) == event + ".ts");
  CHECK(with("/otherData", 3) == "t.json.otherData");
  CHECK(with("/otherData/transport", 3) == "t.json.otherData.transport");
  CHECK(with("/traceEvents", 3) == "t.json.traceEvents");
  CHECK(with(at, 3) == event);
  CHECK(with(at + "/ph", "B") == event + ".ph");
  CHECK(with(at + "/pid", 0) == event + ".pid");
  CHECK(with(at + "/pid", "x") == event + ".pid");
  CHECK(with(at + "/tid", 4) == event + ".tid");
  CHECK(with(at + "/name", nullptr) == event + ".name");
  CHECK(with(at + "/ts", -1) == event + ".ts");
  CHECK(with(at + "/ts", 1e300) == event + ".ts");
  CHECK(with(at + "/dur", "long") == event + ".dur");
  CHECK(with(at + "/dur", -0.001) == event + ".dur");
  CHECK(with(at + "/args", Json::array()) == event + ".args");
  CHECK(with(at + "/args/hop", 3e10) == event + ".args.hop");
  CHECK(with(at + "/args/bytes", -1) == event + ".args.bytes");
  CHECK(with(at + "/args/flops", "many") == event + ".args.flops");
  for (const char* key : {"ph", "pid", "tid", "name", "ts", "dur", "args"}) {
    Json bad = good;
    bad["traceEvents"][first].erase(key);
    CHECK(refused(bad.dump()) == event + "." + key);
  }
}

TEST_CASE("what cannot be written is refused") {
  Trace trace = example();
  trace.events[0].end_nanoseconds = trace.events[0].start_nanoseconds - 1;
  CHECK_THROWS_AS(to_chrome_json(trace), InvariantError);
  trace = example();
  trace.events[0].flops = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(to_chrome_json(trace), InvariantError);
  trace = example();
  trace.events[0].rank = -1;
  CHECK_THROWS_AS(to_chrome_json(trace), InvariantError);
  trace = example();
  trace.events[0].start_nanoseconds = std::numeric_limits<std::int64_t>::min();
  CHECK_THROWS_AS(to_chrome_json(trace), InvariantError);
}
