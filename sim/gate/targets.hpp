// What has to be true before a roll-out, as a file that is written before anything is measured.
//
// The one idea: latency, quality and cost are all stated, or one of them is waived with a reason
// that every report repeats. A file that only asks for what is known to be good is refused.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringlab {

/// latency: how long; quality: how far from the reference; cost: what it takes (money, memory,
/// bytes); other: anything else.
enum class TargetKind { latency, quality, cost, other };

const char* name(TargetKind kind);

/// One figure and its bounds. At least one of at_most, at_least, equals and drift_percent is set.
struct Target {
  std::string metric;  // path in a result: see result.hpp
  std::string in;      // label of the results that must carry it, or ""; "ring-*" for a family
  TargetKind kind = TargetKind::other;
  std::optional<double> at_most, at_least;
  std::optional<std::variant<bool, std::string>> equals;
  /// Largest change against the baseline: for the worse where one bound says what worse is, either
  /// way otherwise.
  std::optional<double> drift_percent;
  std::string unit;  // "s", for people
  std::string why;   // for people

  bool operator==(const Target&) const = default;
};

struct Targets {
  std::string name;
  std::vector<Target> targets;
  std::map<TargetKind, std::string> waived;  // a kind that is not stated, and why
  bool operator==(const Targets&) const = default;
};

/// Reads a targets file. Throws InputError, with a field such as "targets.json:
/// targets[2].at_most", for an unknown field, bounds that contradict each other, a metric that is
/// no path, the same metric twice, or a kind neither stated nor waived.
Targets parse_targets(std::string_view text, const std::string& source);
Targets load_targets(const std::filesystem::path& file);

}  // namespace ringlab
