// Forward of v3_fast, per SIMD target: FlashAttention's loop (arXiv 2205.14135) on registers.
//
//   for each query head, query block, key block that is not empty:
//     S = Q K^T                    register blocks, K packed once a call and reused by the head
//     group m' = max(m, max S), P = exp(S - m'), l = l exp(m - m') + sum P     (a row at a time) O
//     = O exp(m - m') + P V      register blocks again
//
// The running partial is the state m = lse, l = 1, O; so a tile that adds nothing changes nothing.
#if defined(RINGLAB_V3_FAST_FORWARD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGLAB_V3_FAST_FORWARD_INL
#undef RINGLAB_V3_FAST_FORWARD_INL
#else
#define RINGLAB_V3_FAST_FORWARD_INL
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/partial.hpp"
#include "ringlab/reference/attention/v3_fast_score-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Turns scores into weights in place and moves the row's sum to the new maximum. Returns exp(old
/// maximum - new), which the row's output is still to be multiplied by.
template <class T>
HWY_INLINE T softmax_row(T* HWY_RESTRICT scores, Index columns, T* HWY_RESTRICT sum, T& maximum) {
  const Lanes<T> d;
  const Index n = vector_lanes<T>();
  auto high = hn::Set(d, maximum), other = high;
  for (Index c = 0; c < columns; c += 2 * n) {  // panels are an even number of vectors
    high = hn::Max(high, hn::Load(d, scores + c));
    other = hn::Max(other, hn::Load(d, scores + c + n));
  }
  const T top = hn::GetLane(hn::MaxOfLanes(d, hn::Max(high, other)));
  // While nothing is visible the maximum is -inf; 0 in its place avoids -inf - -inf.
  const auto shift = hn::Set(d, top == -std::numeric_limits<T>::infinity() ? T(0) : top);
  auto total = hn::Load(d, sum), more = hn::Zero(d);
  T carry = 1;
  if (top != maximum) {  // a long row rarely meets a new maximum
    const auto factor = exp_of<Domain::not_positive>(d, hn::Sub(hn::Set(d, maximum), shift));
    total = hn::Mul(total, factor);
    carry = hn::GetLane(factor);
  }
  for (Index c = 0; c < columns; c += 2 * n) {
    const auto p = exp_of<Domain::not_positive>(d, hn::Sub(hn::Load(d, scores + c), shift));
    const auto q = exp_of<Domain::not_positive>(d, hn::Sub(hn::Load(d, scores + c + n), shift));
    hn::Store(p, d, scores + c);
    hn::Store(q, d, scores + c + n);
    total = hn::Add(total, p);
    more = hn::Add(more, q);
  }
  hn::Store(hn::Add(total, more), d, sum);
  maximum = top;
  return carry;
}

/// One call: the packed block of the current kv head and the online softmax of one query block.
template <class T>
class ForwardPass {
 public:
  ForwardPass(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
              const TileMap<IntOf<T>>& map, Partial<T>& into)
      : rule_(rule), query_(query), block_(block), map_(map), into_(into) {}

  HWY_NOINLINE void run() {
    int packed_head = -1;
    for (head_ = 0; head_ < query_.values.heads(); ++head_) {
      head_rule_ = HeadRule<T>(rule_, query_.first_head + static_cast<int>(head_));
      const int kv_head = rule_.kv_head_of(head_rule_.head) - block_.first_head;
      if (kv_head != packed_head) {  // neighbouring heads of a group share the packed block
        const Index stride = block_.block.keys.token_stride();
        pack_panels(block_.block.keys.row(0, kv_head), stride, keys_, head_dim_,
                    packed_keys_.data());
        pack_rows(block_.block.values.row(0, kv_head), stride, keys_, head_dim_, T(1), padded_dim_,
                  packed_values_.data());
        packed_head = kv_head;
      }
      for_each_piece(rule_.mask, map_, query_.values.tokens(), keys_, panel_width<T>(), *this);
    }
  }

  HWY_NOINLINE void load(Index first, Index rows) {
    first_ = first;
    const Index padding = (round_up(rows, kRowBlock) - rows) * padded_dim_;
    pack_rows(query_.values.row(first, head_), query_.values.token_stride(), rows, head_dim_,
              static_cast<T>(rule_.scale), padded_dim_, queries_.data());
    std::fill_n(queries_.data() + rows * padded_dim_, padding, T(0));
    pack_rows(into_.out.row(first, head_), into_.out.token_stride(), rows, head_dim_, T(1),
              padded_dim_, out_.data());
    std::fill_n(sum_.data(), rows * n_, T(0));
    for (Index r = 0; r < rows; ++r) {
      maximum_[r] = into_.lse(first + r, head_, 0);
      sum_[r * n_] = std::isinf(maximum_[r]) ? T(0) : T(1);
      seen_[r] = false;
    }
  }

