#include "exercise.hpp"

bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens, bool way_home);

int main() {
  return serve([](Given& in, Answer& out) {
    Heads heads;
    heads.query_heads = in.integer();
    heads.kv_heads = in.integer();
    heads.head_dim = 128;
    const long long fresh = in.integer(), cached = in.integer();
    out.add(pass_queries(heads, fresh, cached, in.integer() != 0) ? 1 : 0);
  });
}
