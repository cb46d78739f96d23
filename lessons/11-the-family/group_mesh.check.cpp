#include "exercise.hpp"

std::vector<long long> group(long long rank, const std::vector<long long>& axes,
                             const std::vector<long long>& sizes);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long rank = in.integer();
    std::vector<long long> axes(static_cast<std::size_t>(in.integer()));
    for (long long& axis : axes) axis = in.integer();
    std::vector<long long> sizes;
    while (in.left() > 0) sizes.push_back(in.integer());
    for (const long long member : group(rank, axes, sizes)) out.add(static_cast<double>(member));
  });
}
