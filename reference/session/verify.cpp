#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/rotary.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "ringlab/reference/session/detail/judge_inputs.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab {
namespace {

using detail::JudgeInputs;

// Sums up differences row by row.
class Comparison {
 public:
  template <class T>
  void add(const T* found, const double* right, Index count) {
    ++rows_;
    for (Index i = 0; i < count; ++i) {
      const double a = static_cast<double>(found[i]), b = right[i];
      if (!std::isfinite(a) || !std::isfinite(b)) {
        if (!((std::isnan(a) && std::isnan(b)) || a == b)) misplaced_ = true;
        continue;
      }
      largest_ = std::max(largest_, std::abs(a - b));
      difference_ += (a - b) * (a - b);
      norm_ += b * b;
    }
  }
  Difference result() const {
    const double infinity = std::numeric_limits<double>::infinity();
    if (misplaced_) return {infinity, infinity, rows_};
    const double relative = difference_ == 0 ? 0
                            : norm_ > 0      ? std::sqrt(difference_ / norm_)
                                             : infinity;
    return {largest_, relative, rows_};
  }

 private:
  bool misplaced_ = false;
  double largest_ = 0, difference_ = 0, norm_ = 0;
  Index rows_ = 0;
};

// Every row, or `count` of them spread evenly, the first and the last among them.
std::vector<Index> chosen_rows(Index rows, const VerifyMode& mode) {
  const Index count = mode.kind == VerifyMode::rows ? std::min(rows, mode.count) : rows;
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) {
    chosen.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
  }
  return chosen;
}

Positions places_of(const Positions& all, const std::vector<Index>& rows) {
  std::vector<Place> places;
  for (const Index row : rows) places.push_back(all.at(row));
  return Positions::from_places(places);
}

template <class T>
Difference compare_rows(const Tensor<T>& found, const std::vector<Index>& rows,
                        const Tensor<double>& right) {
  Comparison comparison;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    comparison.add(found.row(rows[i], 0), right.row(static_cast<Index>(i), 0),
                   right.token_stride());
  }
  return comparison.result();
}

template <class T>
std::vector<Tensor<T>> each(const std::vector<AttentionOutput<T>>& outputs,
                            const Tensor<T>& (*pick)(const AttentionOutput<T>&)) {
  std::vector<Tensor<T>> picked;
  for (const AttentionOutput<T>& output : outputs) picked.push_back(pick(output));
  return picked;
}

template <class T>
void verify_gradients(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                      const VerifyMode& mode, Verification& verification) {
  const AttentionRule& rule = session.plan.rule;
  const double base = session.plan.rotary_base;
  const JudgeInputs<T> judge(session);
  const Positions &queries = session.queries, &keys = session.keys;
  const KeyValue<double> all_keys = judge.key_values(keys);
  const Tensor<double> all_queries = judge.queries(queries);
  const Tensor<double> output_gradient = judge.output_gradients(queries);
  // The statistics of every row are needed for any row of dK; with few rows asked for, the fast
  // kernel in float64 makes them (it is held against v1 to 1e-13 elsewhere).
  const AttendKernel kernel =
      mode.kind == VerifyMode::full ? AttendKernel::v1_full : AttendKernel::v3_fast;
  const Partial<double> finished =
      full_attention(rule, all_queries, queries, all_keys, keys, kernel);
  const RowStatistics<double> statistics = row_statistics(finished, output_gradient);
  const auto zeros = [](const Tensor<double>& like) {
    return Tensor<double>(like.tokens(), like.heads(), like.head_dim());
  };

  const std::vector<Index> query_rows = chosen_rows(queries.size(), mode);
  const Positions some_queries = places_of(queries, query_rows);
  Tensor<double> dq = zeros(gather_rows(all_queries, query_rows));
  KeyValue<double> unused{zeros(all_keys.keys), zeros(all_keys.values)};
  const Tensor<double> q = gather_rows(all_queries, query_rows);
  const RowStatistics<double> some{gather_rows(statistics.lse, query_rows),
                                   gather_rows(statistics.delta, query_rows)};
  attend_backward(rule, QueryTile<double>{q, some_queries},
                  gather_rows(output_gradient, query_rows), some,
                  KeyValueTile<double>{all_keys, keys}, dq, unused, AttendKernel::v1_full);
  rotate(dq, some_queries, base, true);

  const std::vector<Index> key_rows = chosen_rows(keys.size(), mode);
  const Positions some_keys = places_of(keys, key_rows);
  const KeyValue<double> kv{gather_rows(all_keys.keys, key_rows),
                            gather_rows(all_keys.values, key_rows)};
  KeyValue<double> dkv{zeros(kv.keys), zeros(kv.values)};
  Tensor<double> unused_dq = zeros(all_queries);
  attend_backward(rule, QueryTile<double>{all_queries, queries}, output_gradient, statistics,
                  KeyValueTile<double>{kv, some_keys}, unused_dq, dkv, AttendKernel::v1_full);
  rotate(dkv.keys, some_keys, base, true);

  using Output = AttentionOutput<T>;
  const auto of = [&](const Tensor<T>& (*pick)(const Output&), bool of_queries) {
    return whole(session, each(outputs, pick), of_queries);
  };
  verification.query_gradient =
      compare_rows(of([](const Output& o) -> const Tensor<T>& { return o.query_gradient; }, true),
                   query_rows, dq);
  verification.key_gradient = compare_rows(
      of([](const Output& o) -> const Tensor<T>& { return o.key_value_gradient.keys; }, false),
      key_rows, dkv.keys);
  verification.value_gradient = compare_rows(
      of([](const Output& o) -> const Tensor<T>& { return o.key_value_gradient.values; }, false),
      key_rows, dkv.values);
}

}  // namespace

template <class T>
Verification verify(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                    VerifyMode mode) {
  Verification verification;
  if (mode.kind == VerifyMode::none) return verification;
  verification.verified =
      mode.kind == VerifyMode::full ? "full" : fmt::format("rows={}", mode.count);

  const JudgeInputs<T> judge(session);
  const std::vector<Index> rows = chosen_rows(session.queries.size(), mode);
  const Positions places = places_of(session.queries, rows);
  const Partial<double> right = full_attention(session.plan.rule, judge.queries(places), places,
                                               judge.key_values(session.keys), session.keys);
  const Tensor<T> found =
      whole(session,
            each<T>(outputs,
                    [](const AttentionOutput<T>& o) -> const Tensor<T>& { return o.result.out; }),
            true);
  verification.out = compare_rows(found, rows, right.out);
  if (session.plan.backward) verify_gradients(session, outputs, mode, verification);
  return verification;
}

template Verification verify<float>(const Session&, const std::vector<AttentionOutput<float>>&,
                                    VerifyMode);
template Verification verify<double>(const Session&, const std::vector<AttentionOutput<double>>&,
                                     VerifyMode);

}  // namespace ringlab
