// The fast rung against float64 full attention, on every instruction set that this machine has.
//
// ladder_test.cpp runs all rungs over the common cases; here is what only a rung with packing,
// padding, vectors and a scan for NaN can get wrong.
#include <hwy/targets.h>

#include <limits>

#include "ringlab/reference/attention/fma_peak.hpp"
#include "ringlab/reference/attention/rungs.hpp"
#include "tests/cases.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

// Pretends, while it lives, that the machine has only some instruction sets; 0 means what it has.
struct OnlyTargets {
  explicit OnlyTargets(std::int64_t targets) { set(targets); }
  ~OnlyTargets() { set(0); }
  OnlyTargets(const OnlyTargets&) = delete;
  OnlyTargets& operator=(const OnlyTargets&) = delete;
  static void set(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

// Runs `body` once for each instruction set that v3_fast is built for and this machine has. Most
// problems of a long list go to the best one only: the baseline is not vectorised, and slow.
void on_each_target(bool all, const auto& body) {
  const std::int64_t available = hwy::SupportedTargets();
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_STATIC_TARGET}) {
    if ((available & target) == 0) continue;
    const OnlyTargets only(target);
    INFO("instruction set " << simd_target_name());
    body();
    if (!all) return;
  }
}

// A tile, what it is folded into, and the finished rows that its backward is told of.
template <class T>
struct Problem {
  AttentionRule rule;
  Positions query_positions, key_positions;
  int first_head = 0, first_kv_head = 0;
  Tensor<T> query, output_gradient;
  KeyValue<T> block;
  Partial<T> before;
  RowStatistics<T> statistics;

  template <class U>
  Problem<U> cast() const {
    const auto to = [](const Tensor<T>& x) { return x.template cast<U>(); };
    return {rule,
            query_positions,
            key_positions,
            first_head,
            first_kv_head,
            to(query),
            to(output_gradient),
            {to(block.keys), to(block.values)},
            {to(before.out), to(before.lse)},
            {to(statistics.lse), to(statistics.delta)}};
  }
};

template <class T>
struct Answer {
  Partial<T> partial;
  Tensor<T> query_gradient;
  KeyValue<T> block_gradient;
  bool operator==(const Answer&) const = default;
};

enum class Rung { v1, v2, v3 };

template <class T>
Answer<T> solve(const Problem<T>& p, Rung rung) {
  const QueryTile<T> query{p.query, p.query_positions, p.first_head};
  const KeyValueTile<T> block{p.block, p.key_positions, p.first_kv_head};
  Answer<T> answer{p.before, p.output_gradient, p.block};  // gradients add to what is there
  const auto run = [&](auto forward, auto backward) {
    forward(p.rule, query, block, answer.partial);
    backward(p.rule, query, p.output_gradient, p.statistics, block, answer.query_gradient,
             answer.block_gradient);
  };
  if (rung == Rung::v1) run(rung::v1_full::attend<T>, rung::v1_full::attend_backward<T>);
  if (rung == Rung::v2) run(rung::v2_blockwise::attend<T>, rung::v2_blockwise::attend_backward<T>);
  if (rung == Rung::v3) run(rung::v3_fast::attend<T>, rung::v3_fast::attend_backward<T>);
  return answer;
}

