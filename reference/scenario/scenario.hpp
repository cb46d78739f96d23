// One description of a run, which every command takes: the scenario.
//
// All fields stand in one table (fields.cpp): reading, range checks, writing, help and the JSON
// Schema beside this file are made from it, so a new field is one row. A scenario says nothing
// about how a schedule works; names of schedules and clusters are checked by those who know them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ringlab/reference/attention/rule.hpp"
#include "ringlab/reference/io/array.hpp"
#include "ringlab/reference/sequence/layout.hpp"
#include "ringlab/reference/sequence/rotation.hpp"

namespace ringlab {

struct Scenario {
  Index tokens = 4096;
  int heads = 8;
  std::optional<int> kv_heads;  // unset: as many as heads
  int head_dim = 64;
  int ranks = 4;
  LayoutKind layout = LayoutKind::zigzag;
  std::string layout_file;                                           // for LayoutKind::custom
  Mask mask{.causal = true, .window_left = {}, .window_right = {}};  // its `documents` stays false
  std::vector<Index> documents;  // lengths in tokens; non-empty: tokens see their document only
  std::optional<Index> query_tokens;  // unset: all; else the queries are the last so many positions
  std::string schedule = "ring";
  Rotation rotation = Rotation::next;
  std::string degree;  // "": the schedule's own choice; else the sizes of its mesh: "U=2,R=4"
  ElementType dtype = ElementType::float32;  // 16-bit inputs are for the CUDA devices
  std::optional<double> scale;               // unset: 1 / sqrt(head_dim)
  double soft_cap = 0;                       // 0: none
  std::vector<double> sinks;                 // one logit for each head, or none
  bool alibi = false;                        // with the slopes of the ALiBi paper
  double rotary_base = 0;                    // 0: no rotary embedding
  double dropout = 0;                        // probability
  std::uint64_t seed = 1;                    // below 2^53, so that every JSON reader keeps it
  bool backward = false;
  std::string input;     // "": Gaussian; else a text file, a folder, or .safetensors with q, k, v
  std::string hardware;  // "": none; else the name of a cluster for the simulator

  int key_value_heads() const { return kv_heads.value_or(heads); }

  bool operator==(const Scenario&) const = default;
};

/// Reads a JSON object. Throws InputError: a field that is unknown (with the nearest known one), of
/// the wrong type or out of range by its own name; text that is no JSON object by `source`.
Scenario parse_scenario(const std::string& json_text, const std::string& source);

/// The same from a file. Relative paths in `layout_file` and `input` start at the file's folder.
Scenario load_scenario(const std::filesystem::path& path);

/// Every field, one a line, in the order of the table; parse_scenario gives back an equal scenario.
std::string to_json(const Scenario& scenario);

/// Sets one field from the text of a command line: lists are 5+7+4 (numbers also 0.5,-1), `null` is
/// the unset value, and '-' in a name is '_'. Checks this field alone; call check() after the last.
void set_field(Scenario& scenario, const std::string& field, const std::string& text);

/// Throws InputError for the first thing that can be seen to be wrong without running or reading
/// files.
void check(const Scenario& scenario);

/// The mathematics of the scenario, checked.
AttentionRule rule_of(const Scenario& scenario);

/// All key positions [0, tokens) with their documents.
Positions sequence_of(const Scenario& scenario);
/// The last query_tokens of them.
Positions query_sequence_of(const Scenario& scenario);

/// Keys of each rank. Reads `layout_file` for a custom layout. With query_tokens, the layout holds
/// for the cached prefix and for the new tokens each by themselves.
Layout layout_of(const Scenario& scenario);
/// Queries of each rank: those of its keys that are among the last query_tokens positions.
Layout query_layout_of(const Scenario& scenario);
Layout query_layout_of(const Scenario& scenario, const Layout& keys);

/// One row of the table, for help texts.
struct FieldInfo {
  std::string name, type, range, default_text, help;
};
const std::vector<FieldInfo>& scenario_fields();

/// The fields as command-line flags, one or two lines each.
std::string scenario_help();

/// The JSON Schema (draft 7) of a scenario; reference/scenario/scenario.schema.json holds this
/// text.
std::string scenario_schema();

}  // namespace ringlab
