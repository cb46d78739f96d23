#include "ringlab/reference/sequence/visible.hpp"

#include <algorithm>
#include <map>

namespace ringlab {
namespace {

Index floor_div(Index a, Index m) {
  return a / m - (a % m < 0 ? 1 : 0);
}

// Pairs with k - q <= reach, q in `queries`, k in `keys`.
//
// For query i the count is clamp(floor((q_i + reach - k_0) / t) + 1, 0, m): zero up to some i, then
// a rising line, then m. The two bends are found by division and the line by floor_sum.
Index pairs_within(const Run& queries, const Run& keys, Index reach) {
  const Index n = queries.count, m = keys.count, t = keys.stride, s = queries.stride;
  const Index offset = queries.first + reach - keys.first;
  const auto ceil_div = [](Index a, Index b) { return -floor_div(-a, b); };
  const Index rises = std::clamp<Index>(ceil_div(-offset, s), 0, n);  // first i that sees a key
  const Index level = std::clamp<Index>(ceil_div((m - 1) * t - offset, s), rises, n);  // sees all
  const Index line = floor_sum(level - rises, t, s, offset + rises * s) + (level - rises);
  return line + (n - level) * m;
}

Index pairs_in_band(const Run& queries, const Run& keys, Index left, Index right) {
  if (keys.count == 0 || left < -right) return 0;
  const Index below = left >= Mask::kUnbounded ? 0 : pairs_within(queries, keys, -left - 1);
  const Index within =
      right >= Mask::kUnbounded ? queries.count * keys.count : pairs_within(queries, keys, right);
  return within - below;
}

Index pairs_of_runs(const Mask& mask, const Run& queries, const Run& keys) {
  const Index left = mask.reach_left(), right = mask.reach_right();
  Index pairs = pairs_in_band(queries, keys, left, right);
  if (mask.prefix > keys.first) {
    Run prefix = keys;  // the keys that everyone sees; those inside the band are counted already
    prefix.count = std::min(keys.count, floor_div(mask.prefix - 1 - keys.first, keys.stride) + 1);
    pairs += queries.count * prefix.count - pairs_in_band(queries, prefix, left, right);
  }
  return pairs;
}

}  // namespace

Index floor_sum(Index n, Index m, Index a, Index b) {
  RINGLAB_ENSURE(n >= 0 && m >= 1, "floor_sum takes n >= 0 terms and a divisor >= 1");
  if (n == 0) return 0;
  Index sum = 0;
  const Index qa = floor_div(a, m), qb = floor_div(b, m);
  sum += qa * (n * (n - 1) / 2) + qb * n;
  a -= qa * m;
  b -= qb * m;
  const Index top = a * n + b;
  if (top >= m) sum += floor_sum(top / m, a, m, top % m);
  return sum;
}

Index visible_pairs(const Mask& mask, const Positions& queries, const Positions& keys) {
  Index pairs = 0;
  if (!mask.documents) {
    for (const Run& q : queries.runs()) {
      for (const Run& k : keys.runs()) pairs += pairs_of_runs(mask, q, k);
    }
    return pairs;
  }
  std::multimap<std::int32_t, const Run*> keys_of_document;
  for (const Run& k : keys.runs()) keys_of_document.emplace(k.document, &k);
  for (const Run& q : queries.runs()) {
    const auto [begin, end] = keys_of_document.equal_range(q.document);
    for (auto k = begin; k != end; ++k) pairs += pairs_of_runs(mask, q, *k->second);
  }
  return pairs;
}

TileClass classify_tile(const Mask& mask, const Positions& queries, const Positions& keys) {
  const Index pairs = visible_pairs(mask, queries, keys);
  if (pairs == 0) return TileClass::empty;
  return pairs == queries.size() * keys.size() ? TileClass::full : TileClass::partial;
}

const char* name(TileClass tile) {
  switch (tile) {
    case TileClass::empty:
      return "empty";
    case TileClass::partial:
      return "partial";
    case TileClass::full:
      return "full";
  }
  return "?";
}

}  // namespace ringlab
