#include "exercise.hpp"

std::vector<long long> group(long long rank, long long axis, const std::vector<long long>& sizes) {
  long long stride = 1;
  for (long long a = 0; a < axis; ++a) stride *= sizes[static_cast<std::size_t>(a)];
  const long long size = sizes[static_cast<std::size_t>(axis)];
  const long long mine = rank / stride % size;
  std::vector<long long> members;
  for (long long m = 0; m < size; ++m) members.push_back(rank + (m - mine) * stride);
  return members;
}
