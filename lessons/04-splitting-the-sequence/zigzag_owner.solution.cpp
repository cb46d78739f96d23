#include "exercise.hpp"

#include <algorithm>

long long zigzag_owner(long long position, long long tokens, long long ranks) {
  const long long chunks = 2 * ranks;
  // Chunk c begins at floor(tokens * c / chunks): the last c for which that is not behind us.
  const long long chunk = ((position + 1) * chunks - 1) / tokens;
  return std::min(chunk, chunks - 1 - chunk);
}
