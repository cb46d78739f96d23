// Generators about partial results: how two of them become one, and what a wrong log-sum-exp does.
#include <fmt/format.h>

#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/reference/attention/partial.hpp"

namespace ringlab::quiz {
namespace {

// One row with an output of width 1.
Partial<double> row(double out, double lse) {
  Partial<double> partial = identity_partial<double>(1, 1, 1);
  partial.out.data()[0] = out;
  partial.lse.data()[0] = lse;
  return partial;
}

struct Row {
  double out, lse;
};

// What the library's merge makes of two rows.
Row merged(double out_a, double lse_a, double out_b, double lse_b) {
  Partial<double> into = row(out_a, lse_a);
  merge(row(out_b, lse_b), into);
  return {into.out.data()[0], into.lse.data()[0]};
}

// The weight of the second of two blocks, in percent.
double second_weight(double lse_a, double lse_b) {
  return merged(0, lse_a, 100, lse_b).out;
}

// The natural log-sum-exp of 2^power keys with score 0: a merge doubles them.
double lse_of_zeros(Index power) {
  double lse = 0;
  for (Index i = 0; i < power; ++i) lse = merged(0, lse, 0, lse).lse;
  return lse;
}

double natural_log(Index number) {
  return std::log(static_cast<double>(number));
}

// Two blocks of keys with equal scores: the share of the second.
Values merge_weight(Random& random) {
  const Index first = 16 * random.between(2, 60), second = 16 * random.between(1, 20);
  const double weight = second_weight(natural_log(first), natural_log(second));
  return {{"first", whole(first)},
          {"second", whole(second)},
          {"both", whole(first + second)},
          {"answer", decimal(weight, 2)},
          {"equal", decimal(50, 2)},
          {"swapped", decimal(100 - weight, 2)},
          {"quotient", ratio(100 * second, first, 2)}};
}

// The log-sum-exp of two blocks.
Values merged_lse(Random& random) {
  const Index a = random.between(5, 90), b = a + random.between(-30, 30);
  const double left = static_cast<double>(a) / 10, right = static_cast<double>(b) / 10;
  return {{"a", decimal(left, 1)},
          {"b", decimal(right, 1)},
          {"answer", decimal(merged(0, left, 0, right).lse, 2)},
          {"largest", decimal(std::max(left, right), 2)},
          {"mean", decimal((left + right) / 2, 2)},
          {"sum", decimal(left + right, 2)}};
}

// The running sum after a block with a larger maximum.
Values running_sum(Random& random) {
  const Index old_maximum = random.between(0, 9), rise = random.between(1, 3);
  const Index old_sum = random.between(2, 40), new_sum = random.between(1, 20);
  const Index maximum = old_maximum + rise;
  const auto d = [](Index i) { return static_cast<double>(i); };
  const double lse =
      merged(0, d(old_maximum) + natural_log(old_sum), 0, d(maximum) + natural_log(new_sum)).lse;
  return {{"old_maximum", whole(old_maximum)},
          {"maximum", whole(maximum)},
          {"rise", whole(rise)},
          {"old_sum", whole(old_sum)},
          {"new_sum", whole(new_sum)},
          {"answer", decimal(std::exp(lse - d(maximum)), 2)},
          {"not_rescaled", decimal(d(old_sum + new_sum), 2)},
          {"wrong_way", decimal(d(old_sum) * std::exp(d(rise)) + d(new_sum), 2)},
          {"newest", decimal(d(new_sum), 2)}};
}

// Two keys, one a block.
Values two_key_weight(Random& random) {
  const Index a = random.between(1, 40), b = a + random.between(2, 50);
  const double left = static_cast<double>(a) / 10, right = static_cast<double>(b) / 10;
  const double weight = second_weight(left, right);
  return {{"a", decimal(left, 1)},
          {"b", decimal(right, 1)},
          {"gap", decimal(static_cast<double>(b - a) / 10, 1)},
          {"answer", decimal(weight, 1)},
          {"shifted", decimal(50, 1)},
          {"linear", ratio(100 * b, a + b, 1)},
          {"swapped", decimal(100 - weight, 1)}};
}

// What a merge makes of base-2 log-sum-exps that it takes for natural ones.
Values base_two_weight(Random& random) {
  const Index first = 64 * random.between(8, 64), second = 16 * random.between(1, 16);
  const double a = natural_log(first), b = natural_log(second), two = std::log(2.0);
  return {{"first", whole(first)},
          {"second", whole(second)},
          {"right", decimal(second_weight(a, b), 2)},
          {"answer", decimal(second_weight(a / two, b / two), 2)},
          {"unharmed", decimal(second_weight(a, b), 2)},
          {"other_way", decimal(second_weight(a * two, b * two), 2)},
          {"equal", decimal(50, 2)}};
}

// A base-2 log-sum-exp as a natural one.
Values base_two_to_natural(Random& random) {
  const Index power = random.between(2, 14);
  const double two = lse_of_zeros(1), count = static_cast<double>(power);
  return {{"keys", whole(Index{1} << power)},          {"base_two", whole(power)},
          {"answer", decimal(lse_of_zeros(power), 2)}, {"as_it_is", decimal(count, 2)},
          {"wrong_way", decimal(count / two, 2)},      {"offset", decimal(count - two, 2)}};
}

// How far off the log-sum-exp is if one of equal blocks is folded in twice.
Values counted_twice(Random& random) {
  const Index blocks = random.between(3, 24);
  const double keys = static_cast<double>(random.pick<Index>({64, 256, 1024}));
  double lse = std::log(keys);
  for (Index i = 1; i < blocks; ++i) lse = merged(0, lse, 0, std::log(keys)).lse;
  const double twice = merged(0, lse, 0, std::log(keys)).lse;
  std::string sums = fmt::format("{:.0f}", keys);
  for (Index i = 1; i < blocks; ++i) sums += fmt::format(",{:.0f}", keys);
  return {{"blocks", whole(blocks)},
          {"keys", whole(rounded(keys))},
          {"more", whole(blocks + 1)},
          {"sums", word(sums)},
          {"sums_twice", word(sums + fmt::format(",{:.0f}", keys))},
          {"answer", decimal(twice - lse, 3)},
          {"log_two", decimal(lse_of_zeros(1), 3)},
          {"share", ratio(1, blocks, 3)},
          {"block", decimal(std::log(keys), 3)}};
}

// The loss over two ranks with unequal numbers of supervised tokens: a merge with lse = log count.
Values global_mean(Random& random) {
  const Index left = random.between(6, 9), right = 10 - left;
  const Index a = random.between(10, 40), b = a + random.between(5, 30);
  const double mean_a = static_cast<double>(a) / 10, mean_b = static_cast<double>(b) / 10;
  const double all = merged(mean_a, natural_log(left), mean_b, natural_log(right)).out;
  return {{"left", whole(left)},
          {"right", whole(right)},
          {"mean_a", decimal(mean_a, 1)},
          {"mean_b", decimal(mean_b, 1)},
          {"sum_a", ratio(left * a, 10, 1)},
          {"sum_b", ratio(right * b, 10, 1)},
          {"answer", decimal(all, 2)},
          {"mean_of_means", ratio(a + b, 20, 2)},
          {"by_tokens", ratio(right * a + left * b, 100, 2)},
          {"sum_of_means", ratio(a + b, 10, 2)}};
}

}  // namespace

std::vector<Generator> softmax_generators() {
  return {{"merge_weight", 1, merge_weight},       {"merged_lse", 1, merged_lse},
          {"running_sum", 1, running_sum},         {"two_key_weight", 1, two_key_weight},
          {"base_two_weight", 1, base_two_weight}, {"base_two_to_natural", 1, base_two_to_natural},
          {"counted_twice", 1, counted_twice},     {"global_mean", 1, global_mean}};
}

}  // namespace ringlab::quiz
