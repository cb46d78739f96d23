#include "exercise.hpp"

std::vector<Run> runs_of(const std::vector<long long>& positions);

int main() {
  return serve([](Given& in, Answer& out) {
    std::vector<long long> positions;
    for (long long left = in.left(); left > 0; --left) positions.push_back(in.integer());
    for (const Run& run : runs_of(positions)) {
      out.add({static_cast<double>(run.first), static_cast<double>(run.stride),
               static_cast<double>(run.count)});
    }
  });
}
