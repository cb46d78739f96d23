#include "exercise.hpp"

double visible_pairs(const std::vector<Run>& shard);

int main() {
  return serve([](Given& in, Answer& out) {
    std::vector<Run> shard;
    while (in.left() > 0) {
      Run run;
      run.first = in.integer();
      run.stride = in.integer();
      run.count = in.integer();
      shard.push_back(run);
    }
    out.add(visible_pairs(shard));
  });
}
