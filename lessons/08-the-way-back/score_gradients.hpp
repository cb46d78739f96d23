// A row of attention on its way back, as it lies on the ranks of a ring. Reading a score or a value
// is counted.
#pragma once

#include "exercise.hpp"

/// O = sum of P_j v_j with P = softmax(scores). Keys 0 to keys() - 1 lie on all ranks together.
class ScoreRow {
 public:
  ScoreRow(std::vector<double> scores, std::vector<double> values, std::vector<double> dout)
      : scores_(std::move(scores)), values_(std::move(values)), dout_(std::move(dout)) {
    double sum = 0;
    for (const double score : scores_) sum += std::exp(score);
    lse_ = std::log(sum);
    out_.assign(dout_.size(), 0);
    for (std::size_t j = 0; j < scores_.size(); ++j) {
      for (std::size_t d = 0; d < dout_.size(); ++d) {
        out_[d] += std::exp(scores_[j] - lse_) * values_[j * dout_.size() + d];
      }
    }
  }

  long long keys() const { return static_cast<long long>(scores_.size()); }
  long long dim() const { return static_cast<long long>(dout_.size()); }
  double score(long long key) const {
    ++reads_;
    return scores_[static_cast<std::size_t>(key)];
  }
  double value(long long key, long long d) const {
    ++reads_;
    return values_[static_cast<std::size_t>(key * dim() + d)];
  }
  /// The gradient of O that comes from above.
  double dout(long long d) const { return dout_[static_cast<std::size_t>(d)]; }
  /// What the forward pass has kept of the row, at home: O, and log of the sum of exp(s_j).
  double out(long long d) const { return out_[static_cast<std::size_t>(d)]; }
  double lse() const { return lse_; }

  long long reads() const { return reads_; }

 private:
  std::vector<double> scores_, values_, dout_, out_;
  double lse_ = 0;
  mutable long long reads_ = 0;
};
