#include "exercise.hpp"

struct ScoreRow {
  std::vector<double> scores;
  std::vector<std::vector<double>> values;
  std::vector<double> dout;
};

std::vector<double> score_gradients(const ScoreRow& row) {
  const std::size_t keys = row.scores.size(), dim = row.dout.size();
  double sum = 0;
  for (const double s : row.scores) sum += std::exp(s);
  const double lse = std::log(sum);
  std::vector<double> p(keys), dp(keys, 0), out(dim, 0), ds(keys);
  for (std::size_t j = 0; j < keys; ++j) {
    p[j] = std::exp(row.scores[j] - lse);
    for (std::size_t d = 0; d < dim; ++d) {
      out[d] += p[j] * row.values[j][d];
      dp[j] += row.dout[d] * row.values[j][d];
    }
  }
  double delta = 0;
  for (std::size_t d = 0; d < dim; ++d) delta += row.dout[d] * out[d];
  for (std::size_t j = 0; j < keys; ++j) ds[j] = p[j] * (dp[j] - delta);
  return ds;
}
