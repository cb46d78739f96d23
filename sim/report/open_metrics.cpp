#include "ringlab/sim/report/open_metrics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A name of a metric (which may hold colons) or of a label.
bool is_name(const std::string& text, bool of_metric) {
  if (text.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool digit = c >= '0' && c <= '9';
    if (!is_letter(c) && !(digit && i > 0) && !(of_metric && c == ':')) return false;
  }
  return true;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);  // the shortest that reads back the same
}

const char* suffix(MetricType type) {
  switch (type) {
    case MetricType::gauge:
      return "";
    case MetricType::counter:
      return "_total";
    case MetricType::info:
      return "_info";
  }
  return "";
}

const char* name(MetricType type) {
  switch (type) {
    case MetricType::gauge:
      return "gauge";
    case MetricType::counter:
      return "counter";
    case MetricType::info:
      return "info";
  }
  return "";
}

void check(const MetricFamily& family) {
  RINGLAB_ENSURE(is_name(family.name, true), "'" + family.name + "' is a metric's name");
  for (const char* reserved : {"_total", "_info", "_created", "_bucket", "_count", "_sum"}) {
    RINGLAB_ENSURE(!family.name.ends_with(reserved),
                   "the name '" + family.name + "' leaves its suffix to the format");
  }
  RINGLAB_ENSURE(family.unit.empty() || family.name.ends_with("_" + family.unit),
                 "'" + family.name + "' ends with its unit " + family.unit);
  RINGLAB_ENSURE(family.type != MetricType::info || family.unit.empty(), "an info has no unit");
}

std::string labels_text(const MetricFamily& family, const MetricLabels& labels) {
  std::set<std::string> seen;
  std::string out;
  for (const auto& [key, value] : labels) {
    RINGLAB_ENSURE(is_name(key, false) && !key.starts_with("__"),
                   "'" + key + "' is a label's name, in " + family.name);
    RINGLAB_ENSURE(seen.insert(key).second, "label '" + key + "' stands once in " + family.name);
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", key, escaped(value));
  }
  return out.empty() ? "" : "{" + out + "}";
}

}  // namespace

std::string open_metrics_text(const std::vector<MetricFamily>& families) {
  std::string out;
  std::set<std::string> names;
  for (const MetricFamily& family : families) {
    check(family);
    RINGLAB_ENSURE(names.insert(family.name).second, "family " + family.name + " stands once");
    out += fmt::format("# TYPE {} {}\n", family.name, name(family.type));
    if (!family.unit.empty()) out += fmt::format("# UNIT {} {}\n", family.name, family.unit);
    if (!family.help.empty()) {
      out += fmt::format("# HELP {} {}\n", family.name, escaped(family.help));
    }
    std::set<std::string> seen;
    for (const MetricSample& sample : family.samples) {
      const std::string labels = labels_text(family, sample.labels);
      RINGLAB_ENSURE(seen.insert(labels).second, "samples of " + family.name + " differ in labels");
      RINGLAB_ENSURE(
          family.type != MetricType::counter || (std::isfinite(sample.value) && sample.value >= 0),
          "a counter counts from 0, " + family.name);
      RINGLAB_ENSURE(family.type != MetricType::info || sample.value == 1, "an info is 1");
      out += fmt::format("{}{}{} {}\n", family.name, suffix(family.type), labels,
                         number(sample.value));
    }
  }
  return out + "# EOF\n";
}

}  // namespace ringlab
