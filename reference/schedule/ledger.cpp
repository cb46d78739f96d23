#include "ringlab/reference/schedule/ledger.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"

namespace ringlab {
namespace {

class RankCounter {
 public:
  RankCounter(const Schedule& schedule, const CollectiveIndex& collectives, const Mask& mask,
              const ElementBytes& element, int rank)
      : schedule_(schedule),
        collectives_(collectives),
        rank_(rank),
        mask_(mask),
        element_(element),
        program_(schedule.rank(rank)),
        held_(schedule, rank),
        capacity_(program_.buffers.size(), 0) {
    ledger_.pair_heads_per_hop.assign(static_cast<std::size_t>(schedule.hops), 0);
    ledger_.bytes_sent_per_hop = ledger_.pair_heads_per_hop;
  }

  RankLedger count() {
    measure_memory();
    for (const Step& step : program_.steps) {
      if (const auto* attend = std::get_if<Attend>(&step.action)) {
        tile(step.hop, attend->query, attend->key_value);
      } else if (const auto* back = std::get_if<AttendBackward>(&step.action)) {
        tile(step.hop, back->query, back->key_value);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.action)) {
        moves(step.hop, *exchange);
      } else if (const auto* collective = std::get_if<Collective>(&step.action)) {
        moves(step.hop, *collective);
      } else if (const auto* wait = std::get_if<Wait>(&step.action)) {
        waiting_parts_.erase(wait->id);
      }
      held_.apply(step);
      measure_memory();
    }
    return std::move(ledger_);
  }

 private:
  void tile(int hop, BufferId query, BufferId key_value) {
    const std::optional<Content>&q = held_.of(query), &kv = held_.of(key_value);
    if (!q || !kv) return;  // the checker's business
    TileWork work{hop, *q, *kv, 0, schedule_.token_count(*q) * schedule_.token_count(*kv), 0};
    work.pairs = visible_pairs(mask_, schedule_.tokens_of(*q), schedule_.tokens_of(*kv));
    work.flops = static_cast<double>(work.pairs) * flops_per_pair(schedule_) * q->heads;
    ledger_.pair_heads += work.pairs * q->heads;
    ledger_.flops += work.flops;
    ledger_.pair_heads_per_hop.at(static_cast<std::size_t>(hop)) += work.pairs * q->heads;
    ledger_.tiles.push_back(std::move(work));
  }

  void moves(int hop, const Exchange& exchange) {
    for (const Move& move : exchange.sends) sent(hop, schedule_.content(move.content));
    for (const Move& move : exchange.receives) received(schedule_.content(move.content));
  }

  void moves(int hop, const Collective& collective) {
    const CollectiveMoves moves = collectives_.moves(rank_, collective);
    for (const PartMove& move : moves.sends) sent(hop, move.part);
    for (const PartMove& move : moves.receives) {
      received(move.part);
      // Parts that are summed wait beside the buffer until all have come.
      if (moves.reduces) {
        waiting_parts_[collective.id] += wire_bytes_of(schedule_, move.part, element_);
      }
    }
  }

  void sent(int hop, const Content& content) {
    const Index bytes = wire_bytes_of(schedule_, content, element_);
    ++ledger_.messages_sent;
    ledger_.bytes_sent += bytes;
    ledger_.bytes_sent_per_hop.at(static_cast<std::size_t>(hop)) += bytes;
  }

  void received(const Content& content) {
    ++ledger_.messages_received;
    ledger_.bytes_received += wire_bytes_of(schedule_, content, element_);
  }

  // A buffer's memory is as large as the largest thing it has held since it was last released.
  void measure_memory() {
    Index all = 0, key_value = 0;
    for (const auto& [id, bytes] : waiting_parts_) all += bytes;
    for (std::size_t b = 0; b < capacity_.size(); ++b) {
      const std::optional<Content>& content = held_.of(static_cast<BufferId>(b));
      capacity_[b] = content ? std::max(capacity_[b], bytes_of(schedule_, *content, element_)) : 0;
      all += capacity_[b];
      if (content && content->quantity == Quantity::key_value) key_value += capacity_[b];
    }
    ledger_.peak_bytes = std::max(ledger_.peak_bytes, all);
    ledger_.peak_key_value_bytes = std::max(ledger_.peak_key_value_bytes, key_value);
  }

  const Schedule& schedule_;
  const CollectiveIndex& collectives_;
  int rank_;
  const Mask& mask_;
  const ElementBytes& element_;
  const RankProgram& program_;
  Holdings held_;
  std::vector<Index> capacity_;
  std::map<int, Index> waiting_parts_;  // bytes, by collective
  RankLedger ledger_;
};

}  // namespace

double flops_per_pair(const Schedule& schedule) {
  return (schedule.backward ? 10.0 : 4.0) * schedule.head_dim;
}

double Ledger::efficiency() const {
  if (worst_per_hop_pair_heads == 0) return 1;
  return static_cast<double>(pair_heads) /
         (static_cast<double>(ranks.size()) * static_cast<double>(worst_per_hop_pair_heads));
}

Index Ledger::bytes_sent() const {
  Index sum = 0;
  for (const RankLedger& rank : ranks) sum += rank.bytes_sent;
  return sum;
}

Ledger make_ledger(const Schedule& schedule, const Mask& mask, const ElementBytes& element) {
  Ledger ledger;
  ledger.query_heads = schedule.query_heads;
  const CollectiveIndex collectives(schedule);
  std::vector<Index> worst(static_cast<std::size_t>(schedule.hops), 0);
  for (int r = 0; r < schedule.size(); ++r) {
    ledger.ranks.push_back(RankCounter(schedule, collectives, mask, element, r).count());
    const RankLedger& rank = ledger.ranks.back();
    ledger.pair_heads += rank.pair_heads;
    ledger.worst_rank_pair_heads = std::max(ledger.worst_rank_pair_heads, rank.pair_heads);
    for (std::size_t hop = 0; hop < worst.size(); ++hop) {
      worst[hop] = std::max(worst[hop], rank.pair_heads_per_hop[hop]);
    }
  }
  ledger.worst_per_hop_pair_heads = std::accumulate(worst.begin(), worst.end(), Index{0});
  return ledger;
}

}  // namespace ringlab
