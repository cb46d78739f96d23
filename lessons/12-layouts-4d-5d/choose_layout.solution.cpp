#include "exercise.hpp"

struct Degrees {
  long long ulysses = 1, ring = 1;
};

Degrees choose_layout(Heads heads, long long gpus, long long gpus_per_node) {
  Degrees best{1, gpus};
  double least = INFINITY;
  for (long long u = 1; u <= gpus_per_node && u <= gpus; ++u) {
    if (gpus % u != 0 || heads.query_heads % u != 0) continue;
    const double r = static_cast<double>(gpus / u), q = static_cast<double>(heads.query_heads),
                 kv = static_cast<double>(heads.kv_heads);
    // For each token of a shard. All-to-all of Q, K, V and O: (u - 1) / u of them leave. Heads that
    // are fewer than u are sent to several ranks. Then rings of r over u shards.
    const double du = static_cast<double>(u);
    const double kv_copies = std::fmax(kv, du);
    const double all_to_all = (du - 1) / du * (2 * q + 2 * kv_copies);
    const double rings = (r - 1) * 2 * kv_copies;
    if (all_to_all + rings < least) {
      least = all_to_all + rings;
      best = {u, gpus / u};
    }
  }
  return best;
}