// Shapes and positions of a common case, the queries of one shard against the keys of another;
// heads, options and head_dim varied further. Some rows start from a partial result, some from
// nothing.
Problem<double> make_problem(int id) {
  const test::Case c = test::make_case(id);
  Problem<double> p;
  p.rule = c.rule;
  p.rule.sinks.clear();
  constexpr int kHeadDims[] = {64, 5, 128, 1, 80, 8, 17, 96};
  p.rule.head_dim = kHeadDims[id % 8];
  p.rule.scale = default_scale(p.rule.head_dim);
  p.rule.kv_heads = 3;
  p.rule.query_heads = id % 2 == 0 ? 6 : 3;
  p.rule.alibi_slopes.clear();
  if (id % 3 == 0) p.rule.alibi_slopes = default_alibi_slopes(p.rule.query_heads);
  p.rule.soft_cap = id % 4 == 0 ? 2.5 : 0;
  p.rule.dropout.probability = id % 5 == 0 ? 0.3 : 0;
  const Layout layout = c.key_layout();
  const std::size_t from = static_cast<std::size_t>(id / 2) % layout.size();
  p.query_positions = id % 7 == 0 ? c.sequence() : layout[from];
  p.key_positions = id % 3 == 1 ? layout[(from + 1) % layout.size()] : c.sequence();
  // Two of the query heads, from the last kv head or two.
  const Index heads = 2;
  p.first_head = p.rule.query_heads - 2;
  p.first_kv_head = 1;
  const auto seed = static_cast<std::uint64_t>(id) * 16;
  const Index queries = p.query_positions.size(), keys = p.key_positions.size();
  p.query = test::gaussian(seed + 1, queries, heads, p.rule.head_dim);
  p.output_gradient = test::gaussian(seed + 2, queries, heads, p.rule.head_dim);
  p.block = {test::gaussian(seed + 3, keys, 2, p.rule.head_dim),
             test::gaussian(seed + 4, keys, 2, p.rule.head_dim)};
  p.before = identity_partial<double>(queries, heads, p.rule.head_dim);
  const Tensor<double> out = test::gaussian(seed + 5, queries, heads, p.rule.head_dim);
  const Tensor<double> lse = test::gaussian(seed + 6, queries, heads, 1, 2);
  for (Index i = 0; i < queries; ++i) {
    for (Index h = 0; h < heads; ++h) {
      if ((i + h + id) % 3 == 0) continue;
      std::copy_n(out.row(i, h), p.rule.head_dim, p.before.out.row(i, h));
      p.before.lse(i, h, 0) = lse(i, h, 0);
    }
  }
  p.statistics = {lse, test::gaussian(seed + 7, queries, heads, 1)};
  p.statistics.lse = solve(p, Rung::v1).partial.lse;
  return p;
}

// Finite in one where finite in the other.
template <class A, class B>
bool same_places(const Tensor<A>& a, const Tensor<B>& b) {
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const A x = a.data()[i];
    const B y = b.data()[i];
    if (std::isfinite(x) != std::isfinite(y)) return false;
  }
  return true;
}

template <class A, class B>
void require_same_places(const Answer<A>& found, const Answer<B>& right) {
  REQUIRE(same_places(found.partial.out, right.partial.out));
  REQUIRE(same_places(found.partial.lse, right.partial.lse));
  REQUIRE(same_places(found.query_gradient, right.query_gradient));
  REQUIRE(same_places(found.block_gradient.keys, right.block_gradient.keys));
  REQUIRE(same_places(found.block_gradient.values, right.block_gradient.values));
}

template <class T>
void require_close(const Answer<T>& found, const Answer<double>& right, double forward,
                   double backward) {
  REQUIRE(test::relative_error(found.partial.out, right.partial.out) <= forward);
  REQUIRE(test::largest_difference(found.partial.lse, right.partial.lse) <= 8 * forward);
  REQUIRE(test::relative_error(found.query_gradient, right.query_gradient) <= backward);
  REQUIRE(test::relative_error(found.block_gradient.keys, right.block_gradient.keys) <= backward);
  REQUIRE(test::relative_error(found.block_gradient.values, right.block_gradient.values) <=
          backward);
}

template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

}  // namespace

