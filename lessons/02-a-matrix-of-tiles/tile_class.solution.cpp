#include "exercise.hpp"

enum class Tile { empty, partial, full };

Tile tile_class(long long first_query, long long last_query, long long first_key,
                long long last_key) {
  if (first_key > last_query) return Tile::empty;
  if (last_key <= first_query) return Tile::full;
  return Tile::partial;
}
