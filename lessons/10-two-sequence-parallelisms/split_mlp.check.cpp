#include "split_mlp.hpp"

Passed train(Group& group, const Everywhere& x, const Layer& layer, const Everywhere& dy);

// Says why and ends: what is printed is shown.
static void need(bool fits, const char* what, long long one, long long other) {
  if (fits) return;
  std::printf("%s: %lld and %lld\n", what, one, other);
  std::fflush(stdout);
  std::abort();
}

Matrix product(const Matrix& a, const Matrix& b) {
  need(a.columns == b.rows, "product: columns and rows do not fit", a.columns, b.rows);
  Matrix c(a.rows, b.columns);
  for (long long r = 0; r < a.rows; ++r) {
    for (long long k = 0; k < a.columns; ++k) {
      for (long long i = 0; i < b.columns; ++i) c.at(r, i) += a.at(r, k) * b.at(k, i);
    }
  }
  return c;
}

Matrix transposed(const Matrix& a) {
  Matrix t(a.columns, a.rows);
  for (long long r = 0; r < a.rows; ++r) {
    for (long long c = 0; c < a.columns; ++c) t.at(c, r) = a.at(r, c);
  }
  return t;
}

Matrix rows_of(const Matrix& a, long long first, long long count) {
  need(first >= 0 && first + count <= a.rows, "rows_of: ends after the last row", first + count,
       a.rows);
  Matrix part(count, a.columns);
  for (long long r = 0; r < count; ++r) {
    for (long long c = 0; c < a.columns; ++c) part.at(r, c) = a.at(first + r, c);
  }
  return part;
}

Matrix scaled(const Matrix& a, const Matrix& gain) {
  need(a.columns == gain.columns, "scaled: columns differ", a.columns, gain.columns);
  Matrix s = a;
  for (long long r = 0; r < a.rows; ++r) {
    for (long long c = 0; c < a.columns; ++c) s.at(r, c) *= gain.at(0, c);
  }
  return s;
}

Matrix relu(const Matrix& a) {
  Matrix s = a;
  for (double& x : s.numbers) x = std::fmax(x, 0);
  return s;
}

Matrix relu_back(const Matrix& above, const Matrix& a) {
  need(above.rows == a.rows, "relu_back: rows differ", above.rows, a.rows);
  need(above.columns == a.columns, "relu_back: columns differ", above.columns, a.columns);
  Matrix s = above;
  for (std::size_t i = 0; i < s.numbers.size(); ++i) {
    if (!(a.numbers[i] > 0)) s.numbers[i] = 0;
  }
  return s;
}

Matrix column_sums(const Matrix& a, const Matrix& b) {
  need(a.rows == b.rows, "column_sums: rows differ", a.rows, b.rows);
  need(a.columns == b.columns, "column_sums: columns differ", a.columns, b.columns);
  Matrix s(1, a.columns);
  for (long long r = 0; r < a.rows; ++r) {
    for (long long c = 0; c < a.columns; ++c) s.at(0, c) += a.at(r, c) * b.at(r, c);
  }
  return s;
}

Everywhere Group::all_gather(const Everywhere& mine) {
  Matrix all(0, mine.at(0).columns);
  for (const Matrix& m : mine) {
    all.rows += m.rows;
    all.numbers.insert(all.numbers.end(), m.numbers.begin(), m.numbers.end());
  }
  sent_ += static_cast<double>(mine[0].numbers.size() * (mine.size() - 1));
  return Everywhere(mine.size(), all);
}

Everywhere Group::reduce_scatter(const Everywhere& mine) {
  Matrix sum = mine.at(0);
  for (std::size_t r = 1; r < mine.size(); ++r) {
    for (std::size_t i = 0; i < sum.numbers.size(); ++i) sum.numbers[i] += mine[r].numbers.at(i);
  }
  const auto ranks = static_cast<long long>(mine.size());
  const long long part = sum.rows / ranks;
  need(part * ranks == sum.rows, "reduce_scatter: rows and ranks do not fit", sum.rows, ranks);
  Everywhere parts;
  for (long long r = 0; r < ranks; ++r) parts.push_back(rows_of(sum, r * part, part));
  sent_ += static_cast<double>(parts[0].numbers.size() * (mine.size() - 1));
  return parts;
}

Everywhere Group::all_reduce(const Everywhere& mine) {
  Matrix sum = mine.at(0);
  for (std::size_t r = 1; r < mine.size(); ++r) {
    for (std::size_t i = 0; i < sum.numbers.size(); ++i) sum.numbers[i] += mine[r].numbers.at(i);
  }
  const double ranks = static_cast<double>(mine.size());
  sent_ += 2 * (ranks - 1) / ranks * static_cast<double>(sum.numbers.size());
  return Everywhere(mine.size(), sum);
}

static Matrix taken(Given& in, long long rows, long long columns) {
  Matrix m(rows, columns);
  m.numbers = in.reals(rows * columns);
  return m;
}

int main() {
  return serve([](Given& in, Answer& out) {
    const long long ranks = in.integer(), tokens = in.integer(), width = in.integer(),
                    hidden = in.integer();
    const long long mine = tokens / ranks, inside = hidden / ranks;
    const Matrix x = taken(in, tokens, width), gain = taken(in, 1, width),
                 a = transposed(taken(in, width, hidden)), b = taken(in, hidden, width),
                 dy = taken(in, tokens, width);
    Everywhere xs, dys;
    Layer layer;
    for (long long r = 0; r < ranks; ++r) {
      xs.push_back(rows_of(x, r * mine, mine));
      dys.push_back(rows_of(dy, r * mine, mine));
      layer.gain.push_back(gain);
      layer.a.push_back(transposed(rows_of(a, r * inside, inside)));
      layer.b.push_back(rows_of(b, r * inside, inside));
    }
    Group group;
    const Passed passed = train(group, xs, layer, dys);
    for (const Everywhere* all : {&passed.y, &passed.dx, &passed.dgain}) {
      for (const Matrix& one : *all) out.add(one.numbers);
    }
    out.add(group.sent());
  });
}
