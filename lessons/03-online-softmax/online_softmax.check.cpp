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

Result attend(Row& row);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long count = in.integer();
    const std::vector<double> scores = in.reals(count), values = in.reals(count);
    Row row(scores, values);
    const Result result = attend(row);
    out.add(result.out);
    out.add(result.lse);
    out.add(static_cast<double>(row.reads()));
  });
}
