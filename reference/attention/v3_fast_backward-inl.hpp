// Backward of v3_fast, per SIMD target (FlashAttention-2, arXiv 2307.08691, algorithm 2).
//
//   for each query head, query block, key block that is not empty:
//     S = Q K^T, D = dO V^T                          raw scores and dP
//     P = exp(S - lse), dS = P * (drop D - delta)    in place, a row at a time
//     dV += (drop P)^T dO,  dK += dS^T Q,  dQ += dS K
//
// All five are the one register-blocked product. Q is packed times `scale`, which gives dK its
// factor; dQ gets it when it is written. dK and dV of one kv head gather here over the whole head
// group.
#if defined(RINGLAB_V3_FAST_BACKWARD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGLAB_V3_FAST_BACKWARD_INL
#undef RINGLAB_V3_FAST_BACKWARD_INL
#else
#define RINGLAB_V3_FAST_BACKWARD_INL
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/partial.hpp"
#include "ringlab/reference/attention/v3_fast_score-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One kv head, packed for the three ways it is read, and its gradients.
template <class T>
struct PackedBlock {
  Index padded_dim, keys, head_dim;
  Workspace<T> key_panels, value_panels;  // [panels, head_dim, panel_width]
  Workspace<T> key_rows;                  // [keys, padded_dim]
  Workspace<T> key_gradient, value_gradient;

  PackedBlock(Index key_count, Index dim)
      : padded_dim(round_up(dim, vector_lanes<T>())),
        keys(key_count),
        head_dim(dim),
        key_panels(round_up(keys, panel_width<T>()) * dim),
        value_panels(round_up(keys, panel_width<T>()) * dim),
        key_rows(keys * padded_dim),
        key_gradient(gradient_size()),
        value_gradient(gradient_size()) {}

  // Row blocks of the last tile may reach beyond the last panel.
  Index gradient_size() const {
    return (round_up(keys, panel_width<T>()) + kRowBlock) * padded_dim;
  }

  void load(const KeyValue<T>& block, int head) {
    const Index stride = block.keys.token_stride();
    pack_panels(block.keys.row(0, head), stride, keys, head_dim, key_panels.data());
    pack_panels(block.values.row(0, head), stride, keys, head_dim, value_panels.data());
    pack_rows(block.keys.row(0, head), stride, keys, head_dim, T(1), padded_dim, key_rows.data());
    std::fill_n(key_gradient.data(), gradient_size(), T(0));
    std::fill_n(value_gradient.data(), gradient_size(), T(0));
  }

  void store(KeyValue<T>& gradient, int head) const {
    for (Index j = 0; j < keys; ++j) {
      T* key = gradient.keys.row(j, head);
      T* value = gradient.values.row(j, head);
      for (Index x = 0; x < head_dim; ++x) {
        key[x] += key_gradient[j * padded_dim + x];
        value[x] += value_gradient[j * padded_dim + x];
      }
    }
  }
};

/// S and dP of one row become P and dS in place. A hidden pair has S = -inf, so P = 0, and its dS
/// is set to 0 by selection: its dP may be anything.
template <class T>
HWY_INLINE void weigh_row(T* HWY_RESTRICT scores, T* HWY_RESTRICT gradients, Index columns, T lse,
                          T delta, const T* slopes, const T* factors) {
  const Lanes<T> d;
  const Index n = vector_lanes<T>();
  const auto shift = hn::Set(d, lse), mean = hn::Set(d, delta);
  const auto hidden = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (Index c = 0; c < columns; c += n) {
    const auto s = hn::Load(d, scores + c);
    auto p = exp_of<Domain::any>(d, hn::Sub(s, shift));
    auto g = hn::Load(d, gradients + c);
    if (factors) g = hn::Mul(g, hn::LoadU(d, factors + c));
    g = hn::Mul(p, hn::Sub(g, mean));
    if (slopes) g = hn::Mul(g, hn::LoadU(d, slopes + c));
    if (factors) p = hn::Mul(p, hn::LoadU(d, factors + c));
    hn::Store(p, d, scores + c);
    hn::Store(hn::IfThenZeroElse(hn::Eq(s, hidden), g), d, gradients + c);
  }
}

