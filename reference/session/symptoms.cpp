#include "ringlab/reference/session/symptoms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/session/detail/judge_inputs.hpp"

namespace ringlab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// |found - right|^2 of `count` values; infinite where NaN or infinities disagree.
template <class T>
double squared_difference(const T* found, const double* right, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) {
    const double a = static_cast<double>(found[i]), b = right[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return kInfinity;
    sum += (a - b) * (a - b);
  }
  return sum;
}

double mean_square_of_rows(const Tensor<double>& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isfinite(x.data()[i])) sum += x.data()[i] * x.data()[i];
  }
  return x.tokens() > 0 ? sum / static_cast<double>(x.tokens()) : 0;
}

}  // namespace

template <class T>
Symptoms symptoms(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                  double row_tolerance) {
  Symptoms found;
  const detail::JudgeInputs<T> judge(session);
  const Partial<double> right =
      full_attention(session.plan.rule, judge.queries(session.queries), session.queries,
                     judge.key_values(session.keys), session.keys);
  std::vector<Tensor<T>> outs, lses;
  for (const AttentionOutput<T>& output : outputs) {
    outs.push_back(output.result.out);
    lses.push_back(output.result.lse);
  }
  const Tensor<T> out = whole(session, outs, true), lse = whole(session, lses, true);

  const double allowed = row_tolerance * row_tolerance * mean_square_of_rows(right.out);
  std::vector<bool> wrong;
  for (Index i = 0; i < out.tokens(); ++i) {
    const double difference =
        squared_difference(out.row(i, 0), right.out.row(i, 0), out.token_stride());
    wrong.push_back(difference > allowed);
    if (wrong.back()) found.wrong_positions.push_back(session.queries.at(i).position);
  }
  for (Index i = 0; i < lse.size(); ++i) {
    found.lse_error = std::max(
        found.lse_error, std::sqrt(squared_difference(lse.data() + i, right.lse.data() + i, 1)));
  }
  std::sort(found.wrong_positions.begin(), found.wrong_positions.end());
  for (const Positions& shard : session.plan.forward.query_layout) {
    RankSymptoms rank{shard.size(), 0};
    for (const Place& place : shard.expand()) {
      rank.wrong_rows += std::binary_search(found.wrong_positions.begin(),
                                            found.wrong_positions.end(), place.position);
    }
    found.ranks.push_back(rank);
  }

  const Verification v = verify(session, outputs, {VerifyMode::full, 0});
  found.out_error = v.out.rel_frobenius_error;
  if (v.query_gradient) {
    found.query_gradient_error = v.query_gradient->rel_frobenius_error;
    found.key_gradient_error = v.key_gradient->rel_frobenius_error;
    found.value_gradient_error = v.value_gradient->rel_frobenius_error;
  }
  return found;
}

template Symptoms symptoms<float>(const Session&, const std::vector<AttentionOutput<float>>&,
                                  double);
template Symptoms symptoms<double>(const Session&, const std::vector<AttentionOutput<double>>&,
                                   double);

}  // namespace ringlab