TEST_CASE("v3 fast: tiles, heads and running partials agree with full attention in float64") {
  for (int id = 0; id < 200; ++id) {
    const Problem<double> p = make_problem(id);
    const Problem<float> single = p.cast<float>();
    // The judge of float starts from the rounded state: what is left is the kernel's own rounding.
    const Answer<double> right = solve(p, Rung::v1);
    const Answer<double> right_single = solve(single.cast<double>(), Rung::v1);
    INFO("problem " << id << " " << test::make_case(id).text());
    on_each_target(id % 4 == 0, [&] {
      require_close(solve(p, Rung::v3), right, 2e-14, 1e-13);
      require_close(solve(single, Rung::v3), right_single, 3e-7, 2e-6);
    });
  }
}

TEST_CASE("v3 fast: long rows keep float32 within 3e-7") {
  for (const int head_dim : {64, 128}) {
    Problem<double> p;
    p.rule.head_dim = head_dim;
    p.rule.scale = default_scale(head_dim);
    p.rule.mask.causal = head_dim == 64;
    const Index tokens = 1009;
    p.query_positions = p.key_positions = Positions::contiguous(0, tokens);
    p.query = test::gaussian(1, tokens, 1, head_dim);
    p.block = {test::gaussian(2, tokens, 1, head_dim), test::gaussian(3, tokens, 1, head_dim)};
    p.output_gradient = test::gaussian(4, tokens, 1, head_dim);
    p.before = identity_partial<double>(tokens, 1, head_dim);
    p.statistics = {p.before.lse, p.before.lse};
    p.statistics = row_statistics(solve(p, Rung::v1).partial, p.output_gradient);
    const Answer<double> right = solve(p, Rung::v1);
    require_close(solve(p.cast<float>(), Rung::v3), right, 3e-7, 5e-7);
    require_close(solve(p, Rung::v3), right, 1e-14, 1e-14);
  }
}

TEST_CASE("v3 fast: NaN and infinity reach the rows that see them, and no others") {
  for (int id = 0; id < 90; ++id) {
    Problem<double> p = make_problem(id);
    Tensor<double>* tensors[] = {&p.query, &p.block.keys, &p.block.values, &p.output_gradient,
                                 &p.statistics.delta};
    Tensor<double>& hit = *tensors[id % 5];
    if (hit.size() == 0) continue;
    const double poison[] = {NAN, INFINITY, -INFINITY};
    hit.data()[(id * 131) % hit.size()] = poison[id % 3];
    INFO("problem " << id << " " << test::make_case(id).text());
    const Answer<double> right = solve(p, Rung::v1);
    on_each_target(id % 4 == 0, [&] {
      require_same_places(solve(p, Rung::v3), right);
      require_same_places(solve(p.cast<float>(), Rung::v3), right);
    });
  }
}

// Finite inputs whose scores overflow pass the scan: the kernel itself must keep them in their
// rows.
TEST_CASE("v3 fast: scores that overflow stay in their rows") {
  for (int id = 0; id < 90; ++id) {
    Problem<float> p = make_problem(id).cast<float>();
    if (p.query.size() == 0 || p.block.keys.size() == 0) continue;
    const Index key = (id * 7) % p.block.keys.tokens(), query = (id * 5) % p.query.tokens();
    for (Index x = 0; x < p.rule.head_dim; ++x) {
      p.block.keys(key, 0, x) = x % 2 == 0 ? 3e38f : -3e38f;
      p.query(query, 0, x) *= 10;
    }
    INFO("problem " << id << " " << test::make_case(id).text());
    const Partial<float> right = solve(p, Rung::v2).partial;
    on_each_target(id % 4 == 0, [&] {
      const Partial<float> found = solve(p, Rung::v3).partial;
      for (Index i = 0; i < p.query.tokens(); ++i) {
        // What a row that sees the key holds depends on the order of its sums.
        if (p.rule.mask.visible(p.query_positions.at(i), p.key_positions.at(key))) continue;
        for (Index h = 0; h < p.query.heads(); ++h) {
          REQUIRE(std::isfinite(found.out(i, h, 0)));
          REQUIRE(found.lse(i, h, 0) == Approx(right.lse(i, h, 0)).margin(1e-5));
        }
      }
    });
  }
}

