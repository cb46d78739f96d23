#include "ringlab/reference/attention/rule.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringlab {
namespace {

void check_per_head(const char* field, const std::vector<double>& values, int heads) {
  if (values.empty()) return;
  if (static_cast<int>(values.size()) != heads) {
    throw InputError(field, fmt::format("{} values", values.size()),
                     fmt::format("give one for each of the {} query heads", heads));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw InputError(field, fmt::format("{}", value), "give finite numbers");
    }
  }
}

void check_bound(const char* field, const std::optional<Index>& bound) {
  if (bound && (*bound < 0 || *bound > Index{1} << 40)) {
    throw InputError(field, std::to_string(*bound), "give 0 to 2^40, or leave it out for no bound");
  }
}

}  // namespace

void AttentionRule::check() const {
  if (query_heads < 1) throw InputError("heads", std::to_string(query_heads), "give 1 or more");
  if (kv_heads < 1) throw InputError("kv_heads", std::to_string(kv_heads), "give 1 or more");
  if (query_heads % kv_heads != 0) {
    throw InputError("kv_heads", std::to_string(kv_heads),
                     fmt::format("give a divisor of heads = {}", query_heads));
  }
  if (head_dim < 1) throw InputError("head_dim", std::to_string(head_dim), "give 1 or more");
  if (!std::isfinite(scale)) {
    throw InputError("scale", fmt::format("{}", scale), "give a finite number");
  }
  if (!std::isfinite(soft_cap) || soft_cap < 0) {
    throw InputError("soft_cap", fmt::format("{}", soft_cap),
                     "give a positive number, or 0 for none");
  }
  if (!(dropout.probability >= 0 && dropout.probability < 1)) {
    throw InputError("dropout", fmt::format("{}", dropout.probability), "give a number in [0, 1)");
  }
  check_bound("window_left", mask.window_left);
  check_bound("window_right", mask.window_right);
  check_bound("prefix", mask.prefix);
  check_per_head("sinks", sinks, query_heads);
  check_per_head("alibi", alibi_slopes, query_heads);
}

double default_scale(int head_dim) {
  return 1.0 / std::sqrt(static_cast<double>(head_dim));
}

std::vector<double> default_alibi_slopes(int query_heads) {
  std::vector<double> slopes;
  int power = 1;
  while (power * 2 <= query_heads) power *= 2;
  for (int h = 0; h < power; ++h) slopes.push_back(std::exp2(-8.0 * (h + 1) / power));
  // Beyond the power of two the paper takes every other slope of the next one.
  for (int h = 0; static_cast<int>(slopes.size()) < query_heads; h += 2) {
    slopes.push_back(std::exp2(-8.0 * (h + 1) / (2 * power)));
  }
  return slopes;
}

}  // namespace ringlab
