#include "score_gradients.hpp"

std::vector<double> score_gradients(const ScoreRow& row, long long first, long long last) {
  double delta = 0;
  for (long long d = 0; d < row.dim(); ++d) delta += row.dout(d) * row.out(d);
  std::vector<double> ds;
  for (long long j = first; j < last; ++j) {
    const double p = std::exp(row.score(j) - row.lse());
    double dp = 0;
    for (long long d = 0; d < row.dim(); ++d) dp += row.dout(d) * row.value(j, d);
    ds.push_back(p * (dp - delta));
  }
  return ds;
}