  HWY_NOINLINE void visit(Index row, Index rows, const PanelSpan& span) {
    const Index columns = (span.end - span.first) * panel_width<T>();
    const Index first_key = span.first * panel_width<T>();
    const Index real_keys = std::min<Index>(columns, keys_ - first_key);
    const Index padded_rows = round_up(rows, kRowBlock);
    multiply<Store::overwrite, T>(
        {queries_.data() + row * padded_dim_, padded_dim_, 1},
        {packed_keys_.data() + first_key * head_dim_, panel_width<T>(), head_dim_ * n_}, head_dim_,
        scores_.data(), score_stride_, padded_rows, columns / n_);
    const bool plain = !span.any_partial && !head_rule_.capped && !head_rule_.biased;
    for (Index r = 0; r < rows; ++r) {
      T* scores = scores_.data() + r * score_stride_;
      const Index query = first_ + row + r;
      seen_[row + r] |= plain || finish_scores<T>(head_rule_, map_, query, span, scores, nullptr);
      carry_[r] = softmax_row(scores, columns, sum_.data() + (row + r) * n_, maximum_[row + r]);
      if (rule_.dropout.probability > 0) {
        apply_dropout<T>(rule_, head_rule_.head, map_, query, first_key, real_keys, scores, T(0),
                         scores);
      }
    }
    // P V is summed apart and added once a key block: 43 additions to O at 8192 keys, not 171.
    multiply<Store::overwrite, T>(
        {scores_.data(), score_stride_, 1},
        {packed_values_.data() + first_key * padded_dim_, padded_dim_, n_}, real_keys,
        value_sums_.data(), padded_dim_, padded_rows, padded_dim_ / n_);
    const Lanes<T> d;
    for (Index r = 0; r < rows; ++r) {
      const auto carry = hn::Set(d, carry_[r]);
      T* to = out_.data() + (row + r) * padded_dim_;
      const T* from = value_sums_.data() + r * padded_dim_;
      for (Index x = 0; x < padded_dim_; x += n_) {
        hn::Store(hn::MulAdd(hn::Load(d, to + x), carry, hn::Load(d, from + x)), d, to + x);
      }
    }
  }

  HWY_NOINLINE void store(Index first, Index rows) {
    const Lanes<T> d;
    for (Index r = 0; r < rows; ++r) {
      const T sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, sum_.data() + r * n_)));
      if (!seen_[r] || sum == T(0)) continue;  // such a row keeps its bits
      T* out = into_.out.row(first + r, head_);
      for (Index x = 0; x < head_dim_; ++x) out[x] = out_[r * padded_dim_ + x] / sum;
      // In double: a long row's maximum plus logarithm in float rounds twice.
      into_.lse(first + r, head_, 0) =
          static_cast<T>(static_cast<double>(maximum_[r]) + std::log(static_cast<double>(sum)));
    }
  }

 private:
  const AttentionRule& rule_;
  const QueryTile<T>& query_;
  const KeyValueTile<T>& block_;
  const TileMap<IntOf<T>>& map_;
  Partial<T>& into_;

  const Index n_ = vector_lanes<T>();
  const Index head_dim_ = rule_.head_dim, padded_dim_ = round_up(head_dim_, n_);
  const Index keys_ = block_.block.keys.tokens();
  const Index score_stride_ = kKeyBlock + n_;  // no power of two: spreads over the cache sets

  Index head_ = 0, first_ = 0;
  HeadRule<T> head_rule_{rule_, query_.first_head};
  Workspace<T> packed_keys_{round_up(keys_, panel_width<T>()) * head_dim_};  // panels
  Workspace<T> packed_values_{keys_ * padded_dim_};                          // rows
  Workspace<T> queries_{kQueryBlock * padded_dim_};                          // times scale
  Workspace<T> scores_{kQueryBlock * score_stride_};
  Workspace<T> out_{kQueryBlock * padded_dim_};         // not normalised
  Workspace<T> sum_{kQueryBlock * n_};                  // one partial sum a lane until the end
  Workspace<T> value_sums_{kQueryBlock * padded_dim_};  // P V of one key block
  T maximum_[kQueryBlock] = {}, carry_[kQueryBlock] = {};
  bool seen_[kQueryBlock] = {};
};

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
