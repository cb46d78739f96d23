// Exercises of lessons 11 to 13: meshes, layouts, what to pass round.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

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
  const auto add = [&](const std::vector<int>& sizes, int rank, const std::vector<int>& axes) {
    std::string mesh, along;
    for (const int size : sizes) mesh += (mesh.empty() ? "" : " x ") + std::to_string(size);
    for (const int axis : axes) along += (along.empty() ? "" : " and ") + std::to_string(axis);
    Case one{fmt::format("a mesh of {}, rank {}, {} {}", mesh, rank,
                         axes.size() == 1 ? "axis" : "axes", along),
             {static_cast<double>(rank), static_cast<double>(axes.size())}};
    one.input.insert(one.input.end(), axes.begin(), axes.end());
    one.input.insert(one.input.end(), sizes.begin(), sizes.end());
    cases.push_back(one);
  };
  for (const std::vector<int>& sizes : meshes) {
    int ranks = 1;
    for (const int size : sizes) ranks *= size;
    for (int rank = 0; rank < ranks; rank += (ranks > 8 ? 5 : 1)) {
      for (int axis = 0; axis < static_cast<int>(sizes.size()); ++axis) add(sizes, rank, {axis});
    }
  }
  for (const int rank : {0, 5, 13, 29}) {
    for (const std::vector<int>& axes :
         {std::vector{0, 1}, std::vector{0, 2}, std::vector{1, 2}, std::vector{0, 1, 2}}) {
      add({3, 5, 2}, rank, axes);
    }
  }
  return cases;
}

constexpr int kSeveralAxes = 16;

// Members of the group along the axes from `at` on: of each member along the first of them, its
// group along the others, by the library's mesh.
std::set<int> members_of(const Mesh& mesh, const std::vector<std::string>& axes, std::size_t at,
                         int rank) {
  if (at == axes.size()) return {rank};
  std::set<int> all;
  for (const int member : mesh.group(axes[at], rank)) {
    all.merge(members_of(mesh, axes, at + 1, member));
  }
  return all;
}

std::optional<Complaint> judge_mesh(const Case& c, const Answer& answer) {
  Degree degree;
  std::vector<std::string> all, along;
  int ranks = 1;
  const auto count = static_cast<std::size_t>(c.input[1]);
  for (std::size_t i = 2 + count; i < c.input.size(); ++i) {
    all.push_back("A" + std::to_string(all.size()));
    degree.emplace_back(all.back(), static_cast<int>(c.input[i]));
    ranks *= static_cast<int>(c.input[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    along.push_back(all[static_cast<std::size_t>(c.input[2 + i])]);
  }
  const Mesh mesh(degree, all, ranks);
  const std::set<int> members = members_of(mesh, along, 0, static_cast<int>(c.input[0]));
  const std::vector<double> right(members.begin(), members.end());
  if (answer.size() != right.size()) {
    return Complaint{"members of the group", std::to_string(answer.size()),
                     std::to_string(right.size())};
  }
  return compare(answer, right, 0, [](std::size_t i) { return fmt::format("member {}", i); });
}

std::optional<std::string> second_mesh(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kSeveralAxes; i < cases.size(); ++i) {
    if (const auto complaint = judge_mesh(cases[i], answers[i])) {
      return fmt::format("{}: {} is {} and not {}", cases[i].given, complaint->where,
                         complaint->right, complaint->found);
    }
  }
  return std::nullopt;
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

constexpr int kWaysHome = 40;

std::vector<Case> pass_cases() {
  std::vector<Case> cases;
  Draw draw(13);
  for (int i = 0; i < 40 + kWaysHome; ++i) {
    const double kv = static_cast<double>(draw.integer(1, 8));
    const double group = i == 0 ? 4 : static_cast<double>(draw.integer(1, 16)), q = kv * group;
    const double fresh = 8 * static_cast<double>(draw.integer(1, 64));
    // Equal at first; then on both sides of either rule, P / T = group / 2 - 1 and about three
    // times that with the way home.
    const double cached = i == 0 ? fresh : 8 * std::floor(fresh * draw.real(0, 2 * group) / 8);
    cases.push_back({fmt::format("{:.0f} query and {:.0f} key/value heads of 128, {:.0f} new "
                                 "tokens after {:.0f} cached ones{}",
                                 q, kv, fresh, cached, i < 40 ? "" : ", way home counted"),
                     {q, kv, fresh, cached, i < 40 ? 0.0 : 1.0}});
  }
  return cases;
}

// By the ledgers of both rings over 4 ranks; partial results that are left out take no bytes.
std::optional<Complaint> judge_pass(const Case& c, const Answer& answer) {
  const auto fresh = static_cast<Index>(c.input[2]), cached = static_cast<Index>(c.input[3]);
  const auto bytes = [&](const char* schedule) {
    const ScheduleProblem problem{
        make_layout(LayoutKind::contiguous, Positions::contiguous(cached, fresh), 4),
        make_layout(LayoutKind::contiguous, whole_sequence(cached + fresh), 4),
        static_cast<int>(c.input[0]),
        static_cast<int>(c.input[1]),
        128,
        Rotation::next,
        {}};
    return make_ledger(catalog_entry(schedule).forward(problem), {}, {2, c.input[4] != 0 ? 4 : 0})
        .ranks[0]
        .bytes_sent;
  };
  const bool right = bytes("query_ring") <= bytes("ring");
  if (!answer.empty() && (answer[0] != 0) == right) return std::nullopt;
  return Complaint{"",
                   answer.empty() ? "nothing"
                   : right        ? "pass keys and values"
                                  : "pass queries",
                   right ? "pass queries" : "pass keys and values"};
}

std::optional<std::string> second_pass(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kWaysHome; i < cases.size(); ++i) {
    if (const auto complaint = judge_pass(cases[i], answers[i])) {
      return fmt::format("{}: {}", cases[i].given, complaint->right);
    }
  }
  return std::nullopt;
}

}  // namespace

void add_planning_problems(std::vector<Problem>& list) {
  list.push_back({"group_mesh", "11-the-family",
                  "std::vector<long long> group(long long rank, const std::vector<long long>& "
                  "axes, const std::vector<long long>& sizes)",
                  mesh_cases, judge_mesh, second_mesh, kSeveralAxes});
  list.push_back({"choose_layout", "12-layouts-4d-5d",
                  "Degrees choose_layout(Heads heads, long long gpus, long long gpus_per_node)",
                  layout_cases, judge_layout, second_layout});
  list.push_back(
      {"pass_queries", "13-inference",
       "bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens, bool "
       "way_home)",
       pass_cases, judge_pass, second_pass, kWaysHome});
}

}  // namespace ringlab::exercise
