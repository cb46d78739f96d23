#include "exercise.hpp"

class Row {
 public:
  Row(const std::vector<double>& scores, const std::vector<double>& values)
      : scores_(scores), values_(values) {}
  long long size() const { return static_cast<long long>(scores_.size()); }
  double score(long long j) {
    ++reads_;
    return scores_[static_cast<std::size_t>(j)];
  }
  double value(long long j) const { return values_[static_cast<std::size_t>(j)]; }
  long long reads() const { return reads_; }

 private:
  std::vector<double> scores_, values_;
  long long reads_ = 0;
};

struct Result {
  double out = 0;
  double lse = -INFINITY;
};

Result attend(Row& row) {
  double m = -INFINITY, l = 0, acc = 0;  // maximum, sum of exp(s - m), sum of exp(s - m) v
  for (long long j = 0; j < row.size(); ++j) {
    const double s = row.score(j);
    if (s == -INFINITY) continue;
    if (s > m) {
      const double shrink = std::exp(m - s);  // 0 at the first score
      l *= shrink;
      acc *= shrink;
      m = s;
    }
    const double weight = std::exp(s - m);
    l += weight;
    acc += weight * row.value(j);
  }
  if (l == 0) return {};
  return {acc / l, m + std::log(l)};
}
