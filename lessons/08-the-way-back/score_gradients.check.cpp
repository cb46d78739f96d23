#include "score_gradients.hpp"

std::vector<double> score_gradients(const ScoreRow& row, long long first, long long last);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long keys = in.integer(), dim = in.integer();
    const long long first = in.integer(), last = in.integer();
    const std::vector<double> scores = in.reals(keys), values = in.reals(keys * dim);
    const ScoreRow row(scores, values, in.reals(dim));
    out.add(score_gradients(row, first, last));
    out.add(static_cast<double>(row.reads()));
  });
}