/// One call: the packed block of the current kv head and one query block. Rows beyond the last
/// query are 0 and have weight 0.
template <class T>
class BackwardPass {
 public:
  BackwardPass(const AttentionRule& rule, const QueryTile<T>& query,
               const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
               const KeyValueTile<T>& block, const TileMap<IntOf<T>>& map,
               Tensor<T>& query_gradient, KeyValue<T>& block_gradient)
      : rule_(rule),
        query_(query),
        output_gradient_(output_gradient),
        statistics_(statistics),
        block_(block),
        map_(map),
        query_gradient_(query_gradient),
        block_gradient_(block_gradient) {}

  HWY_NOINLINE void run() {
    int packed_head = -1;
    for (head_ = 0; head_ < query_.values.heads(); ++head_) {
      head_rule_ = HeadRule<T>(rule_, query_.first_head + static_cast<int>(head_));
      const int kv_head = rule_.kv_head_of(head_rule_.head) - block_.first_head;
      if (kv_head != packed_head) {
        if (packed_head >= 0) packed_.store(block_gradient_, packed_head);
        packed_.load(block_.block, kv_head);
        packed_head = kv_head;
      }
      for_each_piece(rule_.mask, map_, query_.values.tokens(), packed_.keys, panel_width<T>(),
                     *this);
    }
    packed_.store(block_gradient_, packed_head);
  }

  HWY_NOINLINE void load(Index first, Index rows) {
    first_ = first;
    const Index padded_rows = round_up(rows, kRowBlock);
    const Index padding = (padded_rows - rows) * padded_dim_;
    pack_rows(query_.values.row(first, head_), query_.values.token_stride(), rows, rule_.head_dim,
              static_cast<T>(rule_.scale), padded_dim_, queries_.data());
    std::fill_n(queries_.data() + rows * padded_dim_, padding, T(0));
    pack_rows(output_gradient_.row(first, head_), output_gradient_.token_stride(), rows,
              rule_.head_dim, T(1), padded_dim_, out_gradients_.data());
    std::fill_n(out_gradients_.data() + rows * padded_dim_, padding, T(0));
    std::fill_n(sums_.data(), padded_rows * padded_dim_, T(0));
    for (Index r = 0; r < padded_rows; ++r) {
      // A row that sees nothing has lse = -inf; exp(s - inf) = 0 needs no special case.
      constexpr T kInfinite = std::numeric_limits<T>::infinity();
      const T lse = r < rows ? statistics_.lse(first + r, head_, 0) : kInfinite;
      lse_[r] = std::isinf(lse) ? kInfinite : lse;
      delta_[r] = r < rows ? statistics_.delta(first + r, head_, 0) : T(0);
    }
  }

