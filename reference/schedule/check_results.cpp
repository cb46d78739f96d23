#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/schedule/check_state.hpp"
#include "ringlab/reference/schedule/parts.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab::detail {
namespace {

// One quantity's result on one rank: buffers that together hold the rank's own shard, all heads.
class ResultCheck {
 public:
  ResultCheck(CheckState& state, int rank, Quantity quantity)
      : state_(state), schedule_(state.schedule), rank_(rank), quantity_(quantity) {}

  void run(const std::vector<BufferId>& buffers) {
    const Content own = own_shard(schedule_, quantity_, rank_);
    Index held = 0;
    for (const BufferId buffer : buffers) {
      const std::optional<Value>& value = state_.slot(rank_, buffer).value;
      const bool right = value && value->content.quantity == quantity_ &&
                         common_size(value->content, own) == size(value->content);
      if (!right) {
        state_.report(Fault::not_home, rank_, -1, state_.buffer_name(rank_, buffer),
                      fmt::format("holds {} at the end, where {} belongs",
                                  value ? label(schedule_, value->content) : "nothing",
                                  label(schedule_, own)));
        return;
      }
      held += size(value->content);
    }
    if (held != size(own)) {
      state_.report(Fault::not_home, rank_, -1, "",
                    fmt::format("{} of {} tokens x heads of {} stand in its result buffers", held,
                                size(own), label(schedule_, own)));
      return;
    }
    for (const BufferId buffer : buffers) {
      const Value& value = *state_.slot(rank_, buffer).value;
      for (const Piece& piece : value.content.pieces) {
        for (int other = 0; other < schedule_.size(); ++other)
          check_pairs(buffer, value, piece, other);
      }
    }
  }

 private:
  Index size(const Content& c) const { return schedule_.token_count(c) * c.heads; }
  Index common_size(const Content& a, const Content& b) const { return size(common_part(a, b)); }

  // The piece has every visible pair with shard `other` (once: see repeated_tile).
  void check_pairs(BufferId buffer, const Value& value, const Piece& piece, int other) {
    const bool queries = is_of_queries(quantity_);
    const int group = queries ? 1 : schedule_.query_heads / schedule_.kv_heads;
    const Positions own =
        (queries ? schedule_.query_layout : schedule_.key_layout)[static_cast<std::size_t>(rank_)]
            .slice(piece.first, piece.count);
    const Positions& theirs =
        (queries ? schedule_.key_layout : schedule_.query_layout)[static_cast<std::size_t>(other)];
    const Index wanted = (queries ? visible_pairs(state_.mask, own, theirs)
                                  : visible_pairs(state_.mask, theirs, own)) *
                         value.content.heads * group;
    Index found = 0;
    if (value.coverage) {
      const Content& c = value.content;
      found = queries ? value.coverage->covered(piece, c.first_head, c.heads, other)
                      : value.coverage->covered_of_keys(piece, c.first_head, c.heads, other);
    }
    if (found == wanted) return;
    state_.report(
        Fault::missed_tile, rank_, -1, state_.buffer_name(rank_, buffer),
        fmt::format("q{} x kv{}: {} of {} visible pairs x heads are missing",
                    queries ? rank_ : other, queries ? other : rank_, wanted - found, wanted));
  }

  CheckState& state_;
  const Schedule& schedule_;
  int rank_;
  Quantity quantity_;
};

}  // namespace

void check_results(CheckState& state) {
  for (int r = 0; r < state.schedule.size(); ++r) {
    const RankProgram& program = state.schedule.rank(r);
    const auto check = [&](Quantity quantity, const std::vector<BufferId>& buffers) {
      ResultCheck(state, r, quantity).run(buffers);
    };
    if (state.schedule.backward) {
      check(Quantity::query_gradient, program.query_gradient);
      check(Quantity::key_value_gradient, program.key_value_gradient);
    } else {
      check(Quantity::partial, program.partial);
    }
  }
}

}  // namespace ringlab::detail
