#include "exercise.hpp"

std::vector<long long> group(long long rank, long long axis, const std::vector<long long>& sizes);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long rank = in.integer(), axis = in.integer();
    std::vector<long long> sizes;
    while (in.left() > 0) sizes.push_back(in.integer());
    for (const long long member : group(rank, axis, sizes)) out.add(static_cast<double>(member));
  });
}
