#include "exercise.hpp"

enum class Tile { empty, partial, full };

Tile tile_class(long long first_query, long long last_query, long long first_key,
                long long last_key, long long window) {
  const bool windowed = window >= 0;
  if (first_key > last_query) return Tile::empty;
  if (windowed && last_key < first_query - window) return Tile::empty;  // its corner that sees most
  const bool reaches_back = !windowed || first_key >= last_query - window;
  if (last_key <= first_query && reaches_back) return Tile::full;
  return Tile::partial;
}
