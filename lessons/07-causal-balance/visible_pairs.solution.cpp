#include "exercise.hpp"

double visible_pairs(const std::vector<Run>& shard) {
  double pairs = 0;
  for (const Run& run : shard) {
    const double n = static_cast<double>(run.count);
    pairs += n * (static_cast<double>(run.first) + 1) +
             static_cast<double>(run.stride) * n * (n - 1) / 2;
  }
  return pairs;
}
