// The closed forms of attention's buffers and traffic against the ledger of real schedules.
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/sim/memory/attention_buffers.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

TEST_CASE("buffers and bytes sent are the ledger's, to the byte") {
  constexpr Index kTokens = 32;  // a rank
  constexpr int kHeadDim = 4;
  int compared = 0;
  for (const auto& [query_heads, kv_heads] :
       {std::pair{8, 8}, std::pair{8, 4}, std::pair{8, 2}, std::pair{16, 1}}) {
    for (const int ranks : {1, 2, 4, 8}) {
      for (const Family family :
           {Family::ring, Family::ulysses, Family::ulysses_ring, Family::all_gather}) {
        for (const int ulysses : {2, 4}) {
          if (ranks == 1 && family != Family::ring) continue;
          if (family == Family::ulysses_ring ? ranks / ulysses < 2 : ulysses > 2) continue;
          ScheduleProblem problem;
          problem.key_layout =
              make_layout(LayoutKind::zigzag, whole_sequence(kTokens * ranks), ranks);
          problem.query_layout = problem.key_layout;
          problem.query_heads = query_heads;
          problem.kv_heads = kv_heads;
          problem.head_dim = kHeadDim;
          if (family == Family::ulysses_ring) {
            problem.degree = {{"U", ulysses}, {"R", ranks / ulysses}};
          }
          const CatalogEntry& entry = catalog_entry(name(family));
          const AttentionShape shape{kTokens, static_cast<double>(query_heads),
                                     static_cast<double>(kv_heads), kHeadDim};
          for (const bool backward : {false, true}) {
            const Schedule schedule =
                backward ? backward_of(entry, problem) : forward_of(entry, problem);
            const Ledger ledger = make_ledger(schedule, Mask{.causal = true}, {2, 4});
            Index peak = 0, sent = 0;
            for (const RankLedger& rank : ledger.ranks) {
              peak = std::max(peak, rank.peak_bytes);
              sent = std::max(sent, rank.bytes_sent);
            }
            INFO(name(family) << " of " << ranks << " (U=" << ulysses << "), " << query_heads
                              << " and " << kv_heads << " heads, backward " << backward);
            const AttentionBuffers buffers =
                attention_buffers(shape, family, ranks, ulysses, backward);
            CHECK(buffers.total == static_cast<double>(peak));
            CHECK(attention_bytes_sent(shape, family, ranks, ulysses, backward) ==
                  static_cast<double>(sent));
            ++compared;
          }
        }
      }
    }
  }
  CHECK(compared > 80);
}
