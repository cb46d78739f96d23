// Log-sum-exps of some rows, right ones and a kernel's. Which rows are looked at is counted.
#pragma once

#include "exercise.hpp"

class Rows {
 public:
  Rows(std::vector<double> right, std::vector<double> found)
      : right_(std::move(right)), found_(std::move(found)), read_(right_.size(), false) {}

  long long size() const { return static_cast<long long>(right_.size()); }
  double right(long long row) { return look(right_, row); }
  double found(long long row) { return look(found_, row); }

  long long rows_read() const {
    long long count = 0;
    for (const bool read : read_) count += read;
    return count;
  }

 private:
  double look(const std::vector<double>& list, long long row) {
    read_[static_cast<std::size_t>(row)] = true;
    return list[static_cast<std::size_t>(row)];
  }

  std::vector<double> right_, found_;
  std::vector<bool> read_;
};
