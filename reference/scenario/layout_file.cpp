#include "ringlab/reference/scenario/layout_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/io/limits.hpp"

namespace ringlab {
namespace {

using detail::Json;

constexpr const char* kField = "layout_file";

[[noreturn]] void refuse(const std::string& value, const std::string& remedy) {
  throw InputError(kField, value, remedy);
}

// An integer of the file; the remedy of a bad one begins with where it stands.
Index integer(const Json& value, const std::string& where, Index least, Index most) {
  try {
    return detail::integer_from(value, kField, least, most);
  } catch (const InputError& error) {
    refuse(fmt::format("{}: {}", where, error.value()), error.remedy());
  }
}

Layout from_owners(const Json& owners, const Positions& sequence, int ranks) {
  if (!owners.is_array()) refuse("owners", "give a list with the rank of each token");
  if (static_cast<Index>(owners.size()) != sequence.size()) {
    refuse(fmt::format("{} owners", owners.size()),
           fmt::format("give one for each of the {} tokens", sequence.size()));
  }
  std::vector<int> ranks_of;
  ranks_of.reserve(owners.size());
  for (const Json& owner : owners) {
    const std::string where = fmt::format("owner of token {}", ranks_of.size());
    ranks_of.push_back(static_cast<int>(integer(owner, where, 0, ranks - 1)));
  }
  return custom_layout(sequence, ranks_of, ranks);
}

Run run_from(const Json& value, const std::string& where, Index tokens) {
  if (!value.is_object()) refuse(where, "give an object {first, stride, count}");
  Run run;
  bool first = false, count = false;
  for (const auto& [key, item] : value.items()) {
    const std::string here = where + ": " + key;
    if (key == "first") {
      run.first = integer(item, here, 0, std::max<Index>(tokens - 1, 0));
      first = true;
    } else if (key == "stride") {
      run.stride = integer(item, here, 1, std::max<Index>(tokens, 1));
    } else if (key == "count") {
      run.count = integer(item, here, 0, tokens);
      count = true;
    } else {
      refuse(here, "keep first, stride and count only");
    }
  }
  if (!first || !count) refuse(where, "give first and count");
  if (run.count > 0 && run.at(run.count - 1) >= tokens) {
    refuse(fmt::format("{}: last token {}", where, run.at(run.count - 1)),
           fmt::format("end below {}, the number of tokens", tokens));
  }
  return run;
}

// Cuts a run where a document ends; `sequence` is [0, tokens) in order.
void add_by_document(const Run& run, const Positions& sequence, std::vector<Run>& out) {
  for (const Run& document : sequence.runs()) {
    const Index end = document.first + document.count;
    const auto index_at = [&](Index position) {  // the first i with run.at(i) >= position
      const Index i = (position - run.first + run.stride - 1) / run.stride;
      return position <= run.first ? 0 : std::min(i, run.count);
    };
    const Index begin = index_at(document.first), stop = index_at(end);
    if (begin < stop) out.push_back({run.at(begin), run.stride, stop - begin, document.document});
  }
}

Layout from_shards(const Json& shards, const Positions& sequence, int ranks) {
  if (!shards.is_array()) refuse("shards", "give a list with the runs of each rank");
  if (static_cast<int>(shards.size()) != ranks) {
    refuse(fmt::format("{} shards", shards.size()),
           fmt::format("give one for each of {} ranks", ranks));
  }
  const Index tokens = sequence.size();
  std::vector<bool> held(static_cast<std::size_t>(tokens), false);
  Layout layout;
  for (std::size_t r = 0; r < shards.size(); ++r) {
    if (!shards[r].is_array()) refuse(fmt::format("shard {}", r), "give a list of runs");
    std::vector<Run> runs;
    for (std::size_t i = 0; i < shards[r].size(); ++i) {
      const Run run = run_from(shards[r][i], fmt::format("shard {} run {}", r, i), tokens);
      for (Index t = 0; t < run.count; ++t) {
        const auto token = static_cast<std::size_t>(run.at(t));
        if (held[token]) {
          refuse(fmt::format("shard {} run {}: token {}", r, i, token),
                 "this token is held twice; give each token to exactly one rank");
        }
        held[token] = true;
      }
      add_by_document(run, sequence, runs);
    }
    layout.push_back(Positions(runs));
  }
  const auto missing = std::find(held.begin(), held.end(), false);
  if (missing != held.end()) {
    refuse(fmt::format("token {}", missing - held.begin()),
           "no rank holds this token; give each token to exactly one rank");
  }
  return layout;
}

}  // namespace

Layout parse_layout(const std::string& text, const std::string& source, const Positions& sequence,
                    int ranks) {
  Json json;
  try {
    json = detail::parse_json(text, kField);
  } catch (const InputError& error) {
    refuse(source + ": " + error.value(), error.remedy());
  }
  if (!json.is_object() || json.size() != 1 ||
      !(json.contains("owners") || json.contains("shards"))) {
    refuse(source, "give a JSON object with either owners or shards, and nothing else");
  }
  return json.contains("owners") ? from_owners(json["owners"], sequence, ranks)
                                 : from_shards(json["shards"], sequence, ranks);
}

Layout read_layout(const std::filesystem::path& path, const Positions& sequence, int ranks) {
  return parse_layout(read_file(path, kField, kLargestJsonFile), path.string(), sequence, ranks);
}

}  // namespace ringlab
