#include "ringlab/reference/trace/chrome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLongest = std::int64_t{1} << 52;
constexpr int kVersion = 1;

// Perfetto keeps process 0 and thread 0 for the idle task and does not show them: count from one.
int process_of(int rank) {
  return rank + 1;
}
int thread_of(Lane lane) {
  return static_cast<int>(lane) + 1;
}
constexpr int kLanes = 3;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string microseconds(std::int64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

void check(const TraceEvent& e) {
  RINGLAB_ENSURE(e.rank >= 0 && e.rank < std::numeric_limits<int>::max(), "a rank is not negative");
  RINGLAB_ENSURE(e.end_nanoseconds >= e.start_nanoseconds, "event '" + e.name + "' ends in order");
  RINGLAB_ENSURE(std::isfinite(e.flops), "event '" + e.name + "' has a number of flops");
}

void append_names(std::string& out, int rank) {
  const int pid = process_of(rank);
  fmt::format_to(std::back_inserter(out),
                 "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{0},\"args\":{{\"name\":\"rank "
                 "{1}\"}}}},\n"
                 "{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{0},\"args\":{{\"sort_"
                 "index\":{1}}}}},\n",
                 pid, rank);
  for (const Lane lane : {Lane::compute, Lane::send, Lane::receive}) {
    fmt::format_to(std::back_inserter(out),
                   "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{0},\"tid\":{1},\"args\":{{"
                   "\"name\":\"{2}\"}}}},\n"
                   "{{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":{0},\"tid\":{1},\"args\":"
                   "{{\"sort_index\":{1}}}}},\n",
                   pid, thread_of(lane), name(lane));
  }
}

[[noreturn]] void refuse(const std::string& field, std::string value, const std::string& remedy) {
  constexpr std::size_t kShown = 60;
  if (value.size() > kShown) value = value.substr(0, kShown) + "...";
  throw InputError(field, value, remedy);
}

std::string shown(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// One object of the file, which knows where it stands.
class Reader {
 public:
  Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object_.is_object()) refuse(place_, shown(object_), "give an object");
  }

  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(field(key), "missing", "write the file with ringlab again");
    return *found;
  }
  std::string field(const std::string& key) const { return place_ + "." + key; }
  Reader object(const char* key) const { return {at(key), field(key)}; }

  std::string text(const char* key) const {
    if (!at(key).is_string()) refuse(field(key), shown(at(key)), "give a string");
    return at(key).get<std::string>();
  }
  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
    const Json& value = at(key);
    const bool fits = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}
                          : value.is_number_integer();
    if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      refuse(field(key), shown(value), fmt::format("give an integer from {} to {}", low, high));
    }
    return value.get<std::int64_t>();
  }
  double number(const char* key) const {
    if (!at(key).is_number()) refuse(field(key), shown(at(key)), "give a number");
    return at(key).get<double>();
  }
  std::int64_t nanoseconds(const char* key) const {
    const double value = number(key) * 1000;
    if (!(value >= 0 && value <= static_cast<double>(kLongest))) {
      refuse(field(key), shown(at(key)), "give microseconds from 0 to 52 days");
    }
    return std::llround(value);
  }

 private:
  const Json& object_;
  std::string place_;
};

TraceEvent read_event(const Reader& reader, std::int64_t origin) {
  TraceEvent e;
  e.rank = static_cast<int>(reader.integer("pid", 1, std::numeric_limits<int>::max())) - 1;
  e.lane = static_cast<Lane>(reader.integer("tid", 1, kLanes) - 1);
  e.name = reader.text("name");
  std::int64_t start = reader.nanoseconds("ts"), length = reader.nanoseconds("dur");
  if (__builtin_add_overflow(origin, start, &e.start_nanoseconds) ||
      __builtin_add_overflow(e.start_nanoseconds, length, &e.end_nanoseconds)) {
    refuse(reader.field("ts"), std::to_string(start) + " ns", "give a time within 292 years");
  }
  const Reader args = reader.object("args");
  e.hop = static_cast<int>(
      args.integer("hop", std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  e.bytes = args.integer("bytes", 0, INT64_MAX);
  e.flops = args.number("flops");
  return e;
}

}  // namespace

std::string to_chrome_json(const Trace& trace) {
  std::int64_t origin = trace.events.empty() ? 0 : trace.events.front().start_nanoseconds;
  std::int64_t last = origin;
  std::set<int> ranks;
  for (const TraceEvent& e : trace.events) {
    check(e);
    origin = std::min(origin, e.start_nanoseconds);
    last = std::max(last, e.end_nanoseconds);
    ranks.insert(e.rank);
  }
  std::int64_t length = 0;
  RINGLAB_ENSURE(!__builtin_sub_overflow(last, origin, &length) && length <= kLongest,
                 "a trace is at most 52 days long");

  std::string out = fmt::format(
      "{{\"ringlab\":{{\"version\":{},\"origin_nanoseconds\":{}}},\n\"displayTimeUnit\":\"ns\",\n"
      "\"otherData\":{{",
      kVersion, origin);
  const char* comma = "";
  for (const auto& [key, value] : trace.metadata) {
    fmt::format_to(std::back_inserter(out), "{}{}:{}", comma, quoted(key), quoted(value));
    comma = ",";
  }
  out += "},\n\"traceEvents\":[\n";
  for (const int rank : ranks) append_names(out, rank);
  for (const TraceEvent& e : trace.events) {
    fmt::format_to(
        std::back_inserter(out),
        "{{\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
        "\"args\":{{\"hop\":{},\"bytes\":{},\"flops\":{}}}}},\n",
        quoted(e.name), name(e.lane), process_of(e.rank), thread_of(e.lane),
        microseconds(e.start_nanoseconds - origin),
        microseconds(e.end_nanoseconds - e.start_nanoseconds), e.hop, e.bytes,
        Json(e.flops).dump());
  }
  if (!ranks.empty()) out.erase(out.size() - 2, 1);  // the last comma
  out += "]}\n";
  return out;
}

Trace parse_chrome_json(std::string_view text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    refuse(file, error.what(), "give a trace that ringlab wrote");
  }
  const Reader top(json, file);
  const Reader header = top.object("ringlab");
  header.integer("version", kVersion, kVersion);
  const std::int64_t origin = header.integer("origin_nanoseconds", INT64_MIN, INT64_MAX);

  Trace trace;
  const Reader other = top.object("otherData");
  for (const auto& [key, value] : top.at("otherData").items()) {
    trace.metadata[key] = other.text(key.c_str());
  }
  const Json& events = top.at("traceEvents");
  if (!events.is_array()) refuse(top.field("traceEvents"), shown(events), "give a list of events");
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Reader event(events[i], fmt::format("{}[{}]", top.field("traceEvents"), i));
    const std::string phase = event.text("ph");
    if (phase == "M") continue;  // names and order, which follow from the events
    if (phase != "X") refuse(event.field("ph"), phase, "keep to complete events, \"X\"");
    trace.events.push_back(read_event(event, origin));
  }
  return trace;
}

}  // namespace ringlab
