// A strict reader of OpenMetrics text, for tests: grammar, order of metadata, suffixes by type,
// units, unique labels, "# EOF" as the last line. Throws std::runtime_error.
#pragma once

#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace open_metrics {

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct Family {
  std::string name, type, unit, help;
  std::vector<Sample> samples;
};

struct Parsed {
  std::vector<Family> families;
};

inline void require(bool good, const std::string& why) {
  if (!good) throw std::runtime_error(why);
}

// The text of a label or of HELP, from its escapes; ends at the quote for a label.
inline std::string unescaped(const std::string& text, std::size_t& at, bool label) {
  std::string out;
  for (; at < text.size(); ++at) {
    if (label && text[at] == '"') return out;
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    require(++at < text.size(), "an escape ends early");
    require(text[at] == 'n' || text[at] == '\\' || text[at] == '"', "an unknown escape");
    out += text[at] == 'n' ? '\n' : text[at];
  }
  require(!label, "a label is not closed");
  return out;
}

inline double number(const std::string& text) {
  if (text == "NaN") return std::strtod("nan", nullptr);
  if (text == "+Inf") return std::strtod("inf", nullptr);
  if (text == "-Inf") return std::strtod("-inf", nullptr);
  static const std::regex real(R"([+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)");
  require(std::regex_match(text, real), "no number: " + text);
  return std::strtod(text.c_str(), nullptr);
}

inline Sample sample_of(const std::string& line) {
  Sample out;
  std::size_t at = line.find_first_of("{ ");
  require(at != std::string::npos, "a sample has a value");
  out.name = line.substr(0, at);
  static const std::regex metric("[a-zA-Z_:][a-zA-Z0-9_:]*"), label("[a-zA-Z_][a-zA-Z0-9_]*");
  require(std::regex_match(out.name, metric), "no metric name: " + out.name);
  if (line[at] == '{') {
    ++at;
    while (true) {
      const std::size_t equals = line.find('=', at);
      require(equals != std::string::npos, "a label has a value");
      const std::string key = line.substr(at, equals - at);
      require(std::regex_match(key, label), "no label name: " + key);
      at = equals + 1;
      require(at < line.size() && line[at] == '"', "a label's value is quoted");
      ++at;
      const std::string value = unescaped(line, at, true);
      require(out.labels.emplace(key, value).second, "a label stands twice");
      ++at;
      require(at < line.size() && (line[at] == ',' || line[at] == '}'), "labels are not closed");
      if (line[at++] == '}') break;
    }
  }
  require(at < line.size() && line[at] == ' ', "one space before the value");
  out.value = number(line.substr(at + 1));
  return out;
}

inline Parsed parse(const std::string& text) {
  Parsed out;
  std::istringstream in(text);
  std::set<std::string> names;
  std::set<std::map<std::string, std::string>> seen;
  bool ended = false;
  require(!text.empty() && text.back() == '\n', "the last line ends");
  for (std::string line; std::getline(in, line);) {
    require(!ended, "something behind # EOF");
    if (line == "# EOF") {
      ended = true;
      continue;
    }
    if (line.starts_with("# ")) {
      const std::size_t name_at = line.find(' ', 2), text_at = line.find(' ', name_at + 1);
      require(name_at != std::string::npos && text_at != std::string::npos, "metadata: " + line);
      const std::string what = line.substr(2, name_at - 2);
      const std::string name = line.substr(name_at + 1, text_at - name_at - 1);
      const std::string rest = line.substr(text_at + 1);
      if (what == "TYPE") {
        require(names.insert(name).second, "a family stands twice");
        require(rest == "gauge" || rest == "counter" || rest == "info", "type " + rest);
        out.families.push_back({name, rest, "", "", {}});
        seen.clear();
        continue;
      }
      require(!out.families.empty() && out.families.back().name == name, "metadata of another");
      Family& family = out.families.back();
      require(family.samples.empty(), "metadata behind samples");
      if (what == "UNIT") {
        require(family.unit.empty() && name.ends_with("_" + rest), "unit " + rest + " of " + name);
        family.unit = rest;
      } else {
        require(what == "HELP" && family.help.empty(), "metadata: " + line);
        std::size_t at = 0;
        family.help = unescaped(rest, at, false);
      }
      continue;
    }
    require(!out.families.empty(), "a sample without a family");
    Family& family = out.families.back();
    const Sample sample = sample_of(line);
    const std::string suffix = family.type == "counter" ? "_total"
                               : family.type == "info"  ? "_info"
                                                        : "";
    require(sample.name == family.name + suffix, "a sample of another family: " + line);
    require(seen.insert(sample.labels).second, "two samples with the same labels");
    family.samples.push_back(sample);
  }
  require(ended, "no # EOF");
  return out;
}

}  // namespace open_metrics
