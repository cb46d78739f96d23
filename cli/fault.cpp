#include "cli/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/console.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity; null says that NaN or infinities stand in the wrong places.
Json number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

// "0-3, 8": positions as ranges.
std::string ranges(const std::vector<Index>& sorted) {
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t j = i;
    while (j + 1 < sorted.size() && sorted[j + 1] == sorted[j] + 1) ++j;
    if (++shown > 8) return text + ", ...";
    text += text.empty() ? "" : ", ";
    text += i == j ? std::to_string(sorted[i]) : fmt::format("{}-{}", sorted[i], sorted[j]);
    i = j + 1;
  }
  return text;
}

std::string flags_of(const PlantedFault& fault) {
  std::string text = "ringlab run --fault " + fault.name;
  const auto add = [&](const auto& fields) {
    for (const auto& [field, value] : fields) {
      if (field == "backward") {
        text += " --backward";
        continue;
      }
      std::string flag = field;
      std::replace(flag.begin(), flag.end(), '_', '-');
      text += fmt::format(" --{} {}", flag, value);
    }
  };
  auto fields = fault_probe();
  for (const auto& own : fault.fields) {
    const auto at = std::find_if(fields.begin(), fields.end(),
                                 [&](const auto& field) { return field.first == own.first; });
    if (at != fields.end()) {
      at->second = own.second;
    } else {
      fields.push_back(own);
    }
  }
  add(fields);
  return text;
}

}  // namespace

int list_faults(bool json) {
  Json list = Json::array();
  for (const PlantedFault& fault : fault_catalog()) {
    if (!json) {
      fmt::print("{:<10}{:<26}{}\n", name(fault.part), fault.name, fault.title);
      continue;
    }
    list.push_back({{"name", fault.name},
                    {"part", name(fault.part)},
                    {"title", fault.title},
                    {"symptom", fault.symptom},
                    {"cause", fault.cause},
                    {"seen", fault.seen},
                    {"fingerprint", fault.fingerprint},
                    {"found_by_checker", fault.found_by_checker},
                    {"try", flags_of(fault)}});
  }
  if (json) {
    fmt::print("{}\n", Json{{"faults", list}}.dump(1));
  } else {
    fmt::print("\nEach is told in full by --fault list --json, with a command that shows it.\n");
  }
  return kGood;
}

void print_symptoms(const Symptoms& s) {
  const auto line = [](const char* what, const std::string& text) {
    fmt::print("{:<12}{}\n", what, text);
  };
  std::string ranks;
  for (std::size_t r = 0; r < s.ranks.size() && r < 16; ++r) {
    ranks += fmt::format("{}{} of {}", r == 0 ? "" : ", ", s.ranks[r].wrong_rows, s.ranks[r].rows);
  }
  line("wrong rows", ranks + (s.ranks.size() > 16 ? ", ..." : "") + " on ranks 0, 1, ...");
  if (!s.wrong_positions.empty()) line("", "at positions " + ranges(s.wrong_positions));
  line("lse", std::isfinite(s.lse_error) ? fmt::format("largest difference {:.2e}", s.lse_error)
                                         : std::string("infinite or NaN where it should not be"));
}

Json symptoms_json(const Symptoms& s) {
  Json wrong = Json::array(), rows = Json::array();
  for (const RankSymptoms& rank : s.ranks) {
    rows.push_back(rank.rows);
    wrong.push_back(rank.wrong_rows);
  }
  return {{"rows_per_rank", rows},
          {"wrong_rows_per_rank", wrong},
          {"wrong_positions", s.wrong_positions},
          {"lse_max_abs_error", number(s.lse_error)}};
}

}  // namespace ringlab::cli
