// What an exercise's program is built with: plain types, and the loop that asks and answers.
// Cases come on standard input, answers go to file descriptor 3; what you print with printf or
// std::cout is shown to you and not judged.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace exercise {

/// `count` positions: first, first + stride, first + 2 * stride, ...
struct Run {
  long long first = 0, stride = 1, count = 0;
};

/// Attention over some of the keys: the normalised output, and the natural log-sum-exp.
struct Partial {
  std::vector<double> out;
  double lse = -INFINITY;
};

/// What a model's attention looks like.
struct Heads {
  long long query_heads = 1, kv_heads = 1, head_dim = 1;
};

/// Takes the numbers of one case one by one.
class Given {
 public:
  explicit Given(const std::vector<double>& numbers) : numbers_(numbers) {}
  double real() { return numbers_[at_++]; }
  long long integer() { return static_cast<long long>(real()); }
  /// How many numbers of the case are left.
  long long left() const { return static_cast<long long>(numbers_.size() - at_); }
  std::vector<double> reals(long long count) {
    std::vector<double> list;
    for (long long i = 0; i < count; ++i) list.push_back(real());
    return list;
  }

 private:
  const std::vector<double>& numbers_;
  std::size_t at_ = 0;
};

/// Takes the numbers of the answer.
class Answer {
 public:
  void add(double value) { numbers_.push_back(value); }
  void add(const std::vector<double>& values) {
    for (double value : values) add(value);
  }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};

/// Reads cases until the input ends; `solve` turns each into an answer.
inline int serve(void (*solve)(Given&, Answer&)) {
  long long count = 0;
  while (std::scanf("%lld", &count) == 1) {
    std::vector<double> numbers;
    for (long long i = 0; i < count; ++i) {
      double value = 0;
      if (std::scanf("%lf", &value) != 1) return 1;
      numbers.push_back(value);
    }
    Given given(numbers);
    Answer answer;
    solve(given, answer);
    std::string line = std::to_string(answer.numbers().size());
    for (double value : answer.numbers()) {
      char text[32];
      std::snprintf(text, sizeof text, " %.17g", value);
      line += text;
    }
    line += '\n';
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t count = ::write(3, line.data() + at, line.size() - at);
      if (count <= 0) return 1;
      at += static_cast<std::size_t>(count);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace exercise

using namespace exercise;
