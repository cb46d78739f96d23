// The exercise of lesson 14: runs with a planted fault, of which the learner's program gets the
// errors row by row, and never the name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/lessons/exercise/problems.hpp"
#include "ringlab/reference/fault/fault.hpp"
#include "ringlab/reference/session/symptoms.hpp"

namespace ringlab::exercise {
namespace {

// As in enum class Fault of name_the_fault.hpp.
const char* const kFaults[] = {"none",
                               "merge_newest_only",
                               "merge_without_rescale",
                               "lse_base_two",
                               "lse_of_empty_wins",
                               "mask_local_indices",
                               "mask_strict_diagonal",
                               "mask_other_direction",
                               "scale_forgotten",
                               "kv_head_modulo",
                               "last_hop_skipped",
                               "gradient_one_hop_too_far",
                               "gradient_local_kv",
                               "gradient_group_mean"};
constexpr std::size_t kFaultCount = std::size(kFaults);

struct Setting {
  const char* layout;
  int ranks, tokens, query_heads, kv_heads, seed;
};

// Zigzag needs 2 tokens in each of its 2 R chunks: row 1 is in the chunk of row 0.
constexpr Setting kSettings[] = {{"zigzag", 4, 16, 4, 2, 11},
                                 {"contiguous", 3, 24, 6, 3, 12},
                                 {"contiguous", 4, 16, 8, 2, 13},
                                 {"zigzag", 3, 12, 4, 2, 14},
                                 {"zigzag", 8, 32, 4, 2, 15}};

struct Finished {
  Session session;
  std::vector<AttentionOutput<double>> outputs;
};

Finished run(const Setting& setting, const std::string& fault) {
  Scenario scenario;
  scenario.tokens = setting.tokens;
  scenario.heads = setting.query_heads;
  scenario.kv_heads = setting.kv_heads;
  scenario.head_dim = 8;
  scenario.ranks = setting.ranks;
  scenario.layout =
      std::string(setting.layout) == "zigzag" ? LayoutKind::zigzag : LayoutKind::contiguous;
  scenario.rotary_base = 10000;
  scenario.dtype = ElementType::float64;
  scenario.backward = true;
  scenario.seed = static_cast<std::uint64_t>(setting.seed);
  Session session = open_session(scenario);
  if (fault != "none") plant(planted_fault(fault), session.plan);
  auto outputs = run_attention_threads<double>(
      session.plan, [&](int rank) { return session.shard<double>(rank); });
  return {std::move(session), std::move(outputs)};
}

// What the learner may ask about: for each row and head the output's and the log-sum-exp's error.
void add_rows(const Finished& found, const Finished& right, Case& one) {
  const auto& layout = right.session.plan.forward.query_layout;
  const Index heads = right.session.plan.rule.query_heads;
  const auto rows = static_cast<std::size_t>(right.session.scenario.tokens * heads);
  std::vector<double> outs(rows), lses(rows);
  for (std::size_t r = 0; r < layout.size(); ++r) {
    const std::vector<Place> places = layout[r].expand();
    const Partial<double>&f = found.outputs[r].result, &t = right.outputs[r].result;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (Index head = 0; head < heads; ++head) {
        const auto row = static_cast<Index>(i);
        const auto at = static_cast<std::size_t>(places[i].position * heads + head);
        for (Index d = 0; d < t.out.head_dim(); ++d) {
          outs[at] = std::max(outs[at], std::abs(f.out(row, head, d) - t.out(row, head, d)));
        }
        lses[at] = f.lse(row, head, 0) - t.lse(row, head, 0);
      }
    }
  }
  one.input.insert(one.input.end(), outs.begin(), outs.end());
  one.input.insert(one.input.end(), lses.begin(), lses.end());
}

std::vector<Case> fault_cases() {
  std::vector<Case> cases;
  Draw draw(14);
  for (const Setting& s : kSettings) {
    const Finished right = run(s, "none");
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < kFaultCount; ++i) {
      order.insert(order.begin() + draw.integer(0, static_cast<long long>(i)), i);
    }
    for (const std::size_t fault : order) {
      const Finished found = run(s, kFaults[fault]);
      const Symptoms symptoms = ringlab::symptoms(found.session, found.outputs, 1e-9);
      Case one{fmt::format("run {}: {} ranks, {} layout, {} tokens, {}/{} heads", cases.size() + 1,
                           s.ranks, s.layout, s.tokens, s.query_heads, s.kv_heads),
               {static_cast<double>(s.ranks), static_cast<double>(s.tokens),
                static_cast<double>(s.query_heads), static_cast<double>(s.kv_heads),
                std::string(s.layout) == "zigzag" ? 1.0 : 0.0},
               {static_cast<double>(fault)}};
      add_rows(found, right, one);
      one.input.insert(one.input.end(), {symptoms.query_gradient_error.value_or(0),
                                         symptoms.key_gradient_error.value_or(0),
                                         symptoms.value_gradient_error.value_or(0)});
      cases.push_back(one);
    }
  }
  // A stub that says `none` shall see a fault first.
  const auto faulty =
      std::find_if(cases.begin(), cases.end(), [](const Case& one) { return one.kept[0] != 0; });
  std::iter_swap(cases.begin(), faulty);
  return cases;
}

std::optional<Complaint> judge_fault(const Case& c, const Answer& answer) {
  const auto right = static_cast<std::size_t>(c.kept[0]);
  const double found = answer.empty() ? -1 : answer[0];
  if (found == c.kept[0]) return std::nullopt;
  const bool known = found >= 0 && found < static_cast<double>(kFaultCount);
  return Complaint{"", known ? kFaults[static_cast<std::size_t>(found)] : "none of the list",
                   kFaults[right]};
}

std::optional<std::string> second_fault(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  constexpr double kEnough = 6;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (answers[i].back() > kEnough) {
      return fmt::format("{}: you ask {:.0f} questions; six are enough", cases[i].given,
                         answers[i].back());
    }
  }
  return std::nullopt;
}

}  // namespace

void add_museum_problems(std::vector<Problem>& list) {
  list.push_back({"name_the_fault", "14-museum-of-mistakes", "Fault name_the_fault(WrongRun& run)",
                  fault_cases, judge_fault, second_fault});
}

}  // namespace ringlab::exercise
