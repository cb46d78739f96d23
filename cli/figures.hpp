// Figures of a ledger as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "ringlab/reference/session/element_bytes.hpp"

namespace ringlab::cli {

/// Visible pairs: a whole number where heads are not split, else what the heads make of it.
inline nlohmann::ordered_json pairs_json(const Ledger& ledger, Index pair_heads) {
  if (pair_heads % ledger.query_heads == 0) return pair_heads / ledger.query_heads;
  return ledger.pairs(pair_heads);
}

inline nlohmann::ordered_json pairs_per_rank_json(const Ledger& ledger) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RankLedger& rank : ledger.ranks) list.push_back(pairs_json(ledger, rank.pair_heads));
  return list;
}

}  // namespace ringlab::cli
