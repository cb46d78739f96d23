// Errors that people really made in ring attention, each as the smallest case that shows it.
#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/score.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

// The probe: 16 tokens, four query and two key/value heads, head_dim 8, causal.
AttentionRule probe_rule() {
  AttentionRule rule{.query_heads = 4, .kv_heads = 2, .head_dim = 8, .scale = default_scale(8)};
  rule.mask.causal = true;
  return rule;
}

struct Probe {
  Positions sequence = Positions::contiguous(0, 16);
  Tensor<double> query = test::gaussian(1, 16, 4, 8);
  KeyValue<double> key_value = {test::gaussian(2, 16, 2, 8), test::gaussian(3, 16, 2, 8)};

  Partial<double> run(const AttentionRule& rule,
                      AttendKernel kernel = AttendKernel::v1_full) const {
    return full_attention(rule, query, sequence, key_value, sequence, kernel);
  }
};

const std::vector<AttendKernel> kRungs = {AttendKernel::v1_full, AttendKernel::v2_blockwise,
                                          AttendKernel::v3_fast};

std::vector<Index> changed_rows(const Partial<double>& a, const Partial<double>& b) {
  std::vector<Index> rows;
  for (Index i = 0; i < a.out.tokens(); ++i) {
    const Index n = a.out.token_stride();
    if (!std::equal(a.out.row(i, 0), a.out.row(i, 0) + n, b.out.row(i, 0))) rows.push_back(i);
  }
  return rows;
}

}  // namespace

TEST_CASE("C3: rows that see nothing are zero, with lse -inf and zero gradients") {
  for (const AttendKernel kernel : kRungs) {
    INFO(name(kernel));
    Probe probe;
    AttentionRule rule = probe_rule();
    rule.mask.causal = false;
    rule.mask.window_left = 0;
    rule.mask.window_right = 0;
    // Keys at positions 100 and later: no query sees any.
    const Positions far = Positions::contiguous(100, 16);
    const Partial<double> result =
        full_attention(rule, probe.query, probe.sequence, probe.key_value, far, kernel);
    const Gradients<double> gradients =
        full_attention_backward(rule, probe.query, probe.sequence, probe.key_value, far, result,
                                test::gaussian(4, 16, 4, 8), {}, kernel);
    CHECK(result == identity_partial<double>(16, 4, 8));
    CHECK(gradients.query == Tensor<double>(16, 4, 8));
    CHECK(gradients.key_value.keys == Tensor<double>(16, 2, 8));
    CHECK(gradients.key_value.values == Tensor<double>(16, 2, 8));
  }
}

TEST_CASE("C3: one key with a score of -60000 still has all the weight") {
  for (const AttendKernel kernel : kRungs) {
    INFO(name(kernel));
    const AttentionRule rule{.query_heads = 1, .kv_heads = 1, .head_dim = 1, .scale = 1};
    const Positions token = Positions::contiguous(0, 1);
    const Partial<float> result = full_attention<float>(
        rule, Tensor<float>(1, 1, 1, -60000.0f), token,
        {Tensor<float>(1, 1, 1, 1.0f), Tensor<float>(1, 1, 1, 7.0f)}, token, kernel);
    CHECK(result.out(0, 0, 0) == 7.0f);
    CHECK(result.lse(0, 0, 0) == -60000.0f);
  }
}

TEST_CASE("C3: a NaN reaches exactly the rows that see it") {
  for (const AttendKernel kernel : kRungs) {
    for (const double poison : {kNan, kInfinity}) {
      INFO(name(kernel) << " " << poison);
      Probe probe;
      AttentionRule rule = probe_rule();
      rule.mask.window_left = 3;
      const Partial<double> clean = probe.run(rule, kernel);
      probe.key_value.values(6, 1, 2) = poison;  // seen by rows 6..9 of query heads 2 and 3
      const Partial<double> result = probe.run(rule, kernel);
      for (Index i = 0; i < 16; ++i) {
        for (Index h = 0; h < 4; ++h) {
          const bool sees = i >= 6 && i <= 9 && h >= 2;
          CHECK(std::isfinite(result.out(i, h, 2)) == !sees);
          if (!sees) CHECK(result.out(i, h, 1) == Approx(clean.out(i, h, 1)).epsilon(1e-12));
        }
      }
      // Backward: that value's NaN comes to dq of the rows that see it and to dk of the keys they
      // see.
      const Tensor<double> dout = test::gaussian(4, 16, 4, 8);
      const Gradients<double> gradients =
          full_attention_backward(rule, probe.query, probe.sequence, probe.key_value,
                                  probe.sequence, clean, dout, {}, kernel);
      for (Index i = 0; i < 16; ++i) {
        const bool row_sees = i >= 6 && i <= 9;
        CHECK(std::isfinite(gradients.query(i, 3, 0)) == !row_sees);
        CHECK(std::isfinite(gradients.query(i, 0, 0)));
        // With statistics of a clean run only the pair (row, key 6) is poisoned.
        CHECK(std::isfinite(gradients.key_value.keys(i, 1, 0)) == (i != 6));
        CHECK(std::isfinite(gradients.key_value.values(i, 1, 0)));
      }
    }
  }
}

