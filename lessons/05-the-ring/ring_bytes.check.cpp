#include "exercise.hpp"

double ring_bytes(const std::vector<long long>& tokens, long long rank, Heads heads,
                  long long bytes);

int main() {
  return serve([](Given& in, Answer& out) {
    std::vector<long long> tokens(static_cast<std::size_t>(in.integer()));
    for (long long& count : tokens) count = in.integer();
    const long long rank = in.integer();
    Heads heads;
    heads.query_heads = in.integer();
    heads.kv_heads = in.integer();
    heads.head_dim = in.integer();
    out.add(ring_bytes(tokens, rank, heads, in.integer()));
  });
}
