#include "ringlab/sim/gate/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/io/limits.hpp"
#include "ringlab/reference/trace/chrome.hpp"
#include "ringlab/reference/trace/overlap.hpp"

namespace ringlab {

using detail::Json;

struct Result::Document {
  Json json;
};

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// ---- the path -----------------------------------------------------------------------------------

MetricPath::Segment bracket(std::string_view inside, const auto& refuse) {
  MetricPath::Segment segment;
  if (inside == "*") {
    segment.kind = MetricPath::Segment::all;
    return segment;
  }
  const bool digits =
      !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits) {
    segment.kind = MetricPath::Segment::index;
    const auto [end, error] =
        std::from_chars(inside.data(), inside.data() + inside.size(), segment.index_value);
    if (error != std::errc{}) refuse("an index is out of range");
    return segment;
  }
  segment.kind = MetricPath::Segment::matching;
  while (true) {
    const std::string_view one = inside.substr(0, inside.find(','));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == one.size()) {
      refuse("in brackets stands an index, * or field=value");
    }
    segment.matches.push_back(
        {std::string(one.substr(0, equals)), std::string(one.substr(equals + 1))});
    if (one.size() == inside.size()) return segment;
    inside.remove_prefix(one.size() + 1);
  }
}

// ---- a figure of a list -------------------------------------------------------------------------

std::optional<std::string> problem_with(const Json& list) {
  for (const Json& value : list) {
    if (!value.is_number() && !value.is_null()) {
      return fmt::format("the list holds {}, not only numbers", detail::kind_of(value));
    }
  }
  return std::nullopt;
}

double number_of(const Json& value) {
  return value.is_null() ? kNoNumber : value.get<double>();
}

// One number of a list of numbers; NaN as soon as one of them is none.
std::optional<double> figure_of_list(const std::string& what, const Json& list) {
  std::vector<double> numbers;
  for (const Json& value : list) numbers.push_back(number_of(value));
  const auto any_nan =
      std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
  const auto known = {"max", "min", "sum", "mean", "median"};
  if (std::find(known.begin(), known.end(), what) == known.end()) return std::nullopt;
  if (any_nan || numbers.empty()) return kNoNumber;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  double sum = 0;
  for (const double x : numbers) sum += x;
  if (what == "max") return numbers.back();
  if (what == "min") return numbers.front();
  if (what == "sum") return sum;
  if (what == "mean") return sum / static_cast<double>(n);
  return n % 2 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool matches(const Json& element, const std::vector<MetricPath::Match>& wanted) {
  if (!element.is_object()) return false;
  return std::all_of(wanted.begin(), wanted.end(), [&](const MetricPath::Match& m) {
    const auto found = element.find(m.key);
    return found != element.end() && plain(*found) == m.value;
  });
}

class Walk {
 public:
  explicit Walk(const MetricPath& path) : path_(path) {}

  Finding from(const Json& root) {
    visit(root, 0, "");
    // One branch without a value makes the whole unmeasured: it could be the bad one.
    if (!finding_.why_none.empty()) finding_.figures.clear();
    return std::move(finding_);
  }

 private:
  void fail(std::string why) {
    if (finding_.why_none.empty()) finding_.why_none = std::move(why);
  }

  void leaf(const Json& value, const std::string& place) {
    if (value.is_number() || value.is_null()) {
      finding_.figures.emplace_back(number_of(value));
    } else if (value.is_boolean()) {
      finding_.figures.emplace_back(value.get<bool>());
    } else if (value.is_string()) {
      finding_.figures.emplace_back(value.get<std::string>());
    } else if (value.is_array()) {
      fail(fmt::format("'{}' is a list; take one of it with [0], all with [*], or .max", place));
    } else {
      fail(fmt::format("'{}' is an object; name one of its fields", place));
    }
  }

  void key(const Json& value, std::size_t at, const std::string& place) {
    const std::string& name = path_.segments[at].name;
    const std::string here = place.empty() ? name : place + "." + name;
    if (value.is_object()) {
      const auto found = value.find(name);
      if (found == value.end()) return fail(fmt::format("there is no '{}'", here));
      return visit(*found, at + 1, here);
    }
    if (value.is_array() && at + 1 == path_.segments.size()) {
      if (name == "length") {
        finding_.figures.emplace_back(static_cast<double>(value.size()));
        return;
      }
      if (const auto problem = problem_with(value)) return fail(*problem);
      if (const auto number = figure_of_list(name, value)) {
        if (value.empty()) return fail(fmt::format("'{}' is an empty list", place));
        finding_.figures.emplace_back(*number);
        return;
      }
    }
    fail(fmt::format("'{}' is {}, which has no '{}'", place, detail::kind_of(value), name));
  }

  void visit(const Json& value, std::size_t at, const std::string& place) {
    if (at == path_.segments.size()) return leaf(value, place);
    const MetricPath::Segment& segment = path_.segments[at];
    if (segment.kind == MetricPath::Segment::key) return key(value, at, place);
    if (!value.is_array()) {
      return fail(fmt::format("'{}' is {}, not a list", place, detail::kind_of(value)));
    }
    if (segment.kind == MetricPath::Segment::index) {
      if (segment.index_value >= value.size()) {
        return fail(
            fmt::format("'{}' has {} elements, no [{}]", place, value.size(), segment.index_value));
      }
      return visit(value[segment.index_value], at + 1,
                   fmt::format("{}[{}]", place, segment.index_value));
    }
    bool any = false;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (segment.kind == MetricPath::Segment::matching && !matches(value[i], segment.matches)) {
        continue;
      }
      any = true;
      visit(value[i], at + 1, fmt::format("{}[{}]", place, i));
    }
    if (!any) fail(fmt::format("no element of '{}' is as wanted", place));
  }

  const MetricPath& path_;
  Finding finding_;
};

double seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

Json figures_of(const Trace& trace) {
  std::int64_t first = INT64_MAX, last = INT64_MIN, bytes = 0, transfer = 0, hidden = 0;
  double flops = 0;
  for (const TraceEvent& event : trace.events) {
    first = std::min(first, event.start_nanoseconds);
    last = std::max(last, event.end_nanoseconds);
    flops += event.flops;
    if (event.lane == Lane::send) bytes += event.bytes;
  }
  Json ranks = Json::array();
  for (const Overlap& o : overlap_by_rank(trace)) {
    transfer += o.transfer_nanoseconds;
    hidden += o.hidden_nanoseconds;
    ranks.push_back({{"rank", o.rank},
                     {"compute_seconds", seconds(o.compute_nanoseconds)},
                     {"transfer_seconds", seconds(o.transfer_nanoseconds)},
                     {"hidden_seconds", seconds(o.hidden_nanoseconds)},
                     {"exposed_seconds", seconds(o.exposed_nanoseconds)}});
  }
  Json out = {{"events", trace.events.size()}, {"ranks", ranks.size()}, {"per_rank", ranks}};
  // Nothing happened: there is no time to speak of, and a gate must not take it for 0 s.
  if (trace.events.empty()) return out;
  out["seconds"] = seconds(last - first);
  out["flops"] = flops;
  out["bytes_sent"] = bytes;
  out["transfer_hidden"] =
      transfer > 0 ? static_cast<double>(hidden) / static_cast<double>(transfer) : 1.0;
  return out;
}

}  // namespace

MetricPath MetricPath::parse(std::string_view text, const std::string& field) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(field, fmt::format("'{}'", text),
                     why +
                         "; write a path such as seconds, dq.max_abs_error or "
                         "bytes_sent_per_rank.max");
  };
  MetricPath path;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(".[", at), text.size());
    if (end > at) {
      Segment segment;
      segment.name = std::string(text.substr(at, end - at));
      if (segment.name.find(']') != std::string::npos) refuse("a ] has no [");
      path.segments.push_back(std::move(segment));
    } else {
      refuse("a name is empty");
    }
    at = end;
    while (at < text.size() && text[at] == '[') {
      const std::size_t close = text.find(']', at);
      if (close == std::string_view::npos) refuse("a [ is not closed");
      path.segments.push_back(bracket(text.substr(at + 1, close - at - 1), refuse));
      at = close + 1;
    }
    if (at == text.size()) break;
    if (text[at] != '.') refuse("after a ] stands a . or nothing");
    if (++at == text.size()) refuse("it ends with a dot");
  }
  if (path.segments.empty()) refuse("it is empty");
  return path;
}

Result Result::parse(std::string_view text, std::string label, const std::string& source) {
  Result result;
  result.label_ = std::move(label);
  result.source_ = source;
  Json json = detail::parse_json(text, source);
  if (!json.is_object()) {
    throw InputError(source, fmt::format("holds {}", detail::kind_of(json)),
                     "give the object that --json prints, or a trace");
  }
  if (json.contains("traceEvents")) {
    json = Json{{"trace", figures_of(parse_chrome_json(text, source))}};
  }
  result.document_ = std::make_shared<Document>(Document{std::move(json)});
  return result;
}

Result Result::load(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  std::string label, file = argument;
  // A path may have a = in it; a label has no slash.
  if (equals != std::string::npos && argument.find('/') > equals) {
    label = argument.substr(0, equals);
    file = argument.substr(equals + 1);
  }
  if (label.empty()) label = std::filesystem::path(file).stem().string();
  return parse(read_file(file, "result", kLargestJsonFile), label, file);
}

Finding Result::find(const MetricPath& path) const {
  return Walk(path).from(document_->json);
}

}  // namespace ringlab
