#include "exercise.hpp"

struct ScoreRow {
  std::vector<double> scores;
  std::vector<std::vector<double>> values;
  std::vector<double> dout;
};

std::vector<double> score_gradients(const ScoreRow& row);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long keys = in.integer(), dim = in.integer();
    ScoreRow row;
    row.scores = in.reals(keys);
    for (long long j = 0; j < keys; ++j) row.values.push_back(in.reals(dim));
    row.dout = in.reals(dim);
    out.add(score_gradients(row));
  });
}
