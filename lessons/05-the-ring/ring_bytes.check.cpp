#include "exercise.hpp"

double ring_bytes(long long ranks, long long tokens_per_rank, Heads heads, long long bytes);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long ranks = in.integer(), tokens = in.integer();
    Heads heads;
    heads.query_heads = in.integer();
    heads.kv_heads = in.integer();
    heads.head_dim = in.integer();
    out.add(ring_bytes(ranks, tokens, heads, in.integer()));
  });
}
