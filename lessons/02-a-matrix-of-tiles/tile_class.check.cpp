#include "exercise.hpp"

enum class Tile { empty, partial, full };

Tile tile_class(long long first_query, long long last_query, long long first_key,
                long long last_key, long long window);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long q0 = in.integer(), q1 = in.integer(), k0 = in.integer(), k1 = in.integer();
    out.add(static_cast<double>(tile_class(q0, q1, k0, k1, in.integer())));
  });
}
