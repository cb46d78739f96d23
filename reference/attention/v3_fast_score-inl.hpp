// What happens to a row of raw scores before the softmax: soft cap, ALiBi, mask. Shared by forward
// and backward, per SIMD target. Tiles that are full, without cap and ALiBi, never come here.
#if defined(RINGLAB_V3_FAST_SCORE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGLAB_V3_FAST_SCORE_INL
#undef RINGLAB_V3_FAST_SCORE_INL
#else
#define RINGLAB_V3_FAST_SCORE_INL
#endif

#include "ringlab/reference/attention/score.hpp"
#include "ringlab/reference/attention/v3_fast_math-inl.hpp"
#include "ringlab/reference/attention/v3_fast_product-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using IntOf = hwy::MakeSigned<T>;

/// The rule for one head, in the precision of the scores.
template <class T>
struct HeadRule {
  int head;  // global
  T soft_cap, alibi_slope;
  bool capped, biased;

  HeadRule(const AttentionRule& rule, int global_head)
      : head(global_head),
        soft_cap(static_cast<T>(rule.soft_cap)),
        alibi_slope(rule.alibi_slopes.empty()
                        ? T(0)
                        : static_cast<T>(rule.alibi_slopes[static_cast<std::size_t>(global_head)])),
        capped(rule.soft_cap > 0),
        biased(!rule.alibi_slopes.empty()) {}
};

/// Turns the scores of query `row` with the panels of `span` into what the softmax takes; hidden
/// pairs become -inf, by selection. Writes d cap(s) / ds to `slopes` unless null. True if a key is
/// visible.
template <class T>
HWY_INLINE bool finish_scores(const HeadRule<T>& rule, const TileMap<IntOf<T>>& map, Index row,
                              const PanelSpan& span, T* HWY_RESTRICT scores, T* slopes) {
  const Lanes<T> d;
  const hn::RebindToSigned<Lanes<T>> di;
  using Int = IntOf<T>;
  const Index n = vector_lanes<T>(), width = panel_width<T>();
  const Int at = map.queries.positions[static_cast<std::size_t>(row)];
  const auto position = hn::Set(di, at);
  const auto document = hn::Set(di, map.queries.documents[static_cast<std::size_t>(row)]);
  const auto low = hn::Set(di, static_cast<Int>(at - map.left));
  const auto high = hn::Set(di, static_cast<Int>(at + map.right));
  const auto prefix = hn::Set(di, map.prefix);
  const auto hidden = hn::Set(d, -std::numeric_limits<T>::infinity());
  const auto cap = hn::Set(d, rule.soft_cap), bias = hn::Set(d, rule.alibi_slope);
  auto seen = hn::Zero(di);
  bool full = false;
  for (Index panel = span.first; panel < span.end; ++panel) {
    const bool partial = span.partial[static_cast<std::size_t>(panel - span.first)];
    full |= !partial;
    if (!partial && !rule.capped && !rule.biased) continue;
    for (Index v = 0; v < kPanelVectors; ++v) {
      const Index column = (panel - span.first) * width + v * n;
      const Index key = panel * width + v * n;
      auto s = hn::Load(d, scores + column);
      const auto key_position = hn::LoadU(di, map.keys.positions.data() + key);
      if (rule.capped) {
        const auto t = tanh_of(d, hn::Div(s, cap));
        s = hn::Mul(cap, t);
        if (slopes) hn::Store(hn::NegMulAdd(t, t, hn::Set(d, T(1))), d, slopes + column);
      }
      if (rule.biased) {
        const auto distance = hn::ConvertTo(d, hn::Abs(hn::Sub(position, key_position)));
        s = hn::NegMulAdd(bias, distance, s);
      }
      if (partial) {
        auto visible = hn::AndNot(hn::Or(hn::VecFromMask(di, hn::Lt(key_position, low)),
                                         hn::VecFromMask(di, hn::Gt(key_position, high))),
                                  hn::Set(di, Int(-1)));
        visible = hn::Or(visible, hn::VecFromMask(di, hn::Lt(key_position, prefix)));
        if (map.documents) {
          const auto key_document = hn::LoadU(di, map.keys.documents.data() + key);
          visible = hn::And(visible, hn::VecFromMask(di, hn::Eq(document, key_document)));
        }
        seen = hn::Or(seen, visible);
        s = hn::IfThenElse(hn::RebindMask(d, hn::MaskFromVec(visible)), s, hidden);
      }
      hn::Store(s, d, scores + column);
    }
  }
  return full || !hn::AllFalse(di, hn::Ne(seen, hn::Zero(di)));
}

/// Multiplies `factors` by the dropout factor of each key of a row. Nothing is drawn where
/// `weights` equals `hidden`: a draw costs far more than everything else here.
template <class T>
HWY_INLINE void apply_dropout(const AttentionRule& rule, int head, const TileMap<IntOf<T>>& map,
                              Index row, Index first_key, Index count, const T* weights, T hidden,
                              T* factors) {
  const Index query_position = map.origin + map.queries.positions[static_cast<std::size_t>(row)];
  for (Index j = 0; j < count; ++j) {
    if (weights[j] == hidden) continue;
    const Index key_position =
        map.origin + map.keys.positions[static_cast<std::size_t>(first_key + j)];
    factors[j] *= static_cast<T>(dropout_factor(rule.dropout, head, query_position, key_position));
  }
}

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
