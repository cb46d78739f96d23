#include "exercise.hpp"

std::vector<long long> group(long long rank, const std::vector<long long>& axes,
                             const std::vector<long long>& sizes) {
  std::vector<long long> members = {rank};
  for (const long long axis : axes) {  // every member so far becomes `size` of them
    long long stride = 1;
    for (long long a = 0; a < axis; ++a) stride *= sizes[static_cast<std::size_t>(a)];
    const long long size = sizes[static_cast<std::size_t>(axis)];
    const long long mine = rank / stride % size;
    std::vector<long long> more;
    for (long long m = 0; m < size; ++m) {
      for (const long long member : members) more.push_back(member + (m - mine) * stride);
    }
    members = more;
  }
  return members;
}
