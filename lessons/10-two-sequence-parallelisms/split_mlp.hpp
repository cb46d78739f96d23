// What `split_mlp` is written with: small matrices, and the collectives of a tensor group. All
// ranks run in one program, so a thing that every rank has is a list with one matrix for each.
#pragma once

#include "exercise.hpp"

struct Matrix {
  long long rows = 0, columns = 0;
  std::vector<double> numbers;  // row by row

  Matrix() = default;
  Matrix(long long r, long long c)
      : rows(r), columns(c), numbers(static_cast<std::size_t>(r * c)) {}
  double& at(long long r, long long c) {
    return numbers[static_cast<std::size_t>(r * columns + c)];
  }
  double at(long long r, long long c) const {
    return numbers[static_cast<std::size_t>(r * columns + c)];
  }
};

Matrix product(const Matrix& a, const Matrix& b);
Matrix transposed(const Matrix& a);
/// Row `first` and those after it, `count` in all.
Matrix rows_of(const Matrix& a, long long first, long long count);
/// Every number times the gain of its column; `gain` is one row.
Matrix scaled(const Matrix& a, const Matrix& gain);
Matrix relu(const Matrix& a);
/// The gradient of relu(a), given that of its result: `above` where a is positive, 0 elsewhere.
Matrix relu_back(const Matrix& above, const Matrix& a);
/// One row: for each column the sum of a times b.
Matrix column_sums(const Matrix& a, const Matrix& b);

/// Element r is what rank r has.
using Everywhere = std::vector<Matrix>;

/// The collectives of a group. What they send is counted.
class Group {
 public:
  /// Every rank gets the rows of all, in the order of the ranks.
  Everywhere all_gather(const Everywhere& mine);
  /// Every rank gets the sum of all.
  Everywhere all_reduce(const Everywhere& mine);
  /// Rank r gets part r of the sum of all: its rows are cut into as many equal parts as ranks.
  Everywhere reduce_scatter(const Everywhere& mine);
  /// Numbers that one rank has sent: for n numbers in the end on every rank, an all-gather sends
  /// (R - 1) / R n of them, a reduce-scatter of n as many, an all-reduce of n twice as many.
  double sent() const { return sent_; }

 private:
  double sent_ = 0;
};

/// y = relu(scaled(x, gain) a) b. Rank r has columns of a, the same rows of b, and all of the gain.
struct Layer {
  Everywhere gain, a, b;
};

/// Rank r has its own rows of y and of x's gradient, and all of the gain's gradient.
struct Passed {
  Everywhere y, dx, dgain;
};
