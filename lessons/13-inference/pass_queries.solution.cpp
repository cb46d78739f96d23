#include "exercise.hpp"

bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens) {
  // T Hq <= 2 (T + P) Hkv, the rule T / (T + P) <= 2 Hkv / Hq without its division.
  return new_tokens * heads.query_heads <= 2 * (new_tokens + cached_tokens) * heads.kv_heads;
}