TEST_CASE("v3 fast: a row that sees nothing keeps its bits") {
  on_each_target(true, [] {
    Problem<float> p;
    p.rule.head_dim = 5;
    p.rule.mask.causal = true;
    p.query_positions = Positions::contiguous(0, 20);
    p.key_positions = Positions::contiguous(10, 7);
    p.query = test::gaussian(1, 20, 1, 5).cast<float>();
    p.block = {test::gaussian(2, 7, 1, 5).cast<float>(), test::gaussian(3, 7, 1, 5).cast<float>()};
    p.output_gradient = test::gaussian(4, 20, 1, 5).cast<float>();
    p.before = {Tensor<float>(20, 1, 5, -0.0f), Tensor<float>(20, 1, 1, 0.1f)};
    p.before.lse(4, 0, 0) = -kInfinity<float>;
    p.statistics = {Tensor<float>(20, 1, 1, -kInfinity<float>), Tensor<float>(20, 1, 1, 1)};
    const Answer<float> answer = solve(p, Rung::v3);
    for (Index i = 0; i < 10; ++i) {
      REQUIRE(answer.partial.lse(i, 0, 0) == p.before.lse(i, 0, 0));
      for (Index x = 0; x < 5; ++x) REQUIRE(std::signbit(answer.partial.out(i, 0, x)));
    }
    for (Index i = 10; i < 20; ++i) REQUIRE(answer.partial.lse(i, 0, 0) > 0.1f);
    // A final lse of -inf means that the row saw nothing: no gradient comes from it, and no NaN.
    REQUIRE(answer.query_gradient == p.output_gradient);
    REQUIRE(answer.block_gradient == p.block);
  });
}

TEST_CASE("v3 fast: a finite score counts however low it is") {
  on_each_target(true, [] {
    Problem<float> p;
    p.rule.head_dim = 1;
    p.rule.scale = 1;
    p.query_positions = p.key_positions = Positions::contiguous(0, 1);
    p.query = Tensor<float>(1, 1, 1, -60000);
    p.block = {Tensor<float>(1, 1, 1, 1), Tensor<float>(1, 1, 1, 3)};
    p.output_gradient = Tensor<float>(1, 1, 1, 2);
    p.before = identity_partial<float>(1, 1, 1);
    p.statistics = {Tensor<float>(1, 1, 1, -60000), Tensor<float>(1, 1, 1, 6)};
    const Answer<float> answer = solve(p, Rung::v3);
    REQUIRE(answer.partial.out(0, 0, 0) == 3);
    REQUIRE(answer.partial.lse(0, 0, 0) == -60000);
    REQUIRE(answer.block_gradient.values(0, 0, 0) == 3 + 2);
  });
}

TEST_CASE("v3 fast: positions further apart than 32 bits") {
  Problem<double> p = make_problem(7);
  p.rule.mask = {};
  p.rule.mask.causal = true;
  p.rule.mask.window_left = Index{1} << 36;
  const Index queries = p.query_positions.size(), keys = p.key_positions.size();
  p.query_positions = Positions::contiguous(Index{1} << 37, queries);
  p.key_positions = Positions(std::vector<Run>{{0, Index{1} << 36, keys, 0}});
  p.statistics.lse = solve(p, Rung::v1).partial.lse;
  require_close(solve(p.cast<float>(), Rung::v3), solve(p, Rung::v1), 1e-6, 1e-5);
  require_close(solve(p, Rung::v3), solve(p, Rung::v1), 2e-14, 1e-13);
}

TEST_CASE("v3 fast: the same call gives the same bits") {
  const Problem<float> p = make_problem(6).cast<float>();
  REQUIRE(solve(p, Rung::v3) == solve(p, Rung::v3));
}

TEST_CASE("the FMA peak is measured and named") {
  REQUIRE(measure_fma_flops_per_second(0.01) > 1e8);
  REQUIRE(std::string(simd_target_name()).size() > 0);
}
