#include "exercise.hpp"

std::vector<Run> runs_of(const std::vector<long long>& positions) {
  std::vector<Run> runs;
  for (const long long p : positions) {
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.count == 1) last.stride = p - last.first;  // two tokens make a stride
      if (p == last.first + last.stride * last.count) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({p, 1, 1});
  }
  return runs;
}
