// Exercises of lessons 11 to 13: meshes, layouts, what to pass round.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ringlab/lessons/exercise/problems.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"

namespace ringlab::exercise {
namespace {

// --- 11: the members of a group ------------------------------------------------------------------

std::vector<Case> mesh_cases() {
  std::vector<Case> cases;
  const std::vector<std::vector<int>> meshes = {{4},       {2, 4},    {4, 2},
                                                {2, 2, 2}, {8, 1, 3}, {3, 5, 2}};
  for (const std::vector<int>& sizes : meshes) {
    int ranks = 1;
    std::string text;
    for (const int size : sizes) {
      ranks *= size;
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    }
    for (int rank = 0; rank<ranks; rank += ranks> 8 ? 5 : 1) {
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        Case one{fmt::format("a mesh of {}, rank {}, axis {}", text, rank, axis),
                 {static_cast<double>(rank), static_cast<double>(axis)}};
        for (const int size : sizes) one.input.push_back(size);
        cases.push_back(one);
      }
    }
  }
  return cases;
}

std::optional<Complaint> judge_mesh(const Case& c, const Answer& answer) {
  Degree degree;
  std::vector<std::string> axes;
  int ranks = 1;
  for (std::size_t i = 2; i < c.input.size(); ++i) {
    axes.push_back("A" + std::to_string(i - 2));
    degree.emplace_back(axes.back(), static_cast<int>(c.input[i]));
    ranks *= static_cast<int>(c.input[i]);
  }
  const Mesh mesh(degree, axes, ranks);
  std::vector<double> right;
  for (const int member :
       mesh.group(axes[static_cast<std::size_t>(c.input[1])], static_cast<int>(c.input[0]))) {
    right.push_back(member);
  }
  if (answer.size() != right.size()) {
    return Complaint{"members of the group", std::to_string(answer.size()),
                     std::to_string(right.size())};
  }
  return compare(answer, right, 0, [](std::size_t i) { return fmt::format("member {}", i); });
}

// --- 12: choose a layout -------------------------------------------------------------------------

std::vector<Case> layout_cases() {
  std::vector<Case> cases;
  const auto add = [&](double q, double kv, double gpus, double node) {
    cases.push_back({fmt::format("{:.0f} query and {:.0f} key/value heads, {:.0f} GPUs in nodes of "
                                 "{:.0f}",
                                 q, kv, gpus, node),
                     {q, kv, gpus, node}});
  };
  add(32, 8, 8, 8);
  add(32, 8, 16, 8);
  add(32, 32, 8, 8);
  add(28, 4, 8, 8);  // 28 heads: no degree of 8
  add(40, 8, 16, 8);
  add(5, 1, 8, 8);  // nothing but 1 divides both
  add(64, 8, 32, 4);
  add(96, 96, 64, 8);
  add(8, 2, 4, 4);
  add(12, 12, 6, 6);
  return cases;
}

bool fits(const Case& c, int ulysses, int ring) {
  const int heads = static_cast<int>(c.input[0]), gpus = static_cast<int>(c.input[2]);
  return ulysses >= 1 && ring >= 1 && ulysses * ring == gpus && heads % ulysses == 0 &&
         ulysses <= static_cast<int>(c.input[3]);
}

// What a rank sends, counted by the ledger of the schedule itself.
double bytes_of_layout(const Case& c, int ulysses, int ring) {
  const int gpus = ulysses * ring;
  const Layout layout = make_layout(LayoutKind::contiguous, whole_sequence(Index{8} * gpus), gpus);
  const ScheduleProblem problem{
      layout, layout,         static_cast<int>(c.input[0]), static_cast<int>(c.input[1]),
      8,      Rotation::next, {{"U", ulysses}, {"R", ring}}};
  const Ledger ledger = make_ledger(catalog_entry("ulysses_ring").forward(problem), {}, {2, 4, 2});
  Index most = 0;
  for (const RankLedger& rank : ledger.ranks) most = std::max(most, rank.bytes_sent);
  return static_cast<double>(most);
}

std::optional<Complaint> judge_layout(const Case& c, const Answer& answer) {
  if (answer.size() < 2) return Complaint{"", "nothing", "two degrees"};
  const int u = static_cast<int>(answer[0]), r = static_cast<int>(answer[1]);
  if (fits(c, u, r)) return std::nullopt;
  const std::string found = fmt::format("Ulysses {}, ring {}", u, r);
  if (u * r != static_cast<int>(c.input[2])) {
    return Complaint{"the product of the degrees", found, number_text(c.input[2]) + " GPUs"};
  }
  if (u < 1 || static_cast<int>(c.input[0]) % u != 0) {
    return Complaint{"the Ulysses degree", found, "a divisor of the query heads"};
  }
  return Complaint{"the Ulysses degree", found, "at most the GPUs of a node"};
}

std::optional<std::string> second_layout(const std::vector<Case>& cases,
                                         const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const int gpus = static_cast<int>(cases[i].input[2]);
    double least = std::numeric_limits<double>::infinity();
    int best = 1;
    for (int u = 1; u <= gpus; ++u) {
      if (gpus % u != 0 || !fits(cases[i], u, gpus / u)) continue;
      const double bytes = bytes_of_layout(cases[i], u, gpus / u);
      if (bytes < least) {
        least = bytes;
        best = u;
      }
    }
    const int u = static_cast<int>(answers[i][0]), r = static_cast<int>(answers[i][1]);
    const double yours = bytes_of_layout(cases[i], u, r);
    if (yours > least) {
      return fmt::format(
          "{}: Ulysses {}, ring {} sends {:.2f} times what Ulysses {}, ring {} sends",
          cases[i].given, u, r, yours / least, best, gpus / best);
    }
  }
  return std::nullopt;
}