TEST_CASE("C4: the rows that move with a key are the mask's column") {
  for (const AttendKernel kernel : kRungs) {
    INFO(name(kernel));
    Probe probe;
    AttentionRule rule = probe_rule();
    const auto moved_by = [&](Index key) {
      Probe nudged = probe;
      for (Index d = 0; d < 8; ++d) nudged.key_value.values(key, 0, d) += 1;
      return changed_rows(probe.run(rule, kernel), nudged.run(rule, kernel));
    };
    CHECK(moved_by(12) == std::vector<Index>{12, 13, 14, 15});
    rule.mask.window_left = 2;
    CHECK(moved_by(4) == std::vector<Index>{4, 5, 6});
    rule.mask.documents = true;
    probe.sequence = Positions({{0, 1, 5, 0}, {5, 1, 7, 1}, {12, 1, 4, 2}});
    CHECK(moved_by(4) == std::vector<Index>{4});
    CHECK(moved_by(10) == std::vector<Index>{10, 11});
  }
}

TEST_CASE("C7: query head h reads key/value head h / group") {
  for (const AttendKernel kernel : kRungs) {
    INFO(name(kernel));
    Probe probe;
    Probe nudged;
    for (Index i = 0; i < 16; ++i) nudged.key_value.values(i, 1, 0) += 1;
    const Partial<double> a = probe.run(probe_rule(), kernel), b = nudged.run(probe_rule(), kernel);
    for (Index h = 0; h < 4; ++h) CHECK((a.out(9, h, 0) != b.out(9, h, 0)) == (h >= 2));
  }
}

TEST_CASE("C10: gradients of a shared key/value head are summed over its query heads") {
  for (const AttendKernel kernel : kRungs) {
    INFO(name(kernel));
    const Probe probe;
    const AttentionRule rule = probe_rule();
    const Tensor<double> dout = test::gaussian(4, 16, 4, 8);
    const auto key_gradient = [&](const Tensor<double>& output_gradient) {
      return full_attention_backward(rule, probe.query, probe.sequence, probe.key_value,
                                     probe.sequence, probe.run(rule), output_gradient, {}, kernel)
          .key_value.keys;
    };
    Tensor<double> sum(16, 2, 8);
    for (Index only = 0; only < 4; ++only) {
      Tensor<double> one_head(16, 4, 8);
      one_head.head_matrix(only) = dout.head_matrix(only);
      const Tensor<double> part = key_gradient(one_head);
      for (Index i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
    }
    CHECK(test::relative_error(key_gradient(dout), sum) < 1e-14);
  }
}

TEST_CASE("C6: positions shifted by a constant change nothing") {
  const Probe probe;
  AttentionRule rule = probe_rule();
  rule.alibi_slopes = default_alibi_slopes(4);
  const Positions later = Positions::contiguous(1000, 16);
  const Partial<double> moved = full_attention(rule, probe.query, later, probe.key_value, later);
  CHECK(test::relative_error(moved.out, probe.run(rule).out) < 1e-15);
}

TEST_CASE("C10: dropout is drawn by seed, head and global positions") {
  const Dropout dropout{0.25, 7};
  int kept = 0;
  for (Index q = 0; q < 200; ++q) {
    for (Index k = 0; k < 200; ++k) kept += dropout_factor(dropout, 3, q, k) > 0;
  }
  // 40000 draws: the deviation of the share kept is 0.0022.
  CHECK(kept / 40000.0 == Approx(0.75).margin(0.01));
  CHECK((dropout_factor(dropout, 0, 5, 5) == 0 || dropout_factor(dropout, 0, 5, 5) == 1 / 0.75));
  int differ = 0;
  for (Index k = 0; k < 400; ++k) {
    differ += dropout_factor(dropout, 0, 9, k) != dropout_factor(dropout, 1, 9, k);
    differ += dropout_factor(dropout, 0, 9, k) != dropout_factor({0.25, 8}, 0, 9, k);
    differ += dropout_factor(dropout, 0, 9, k) != dropout_factor(dropout, 0, 10, k);
  }
  CHECK(differ > 300);
}
