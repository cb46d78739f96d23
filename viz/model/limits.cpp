// Brings a scenario within what can be shown. Each change is said; nothing is refused that can be
// helped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/viz/model/simulated.hpp"

namespace ringlab::viz {
namespace {

// A default as the command line wants it: JSON without quotes and brackets.
std::string plain_text(const std::string& json) {
  const bool wrapped = json.size() >= 2 && (json.front() == '"' || json.front() == '[');
  return wrapped ? json.substr(1, json.size() - 2) : json;
}

class Fitter {
 public:
  Fitter(Scenario& scenario, StoryOptions& options) : s_(scenario), o_(options) {}

  std::vector<Sentence> fit() {
    clamp("tokens", s_.tokens, Index{0}, Limits::kTokens);
    clamp("ranks", s_.ranks, 1, Limits::kRanks);
    clamp("heads", s_.heads, 1, Limits::kHeads);
    clamp("head_dim", s_.head_dim, 1, Limits::kHeadDim);
    if (s_.kv_heads) clamp("kv_heads", *s_.kv_heads, 1, s_.heads);
    if (s_.kv_heads && s_.heads % *s_.kv_heads != 0) {
      int divisor = *s_.kv_heads;
      while (s_.heads % divisor != 0) --divisor;
      replaced("kv_heads", std::to_string(*s_.kv_heads), std::to_string(divisor));
      s_.kv_heads = divisor;
    }
    if (s_.query_tokens) clamp("query_tokens", *s_.query_tokens, Index{0}, s_.tokens);
    fit_documents();
    if (s_.dtype != ElementType::float32) {
      replaced("dtype", name(s_.dtype), "float32");
      s_.dtype = ElementType::float32;
    }
    if (!s_.sinks.empty() && s_.sinks.size() != static_cast<std::size_t>(s_.heads)) {
      replaced("sinks", fmt::format("{} numbers", s_.sinks.size()), "none");
      s_.sinks.clear();
    }
    fit_options();
    make_agree();
    fit_machine();
    return std::move(notes_);
  }

 private:
  void replaced(const std::string& field, const std::string& from, const std::string& to) {
    notes_.push_back({"note.replaced", {field, from, to}});
  }

  template <class T>
  void clamp(const char* field, T& value, T least, T most) {
    const T fit = std::clamp(value, least, most);
    if (fit == value) return;
    notes_.push_back({fit < value ? "note.clamped" : "note.raised",
                      {field, fmt::format("{}", value), fmt::format("{}", fit)}});
    value = fit;
  }
  void clamp_number(const char* field, double& value, double least, double most) {
    if (std::isnan(value)) value = least;
    clamp(field, value, least, most);
  }

  // The lengths have to add up to the tokens: the last one gives or takes.
  void fit_documents() {
    if (s_.documents.empty()) return;
    Index sum = 0;
    std::vector<Index> fitted;
    for (const Index length : s_.documents) {
      const Index fits = std::min(std::max(Index{1}, length), s_.tokens - sum);
      if (fits <= 0) break;
      fitted.push_back(fits);
      sum += fits;
    }
    if (sum < s_.tokens && !fitted.empty()) fitted.back() += s_.tokens - sum;
    if (fitted == s_.documents) return;
    replaced("documents", fmt::format("{}", fmt::join(s_.documents, "+")).substr(0, 60),
             fmt::format("{}", fmt::join(fitted, "+")).substr(0, 60));
    s_.documents = std::move(fitted);
  }

  void fit_options() {
    clamp_number("transfer_ratio", o_.transfer_ratio, 0, 100);
    clamp_number("slow_link_factor", o_.slow_link_factor, 1, 100);
    clamp_number("slow_rank_factor", o_.slow_rank_factor, 1, 100);
    clamp_number("pair_heads_per_unit", o_.pair_heads_per_unit, 0, 1e15);
    clamp_number("bytes_per_unit", o_.bytes_per_unit, 0, 1e15);
    clamp("slow_rank", o_.slow_rank, -1, s_.ranks - 1);
    clamp("slow_link_from", o_.slow_link_from, -1, s_.ranks - 1);
    clamp("slow_link_to", o_.slow_link_to, -1, s_.ranks - 1);
    clamp("node_size", o_.node_size, 0, s_.ranks);
  }

  // Tries, and gives up what the trial complains of, until it complains no more.
  void make_agree() {
    for (int tries = 0; tries < 20; ++tries) {
      try {
        check(s_);
        (void)schedule_of(s_);
        return;
      } catch (const InputError& error) {
        give_up(error);
      }
    }
    Scenario plain;
    plain.tokens = s_.tokens;
    plain.ranks = s_.ranks;
    notes_.push_back({"note.default_scenario", {}});
    s_ = plain;
  }

  void give_up(const InputError& error) {
    const Scenario defaults;
    const std::string& field = error.field();
    const Scenario before = s_;
    if (field == "degree" && !s_.degree.empty()) {
      s_.degree.clear();
    } else if (field == "degree" || field == "schedule") {
      s_.schedule = "ring";  // heads that do not divide, or a name that is not known
    } else if (field == "backward") {
      s_.backward = false;
    } else if (field == "rotary_base") {
      s_.rotary_base = 0;
    } else if (field == "layout_file" || field == "layout") {
      s_.layout = LayoutKind::zigzag;
      s_.layout_file.clear();
    } else if (field == "kv_heads" || field == "heads") {
      s_.kv_heads.reset();
    } else {
      for (const FieldInfo& info : scenario_fields()) {
        if (info.name == field) set_field(s_, field, plain_text(info.default_text));
      }
    }
    if (s_ == before) {  // not a field that has a default of its own
      s_ = defaults;
      s_.tokens = std::min(before.tokens, Limits::kTokens);
    }
    notes_.push_back({"note.given_up", {field, error.value(), error.remedy()}});
  }

  // The simulated clock: a length that is a multiple of what is drawn, on a cluster that holds the
  // ranks.
  void fit_machine() {
    clamp("simulated_tokens", o_.simulated_tokens, Index{0}, Limits::kSimulatedTokens);
    if (o_.simulated_tokens != 0 && s_.tokens > 0 && o_.simulated_tokens % s_.tokens != 0) {
      const Index times = std::max<Index>(1, (o_.simulated_tokens + s_.tokens / 2) / s_.tokens);
      replaced("simulated_tokens", fmt::format("{}", o_.simulated_tokens),
               fmt::format("{}", times * s_.tokens));
      o_.simulated_tokens = times * s_.tokens;
    }
    for (int tries = 0; tries < 4; ++tries) {
      try {
        check_simulated(s_, o_);
        return;
      } catch (const InputError& error) {
        notes_.push_back({"note.given_up", {error.field(), error.value(), error.remedy()}});
        if (error.field() == "simulated_tokens") {
          o_.simulated_tokens = 0;
        } else if (!o_.cluster.empty()) {
          o_.cluster.clear();
        } else if (!s_.hardware.empty()) {
          s_.hardware.clear();
        } else {
          o_.clock = Clock::ideal;
        }
      }
    }
  }

  Scenario& s_;
  StoryOptions& o_;
  std::vector<Sentence> notes_;
};

}  // namespace

std::vector<Sentence> fit_to_limits(Scenario& scenario, StoryOptions& options) {
  return Fitter(scenario, options).fit();
}

}  // namespace ringlab::viz
