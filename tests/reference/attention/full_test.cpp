// The judge is judged from other sides: closed forms, a plain sum in long double, finite
// differences.
#include "ringlab/reference/attention/full.hpp"

#include "ringlab/reference/attention/score.hpp"
#include "tests/cases.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

struct Problem {
  Tensor<double> query;
  KeyValue<double> key_value;
  Positions queries, keys;
};

Problem problem_of(const test::Case& c, double deviation = 1) {
  const auto seed = static_cast<std::uint64_t>(c.id) * 10;
  const AttentionRule& r = c.rule;
  return {test::gaussian(seed + 1, c.query_tokens, r.query_heads, r.head_dim, deviation),
          {test::gaussian(seed + 2, c.tokens, r.kv_heads, r.head_dim, deviation),
           test::gaussian(seed + 3, c.tokens, r.kv_heads, r.head_dim, deviation)},
          c.queries(),
          c.sequence()};
}

Partial<double> attention(const AttentionRule& rule, const Problem& p) {
  return full_attention(rule, p.query, p.queries, p.key_value, p.keys);
}

// The definition in rule.hpp, written down as it stands there.
Partial<double> by_definition(const AttentionRule& rule, const Problem& p) {
  Partial<double> result =
      identity_partial<double>(p.query.tokens(), p.query.heads(), p.query.head_dim());
  for (Index i = 0; i < p.query.tokens(); ++i) {
    for (int h = 0; h < rule.query_heads; ++h) {
      const int kv = h / (rule.query_heads / rule.kv_heads);
      long double sum = rule.sinks.empty() ? 0.0L : std::exp((long double)rule.sinks[h]);
      std::vector<long double> out(static_cast<std::size_t>(rule.head_dim), 0.0L);
      for (Index j = 0; j < p.keys.size(); ++j) {
        const Place q = p.queries.at(i), k = p.keys.at(j);
        if (!rule.mask.visible(q, k)) continue;
        long double s = 0;
        for (int d = 0; d < rule.head_dim; ++d) {
          s += (long double)p.query(i, h, d) * p.key_value.keys(j, kv, d);
        }
        s *= rule.scale;
        if (rule.soft_cap > 0) s = rule.soft_cap * std::tanh(s / rule.soft_cap);
        if (!rule.alibi_slopes.empty()) {
          s -= (long double)rule.alibi_slopes[h] * std::abs(q.position - k.position);
        }
        const long double weight = std::exp(s);  // scores are small here: no maximum needed
        sum += weight;
        const double drop = dropout_factor(rule.dropout, h, q.position, k.position);
        for (int d = 0; d < rule.head_dim; ++d)
          out[d] += weight * drop * p.key_value.values(j, kv, d);
      }
      if (sum == 0) continue;
      result.lse(i, h, 0) = static_cast<double>(std::log(sum));
      for (int d = 0; d < rule.head_dim; ++d) {
        result.out(i, h, d) = static_cast<double>(out[d] / sum);
      }
    }
  }
  return result;
}

// sum(O * dO) + sum(lse * dlse), the function whose gradient the backward returns.
double objective(const AttentionRule& rule, const Problem& p, const Tensor<double>& output_gradient,
                 const Tensor<double>& lse_gradient) {
  const Partial<double> result = attention(rule, p);
  double sum = 0;
  for (Index i = 0; i < result.out.size(); ++i) {
    sum += result.out.data()[i] * output_gradient.data()[i];
  }
  for (Index i = 0; i < result.lse.size(); ++i) {
    if (std::isfinite(result.lse.data()[i])) sum += result.lse.data()[i] * lse_gradient.data()[i];
  }
  return sum;
}

}  // namespace

TEST_CASE("equal scores give the mean of the visible values and the log of their number") {
  AttentionRule rule{.query_heads = 1, .kv_heads = 1, .head_dim = 4, .scale = 0.5};
  rule.mask.causal = true;
  const Positions sequence = Positions::contiguous(0, 9);
  const Tensor<double> values = test::gaussian(1, 9, 1, 4);
  const Partial<double> result = full_attention(rule, Tensor<double>(9, 1, 4), sequence,
                                                {test::gaussian(2, 9, 1, 4), values}, sequence);
  for (Index i = 0; i < 9; ++i) {
    CHECK(result.lse(i, 0, 0) == Approx(std::log(double(i + 1))).margin(1e-15));
    for (Index d = 0; d < 4; ++d) {
      double mean = 0;
      for (Index j = 0; j <= i; ++j) mean += values(j, 0, d) / double(i + 1);
      CHECK(result.out(i, 0, d) == Approx(mean).margin(1e-15));
    }
  }
}

TEST_CASE("full attention is the definition, over the generated cases") {
  for (int id = 0; id < test::sample(250); ++id) {
    const test::Case c = test::make_case(id);
    if (c.tokens > 128) continue;
    INFO(c.text());
    const Problem p = problem_of(c, 0.7);
    const Partial<double> found = attention(c.rule, p), right = by_definition(c.rule, p);
    // Both sides round at 1e-16; sums of a hundred terms and head_dim 128 leave a factor of ten.
    REQUIRE(test::relative_error(found.out, right.out) < 2e-15);
    REQUIRE(test::largest_difference(found.lse, right.lse) < 1e-14);
  }
}

TEST_CASE("the full gradient is the slope of the objective") {
  int checked = 0;
  for (int id = 0; id < test::sample(400); ++id) {
    const test::Case c = test::make_case(id);
    if (c.tokens > 17 || c.rule.head_dim > 8) continue;
    INFO(c.text());
    Problem p = problem_of(c);
    const Tensor<double> output_gradient =
        test::gaussian(7, c.query_tokens, c.rule.query_heads, c.rule.head_dim);
    const Tensor<double> lse_gradient = test::gaussian(8, c.query_tokens, c.rule.query_heads, 1);
    const Partial<double> finished = attention(c.rule, p);
    const Gradients<double> gradients = full_attention_backward(
        c.rule, p.query, p.queries, p.key_value, p.keys, finished, output_gradient, lse_gradient);

    // Central differences err by h^2 f''' / 6 + 1e-16 / h; fourth order with h = 1e-3 stays below
    // 1e-9.
    const double h = 1e-3;
    const auto slope = [&](double& x, const AttentionRule& rule) {
      const double at = x;
      const auto value = [&](double offset) {
        x = at + offset;
        return objective(rule, p, output_gradient, lse_gradient);
      };
      const double result =
          (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
      x = at;
      return result;
    };
    const auto compare = [&](Tensor<double>& input, const Tensor<double>& gradient) {
      Tensor<double> measured(gradient.tokens(), gradient.heads(), gradient.head_dim());
      for (Index i = 0; i < input.size(); ++i) measured.data()[i] = slope(input.data()[i], c.rule);
      REQUIRE(test::largest_difference(gradient, measured) < 1e-7);
      ++checked;
    };
    compare(p.query, gradients.query);
    compare(p.key_value.keys, gradients.key_value.keys);
    compare(p.key_value.values, gradients.key_value.values);
    AttentionRule rule = c.rule;
    for (std::size_t s = 0; s < rule.sinks.size(); ++s) {
      REQUIRE(gradients.sinks[s] == Approx(slope(rule.sinks[s], rule)).margin(1e-7));
    }
  }
  CHECK(checked > test::sample(100));
}