// --- 13: pass keys and values, or queries? -------------------------------------------------------

std::vector<Case> pass_cases() {
  std::vector<Case> cases;
  Draw draw(13);
  for (int i = 0; i < 40; ++i) {
    const double kv = static_cast<double>(draw.integer(1, 8));
    const double q = kv * static_cast<double>(draw.integer(1, 16));
    const double fresh = 8 * static_cast<double>(draw.integer(1, 64));
    const double cached = 8 * static_cast<double>(draw.integer(0, 1000));
    cases.push_back({fmt::format("{:.0f} query and {:.0f} key/value heads, {:.0f} new tokens after "
                                 "{:.0f} cached ones",
                                 q, kv, fresh, cached),
                     {q, kv, fresh, cached}});
  }
  return cases;
}

// What travels in one hop, in numbers: K and V of a shard of all tokens, or Q of a shard of the new
// ones.
std::optional<Complaint> judge_pass(const Case& c, const Answer& answer) {
  const double keys_and_values = 2 * (c.input[2] + c.input[3]) * c.input[1];
  const double queries = c.input[2] * c.input[0];
  const bool right = queries <= keys_and_values;
  if (!answer.empty() && (answer[0] != 0) == right) return std::nullopt;
  return Complaint{"",
                   answer.empty() ? "nothing"
                   : right        ? "pass keys and values"
                                  : "pass queries",
                   right ? "pass queries" : "pass keys and values"};
}

}  // namespace

void add_planning_problems(std::vector<Problem>& list) {
  list.push_back({"group_mesh", "11-the-family",
                  "std::vector<long long> group(long long rank, long long axis, "
                  "const std::vector<long long>& sizes)",
                  mesh_cases, judge_mesh});
  list.push_back({"choose_layout", "12-layouts-4d-5d",
                  "Degrees choose_layout(Heads heads, long long gpus, long long gpus_per_node)",
                  layout_cases, judge_layout, second_layout});
  list.push_back({"pass_queries", "13-inference",
                  "bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens)",
                  pass_cases, judge_pass});
}

}  // namespace ringlab::exercise