  HWY_NOINLINE void visit(Index row, Index rows, const PanelSpan& span) {
    const Index width = panel_width<T>(), dim = rule_.head_dim;
    const Index columns = (span.end - span.first) * width, first_key = span.first * width;
    const Index real_keys = std::min<Index>(columns, packed_.keys - first_key);
    const Index padded_rows = round_up(rows, kRowBlock), key_rows = round_up(real_keys, kRowBlock);
    const T* queries = queries_.data() + row * padded_dim_;
    const T* out_gradients = out_gradients_.data() + row * padded_dim_;
    multiply<Store::overwrite, T>({queries, padded_dim_, 1},
                                  {packed_.key_panels.data() + first_key * dim, width, dim * n_},
                                  dim, scores_.data(), score_stride_, padded_rows, columns / n_);
    multiply<Store::overwrite, T>({out_gradients, padded_dim_, 1},
                                  {packed_.value_panels.data() + first_key * dim, width, dim * n_},
                                  dim, gradients_.data(), score_stride_, padded_rows, columns / n_);
    for (Index r = 0; r < padded_rows; ++r) {
      weigh(row, r, r < rows, span, real_keys);
      // The transposed products read whole row blocks of keys.
      for (Index c = columns; c < key_rows; ++c) {
        scores_[r * score_stride_ + c] = gradients_[r * score_stride_ + c] = T(0);
      }
    }
    multiply<Store::add, T>({scores_.data(), 1, score_stride_}, {out_gradients, padded_dim_, n_},
                            padded_rows, packed_.value_gradient.data() + first_key * padded_dim_,
                            padded_dim_, key_rows, padded_dim_ / n_);
    multiply<Store::add, T>({gradients_.data(), 1, score_stride_}, {queries, padded_dim_, n_},
                            padded_rows, packed_.key_gradient.data() + first_key * padded_dim_,
                            padded_dim_, key_rows, padded_dim_ / n_);
    multiply<Store::add, T>({gradients_.data(), score_stride_, 1},
                            {packed_.key_rows.data() + first_key * padded_dim_, padded_dim_, n_},
                            real_keys, sums_.data() + row * padded_dim_, padded_dim_, padded_rows,
                            padded_dim_ / n_);
  }

  HWY_NOINLINE void store(Index first, Index rows) {
    const T scale = static_cast<T>(rule_.scale);
    for (Index r = 0; r < rows; ++r) {
      T* to = query_gradient_.row(first + r, head_);
      for (Index x = 0; x < rule_.head_dim; ++x) to[x] += scale * sums_[r * padded_dim_ + x];
    }
  }

 private:
  // Row r of the piece that begins at `row`: scores become weights, in place.
  HWY_INLINE void weigh(Index row, Index r, bool real, const PanelSpan& span, Index real_keys) {
    T* scores = scores_.data() + r * score_stride_;
    T* gradients = gradients_.data() + r * score_stride_;
    const bool plain = !span.any_partial && !head_rule_.capped && !head_rule_.biased;
    if (real && !plain) {
      finish_scores<T>(head_rule_, map_, first_ + row + r, span, scores, slopes_);
    }
    const bool drops = rule_.dropout.probability > 0;
    if (drops) {
      std::fill_n(factors_, kKeyBlock, T(1));
      if (real) {
        apply_dropout<T>(rule_, head_rule_.head, map_, first_ + row + r,
                         span.first * panel_width<T>(), real_keys, scores,
                         -std::numeric_limits<T>::infinity(), factors_);
      }
    }
    weigh_row(scores, gradients, (span.end - span.first) * panel_width<T>(), lse_[row + r],
              delta_[row + r], head_rule_.capped ? slopes_ : nullptr, drops ? factors_ : nullptr);
  }

  const AttentionRule& rule_;
  const QueryTile<T>& query_;
  const Tensor<T>& output_gradient_;
  const RowStatistics<T>& statistics_;
  const KeyValueTile<T>& block_;
  const TileMap<IntOf<T>>& map_;
  Tensor<T>& query_gradient_;
  KeyValue<T>& block_gradient_;

  const Index n_ = vector_lanes<T>(), padded_dim_ = round_up(rule_.head_dim, n_);
  const Index score_stride_ = kKeyBlock + n_;  // no power of two: spreads over the cache sets
  Index head_ = 0, first_ = 0;
  HeadRule<T> head_rule_{rule_, query_.first_head};
  PackedBlock<T> packed_{block_.block.keys.tokens(), rule_.head_dim};
  Workspace<T> queries_{kQueryBlock * padded_dim_};  // times scale
  Workspace<T> out_gradients_{kQueryBlock * padded_dim_}, sums_{kQueryBlock * padded_dim_};
  Workspace<T> scores_{kQueryBlock * score_stride_}, gradients_{kQueryBlock * score_stride_};
  T lse_[kQueryBlock] = {}, delta_[kQueryBlock] = {};
  alignas(64) T slopes_[kKeyBlock] = {};   // of one row, with a soft cap
  alignas(64) T factors_[kKeyBlock] = {};  // of one row, with dropout
};

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
