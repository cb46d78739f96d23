// The scenario's fields as command-line flags: one for each row of its table, over a scenario file.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "ringlab/reference/scenario/scenario.hpp"

namespace ringlab::cli {

class ScenarioFlags {
 public:
  /// Adds the scenario file, by default as [SCENARIO.json], and a flag for every field but those in
  /// `without`.
  void add_to(CLI::App& command, const std::vector<std::string>& without = {},
              const std::string& file_option = "scenario");

  /// Defaults, then the file, then the flags; checked field by field, not yet as a whole. Fields of
  /// `base` stand where neither file nor flag says otherwise.
  Scenario scenario(const Scenario& base = {}) const;
  /// Names of the fields that a flag or the file has set.
  std::vector<std::string> given() const;

 private:
  std::string file_;
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> switches_;
  std::map<std::string, CLI::Option*> options_;
};

}  // namespace ringlab::cli
