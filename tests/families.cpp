#include "tests/families.hpp"

namespace ringlab::test {
namespace {

// The factor of the innermost (or, of every other case, the outermost) axis.
int first_degree(const Case& c) {
  std::vector<int> divisors;
  for (int d = 1; d <= c.ranks; ++d) {
    if (c.ranks % d == 0) divisors.push_back(d);
  }
  return divisors[static_cast<std::size_t>(c.id / 7) % divisors.size()];
}

void set_heads(Case& c, int degree) {
  AttentionRule& rule = c.rule;
  if (rule.query_heads % degree == 0) return;
  // As many query heads as the degree wants; key/value heads above, at and below it.
  rule.query_heads = degree * (1 + c.id % 2);
  rule.kv_heads = 1;
  for (int h = 2; h <= rule.query_heads; ++h) {
    if (rule.query_heads % h == 0 && (c.id + h) % 3 == 0) rule.kv_heads = h;
  }
  if (!rule.alibi_slopes.empty()) rule.alibi_slopes = default_alibi_slopes(rule.query_heads);
  if (!rule.sinks.empty()) {
    rule.sinks.assign(static_cast<std::size_t>(rule.query_heads), 0.25);
  }
}

}  // namespace

Case fit_case(Case c, const CatalogEntry& entry) {
  if (entry.name == "ulysses") set_heads(c, c.ranks);
  if (entry.name == "ulysses_ring") set_heads(c, first_degree(c));
  return c;
}

ScheduleProblem problem_for(const Case& c, const CatalogEntry& entry) {
  ScheduleProblem problem{c.query_layout(),
                          c.key_layout(),
                          c.rule.query_heads,
                          c.rule.kv_heads,
                          c.rule.head_dim,
                          Rotation::next,
                          {}};
  if (c.id % 4 == 3) problem.rotation = Rotation::previous;
  if (entry.axes.empty() || c.id % 5 == 4) return problem;  // sometimes the builder's own choice
  const int first = first_degree(c);
  problem.degree = {{entry.axes[0], first}, {entry.axes[1], c.ranks / first}};
  if (entry.name == "ulysses_ring" && c.id % 2 == 1) {
    std::swap(problem.degree[0], problem.degree[1]);  // rings innermost
  }
  return problem;
}

}  // namespace ringlab::test
