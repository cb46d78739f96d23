// Every rung against the judge: the whole problem in one tile, and cut into shards folded in turn.
#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "tests/cases.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

struct Errors {
  double forward, backward;
};

// Float32 rounds at 6e-8 a step; a row folds up to sixteen blocks and each weight carries the
// rounding of its score and of lse, which leaves 1e-6 (forward) and, with three products in a row,
// 3e-6.
constexpr Errors kFloat = {1e-6, 3e-6};
constexpr Errors kDouble = {1e-13, 1e-12};

// Attention in shards: each rank's queries against each rank's block, one after the other.
template <class T>
void check_rung(const test::Case& c, AttendKernel kernel, const Errors& allowed) {
  INFO(c.text() << " kernel " << name(kernel));
  const AttentionRule& rule = c.rule;
  const auto seed = static_cast<std::uint64_t>(c.id) * 10;
  const Tensor<double> query =
      test::gaussian(seed + 1, c.query_tokens, rule.query_heads, rule.head_dim);
  const KeyValue<double> whole = {test::gaussian(seed + 2, c.tokens, rule.kv_heads, rule.head_dim),
                                  test::gaussian(seed + 3, c.tokens, rule.kv_heads, rule.head_dim)};
  const Tensor<double> output_gradient =
      test::gaussian(seed + 4, c.query_tokens, rule.query_heads, rule.head_dim);
  const Positions queries = c.queries(), keys = c.sequence();
  const Partial<double> right = full_attention(rule, query, queries, whole, keys);
  const Gradients<double> right_gradients =
      full_attention_backward(rule, query, queries, whole, keys, right, output_gradient);

  const double terms = test::norm(output_gradient);

  const Layout query_layout = c.query_layout(), key_layout = c.key_layout();
  std::vector<Tensor<T>> out, lse, dq;
  std::vector<KeyValue<T>> blocks, gradients;
  for (const Positions& part : key_layout) {
    const std::vector<Index> rows = rows_of(keys, part);
    blocks.push_back({gather_rows(whole.keys, rows).template cast<T>(),
                      gather_rows(whole.values, rows).template cast<T>()});
    const Tensor<T> zero(part.size(), rule.kv_heads, rule.head_dim);
    gradients.push_back({zero, zero});
  }
  for (const Positions& part : query_layout) {
    const std::vector<Index> rows = rows_of(queries, part);
    const Tensor<T> q = gather_rows(query, rows).template cast<T>();
    const Tensor<T> dout = gather_rows(output_gradient, rows).template cast<T>();
    Partial<T> partial = identity_partial<T>(part.size(), rule.query_heads, rule.head_dim);
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      attend(rule, QueryTile<T>{q, part}, KeyValueTile<T>{blocks[r], key_layout[r]}, partial,
             kernel);
    }
    apply_sinks(rule, 0, partial);
    const RowStatistics<T> statistics = row_statistics(partial, dout);
    dq.emplace_back(part.size(), rule.query_heads, rule.head_dim);
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      attend_backward(rule, QueryTile<T>{q, part}, dout, statistics,
                      KeyValueTile<T>{blocks[r], key_layout[r]}, dq.back(), gradients[r], kernel);
    }
    out.push_back(partial.out);
    lse.push_back(partial.lse);
  }
  REQUIRE(test::relative_error(unshard(out, queries, query_layout), right.out) <= allowed.forward);
  REQUIRE(test::relative_error(unshard(lse, queries, query_layout), right.lse) <= allowed.forward);
  REQUIRE(test::relative_error(unshard(dq, queries, query_layout), right_gradients.query, terms) <=
          allowed.backward);
  std::vector<Tensor<T>> dk, dv;
  for (const KeyValue<T>& g : gradients) {
    dk.push_back(g.keys);
    dv.push_back(g.values);
  }
  REQUIRE(test::relative_error(unshard(dk, keys, key_layout), right_gradients.key_value.keys,
                               terms) <= allowed.backward);
  REQUIRE(test::relative_error(unshard(dv, keys, key_layout), right_gradients.key_value.values) <=
          allowed.backward);
}

}  // namespace

TEST_CASE("v1 in shards is v1 on the whole") {
  for (int id = 0; id < test::sample(150); ++id)
    check_rung<double>(test::make_case(id), AttendKernel::v1_full, kDouble);
}

TEST_CASE("v2 blockwise") {
  for (int id = 0; id < test::sample(200); ++id) {
    check_rung<double>(test::make_case(id), AttendKernel::v2_blockwise, kDouble);
    check_rung<float>(test::make_case(id), AttendKernel::v2_blockwise, kFloat);
  }
}

TEST_CASE("v3 fast") {
  for (int id = 0; id < test::sample(300); ++id) {
    check_rung<double>(test::make_case(id), AttendKernel::v3_fast, kDouble);
    check_rung<float>(test::make_case(id), AttendKernel::v3_fast, kFloat);
  }
}
