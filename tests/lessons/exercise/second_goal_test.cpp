// Second goals: for each exercise an answer that is right and plain, which is accepted and told
// what is still to be had. That the stored solution meets the goal is tested beside the stubs.
#include <set>

#include "tests/lessons/exercise/support.hpp"

using namespace ringlab;
using namespace ringlab::exercise;

namespace {

struct Plain {
  const char* problem;
  std::string text;
  const char* told;  // a part of what it is told
};

std::vector<Plain> plain_answers() {
  const auto changed = [](const char* problem, const char* what, const char* with) {
    return replaced(solution_of(problem), what, with);
  };
  return {
      {"kv_cache_bytes",  // shares a token that is left over on each rank
       changed("kv_cache_bytes",
               "static_cast<long long>(bytes / kv_cache_bytes(model, 1, 1)) * ranks",
               "static_cast<long long>(bytes * ranks / kv_cache_bytes(model, 1, 1))"),
       "131071 bytes on each of 3 ranks hold 0 tokens and not 2"},
      {"tile_class", changed("tile_class", "window >= 0", "false"), ", window "},
      {"online_softmax",  // two passes over the scores
       changed("online_softmax", "double m = -INFINITY, l = 0",
               "for (long long j = 0; j < row.size(); ++j) row.score(j);\n"
               "  double m = -INFINITY, l = 0"),
       "2.0 times"},
      {"merge_partials", R"(
#include "exercise.hpp"
Partial merge(const Partial& a, const Partial& b) {
  if (a.lse == -INFINITY) return b;
  if (b.lse == -INFINITY) return a;
  const double m = std::fmax(a.lse, b.lse);
  const double wa = std::exp(a.lse - m), wb = std::exp(b.lse - m);
  Partial sum = a;
  for (std::size_t d = 0; d < sum.out.size(); ++d) {
    sum.out[d] = (wa * a.out[d] + wb * b.out[d]) / (wa + wb);
  }
  sum.lse = m + std::log(wa + wb);
  return sum;
}
)",
       "2 calls of exp; one is enough"},
      {"position_runs", changed("position_runs", "if (!runs.empty())", "if (false)"), "runs where"},
      {"zigzag_owner",
       changed("zigzag_owner", "((position + 1) * chunks - 1) / tokens",
               "position / (tokens / chunks)"),
       "lengths that 2 R does not divide"},
      {"ring_builder",  // the block is passed on once more than anybody needs it
       changed("ring_builder", "const bool last = hop == ranks - 1;",
               "const bool last = ranks == 1;"),
       "4 transfers where 2 will do"},
      {"ring_bytes", R"(
#include "exercise.hpp"
double ring_bytes(const std::vector<long long>& tokens, long long rank, Heads heads,
                  long long bytes) {
  return 2.0 * (tokens.size() - 1) * tokens[rank] * heads.kv_heads * heads.head_dim * bytes;
}
)",
       "5 ranks with 7, 11, 13, 17 and 19 tokens, rank 0"},
      {"smallest_block", changed("smallest_block", "machine.latency_seconds", "0"), "us latency"},
      {"visible_pairs",  // a loop over tokens never ends on a billion of them
       changed("visible_pairs", "const double n = static_cast<double>(run.count);",
               "volatile double sink = 0;\n"
               "    for (long long i = 0; i < 4 * run.count; ++i) sink = sink + 1;\n"
               "    const double n = static_cast<double>(run.count);"),
       "2^32"},
      {"score_gradients", R"(
#include "score_gradients.hpp"
std::vector<double> score_gradients(const ScoreRow& row, long long first, long long last) {
  std::vector<double> p, dp;
  double sum = 0, delta = 0;
  for (long long j = 0; j < row.keys(); ++j) {
    p.push_back(std::exp(row.score(j)));
    dp.push_back(0);
    for (long long d = 0; d < row.dim(); ++d) dp.back() += row.dout(d) * row.value(j, d);
    sum += p.back();
    delta += p.back() * dp.back();
  }
  std::vector<double> ds;
  for (long long j = first; j < last; ++j) ds.push_back(p[j] / sum * (dp[j] - delta / sum));
  return ds;
}
)",
       "numbers where"},
      {"lse_base", R"(
#include "lse_base.hpp"
double lse_factor(Rows& rows) {
  const double ln2 = std::log(2.0);
  for (const double factor : {1.0, 1 / ln2, ln2}) {
    double worst = 0;
    for (long long i = 0; i < rows.size(); ++i) {
      worst = std::fmax(worst, std::fabs(rows.found(i) - factor * rows.right(i)));
    }
    if (worst < 0.1) return factor;
  }
  return 0;
}
)",
       "40.0 rows of a case on average; four are enough"},
      {"split_mlp",  // a whole all-reduce where half of one would do
       replaced(changed("split_mlp", "Passed train",
                        "static Everywhere own_part(Everywhere sum) {\n"
                        "  const long long ranks = sum.size();\n"
                        "  const long long part = sum[0].rows / ranks;\n"
                        "  for (long long r = 0; r < ranks; ++r)\n"
                        "    sum[r] = rows_of(sum[r], r * part, part);\n"
                        "  return sum;\n"
                        "}\n"
                        "Passed train"),
                "group.reduce_scatter(share)", "own_part(group.all_reduce(share))"),
       "2 ranks, 2 tokens of 1 numbers, 2 columns inside: a rank sends 6 numbers where 5 will do"},
      {"group_mesh", changed("group_mesh", "axis : axes", "axis : {axes[0]}"), "axes 0 and 1"},
      {"choose_layout", changed("choose_layout", "u <= gpus_per_node", "u <= 1"), "times what"},
      {"pass_queries", changed("pass_queries", "way_home ? 4 * (heads.head_dim + 1) : 0", "0"),
       "way home counted: pass keys and values"},
      {"name_the_fault",  // looks at everything first
       changed("name_the_fault", "const double first",
               "for (long long p = 0; p < run.tokens; ++p) run.out_error(p, 0);\n"
               "  const double first"),
       "questions; six are enough"},
      {"evidence_gate",
       replaced(changed("evidence_gate", "if (t.drift_percent && t.baseline)", "if (false)"),
                "&& (!t.drift_percent || t.baseline)", ""),
       "drift at most"},
  };
}

}  // namespace

TEST_CASE("every exercise has a second goal that is measured, and a plain right answer misses it") {
  std::set<std::string> tried;
  for (const Plain& plain : plain_answers()) {
    INFO(plain.problem);
    tried.insert(plain.problem);
    const Checked c = check_named(plain.problem, plain.text);
    INFO(c.trouble << c.given << " " << c.complaint.where << " " << c.complaint.found << " for "
                   << c.complaint.right);
    CHECK(c.verdict == Verdict::right);
    CHECK(c.has_second);
    INFO(c.second.value_or("the goal is met"));
    CHECK(c.second.value_or("").find(plain.told) != std::string::npos);
  }
  for (const Problem& problem : problems()) {
    INFO(problem.name);
    CHECK(problem.second != nullptr);
    CHECK(tried.count(problem.name) == 1);
  }
}
