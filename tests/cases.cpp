#include "tests/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringlab::test {
namespace {

constexpr std::array<int, 7> kRanks = {1, 2, 3, 4, 5, 8, 16};
constexpr std::array<Index, 20> kTokens = {1,  2,  3,  5,  7,  8,   11,  13,  16,  17,
                                           23, 31, 32, 47, 64, 101, 128, 199, 257, 400};
constexpr std::array<int, 5> kHeadDims = {8, 64, 1, 80, 128};
constexpr std::array<LayoutKind, 5> kLayouts = {
    LayoutKind::contiguous, LayoutKind::zigzag, LayoutKind::striped,
    LayoutKind::zigzag_per_document, LayoutKind::custom};
constexpr int kMasks = 12;

// A number that depends on the id in no simple way.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Lengths 5 : 7 : 4 of the sequence, so that boundaries fall inside chunks (see the known
// mistakes).
std::vector<Index> document_lengths(Index tokens) {
  const Index a = tokens * 5 / 16, b = tokens * 7 / 16;
  std::vector<Index> lengths;
  for (const Index length : {a, b, tokens - a - b}) {
    if (length > 0) lengths.push_back(length);
  }
  return lengths;
}

Mask mask_number(int number, Index tokens) {
  Mask mask;
  const Index narrow = std::max<Index>(1, tokens / 7);
  switch (number) {
    case 0:
      break;
    case 1:
      mask.causal = true;
      break;
    case 2:
      mask.causal = true;
      mask.window_left = narrow;
      break;
    case 3:
      mask.window_left = narrow;
      mask.window_right = tokens / 3;
      break;
    case 4:
      mask.documents = true;
      break;
    case 5:
      mask.documents = mask.causal = true;
      break;
    case 6:
      mask.causal = true;
      mask.prefix = tokens / 4;
      break;
    case 7:
      mask.causal = mask.documents = true;
      mask.window_left = narrow;
      break;
    case 8:
      mask.causal = true;
      mask.window_left = narrow;
      mask.prefix = 2;
      break;
    case 9:
      mask.window_left = 0;
      mask.window_right = 0;
      break;  // each token sees itself
    case 10:
      mask.causal = mask.documents = true;
      mask.prefix = tokens / 2;
      break;
    case 11:
      mask.documents = true;
      mask.window_left = 2;
      mask.window_right = 1;
      break;
  }
  return mask;
}

}  // namespace

Positions Case::sequence() const {
  return whole_sequence(tokens, documents);
}

Positions Case::queries() const {
  return sequence().slice(tokens - query_tokens, query_tokens);
}

Layout Case::key_layout() const {
  if (layout_kind != LayoutKind::custom) return make_layout(layout_kind, sequence(), ranks);
  std::vector<int> owners;
  for (Index i = 0; i < tokens; ++i) {
    owners.push_back(static_cast<int>(scramble(static_cast<std::uint64_t>(i) + 77) %
                                      static_cast<std::uint64_t>(ranks)));
  }
  return custom_layout(sequence(), owners, ranks);
}

Layout Case::query_layout() const {
  Layout layout;
  for (const Positions& shard : key_layout()) {
    std::vector<Place> places;
    for (const Place& place : shard.expand()) {
      if (place.position >= tokens - query_tokens) places.push_back(place);
    }
    layout.push_back(Positions::from_places(places));
  }
  return layout;
}

std::string Case::text() const {
  const Mask& m = rule.mask;
  return fmt::format(
      "case {}: tokens {} (queries {}) ranks {} layout {} heads {}/{} head_dim {} causal {} "
      "left {} right {} documents {} prefix {} cap {} sinks {} alibi {} rotary {} dropout {}",
      id, tokens, query_tokens, ranks, name(layout_kind), rule.query_heads, rule.kv_heads,
      rule.head_dim, m.causal, m.window_left.value_or(-1), m.window_right.value_or(-1), m.documents,
      m.prefix, rule.soft_cap, rule.sinks.size(), rule.alibi_slopes.size(), rotary_base,
      rule.dropout.probability);
}

Case make_case(int id) {
  Case c;
  const auto n = static_cast<std::size_t>(id);
  const std::uint64_t random = scramble(n);
  c.id = id;
  c.tokens = kTokens[(n * 7) % kTokens.size()];
  c.ranks = kRanks[(n + n / kRanks.size()) % kRanks.size()];
  c.layout_kind = kLayouts[(n / 2) % kLayouts.size()];
  c.documents = document_lengths(c.tokens);
  c.query_tokens = c.tokens;

  AttentionRule& rule = c.rule;
  rule.kv_heads = 1 + static_cast<int>(random % 2);
  rule.query_heads = rule.kv_heads * (1 << (n / 3) % 3);
  rule.head_dim = kHeadDims[(n / 5 + n) % kHeadDims.size()];
  rule.scale = default_scale(rule.head_dim);
  rule.mask = mask_number(static_cast<int>((n + n / kMasks) % kMasks), c.tokens);

  switch (n % 3 == 0 ? (n / 3) % 7 : 99) {
    case 0:
      rule.soft_cap = 1.5;
      break;
    case 1:
      for (int h = 0; h < rule.query_heads; ++h) rule.sinks.push_back(0.5 * h - 1);
      break;
    case 2:
      rule.alibi_slopes = default_alibi_slopes(rule.query_heads);
      break;
    case 3:
      c.rotary_base = rule.head_dim % 2 == 0 ? 10000 : 0;
      break;
    case 4:
      rule.dropout = {0.25, random};
      break;
    case 5:
      rule.scale *= -0.7;
      break;
    case 6:
      c.query_tokens = (c.tokens + 2) / 3;
      break;
  }
  return c;
}

}  // namespace ringlab::test
