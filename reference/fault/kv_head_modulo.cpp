#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

// Key/value heads spread out so that query head h finds head h % kv_heads.
template <class T>
Tensor<T> spread(const Tensor<T>& heads, Index query_heads) {
  Tensor<T> out(heads.tokens(), query_heads, heads.head_dim());
  for (Index i = 0; i < heads.tokens(); ++i) {
    for (Index h = 0; h < query_heads; ++h) {
      const T* from = heads.row(i, h % heads.heads());
      std::copy(from, from + heads.head_dim(), out.row(i, h));
    }
  }
  return out;
}

template <class T>
void gather(const Tensor<T>& spread_out, Tensor<T>& heads) {
  for (Index i = 0; i < heads.tokens(); ++i) {
    for (Index h = 0; h < spread_out.heads(); ++h) {
      for (Index d = 0; d < heads.head_dim(); ++d) {
        heads(i, h % heads.heads(), d) += spread_out(i, h, d);
      }
    }
  }
}

AttentionRule plain(AttentionRule rule) {
  rule.kv_heads = rule.query_heads;
  return rule;
}

struct Wrong {
  template <class T>
  void forward(const AttendCall<T>& c) const {
    const KeyValue<T> block{spread(c.block.block.keys, c.rule.query_heads),
                            spread(c.block.block.values, c.rule.query_heads)};
    compute(AttendCall<T>{
        c.at, plain(c.rule), c.query, {block, c.block.positions, 0}, c.into, c.kernel});
  }
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    const KeyValue<T> block{spread(c.block.block.keys, c.rule.query_heads),
                            spread(c.block.block.values, c.rule.query_heads)};
    KeyValue<T> gradient{Tensor<T>(block.keys.tokens(), block.keys.heads(), block.keys.head_dim()),
                         Tensor<T>(block.keys.tokens(), block.keys.heads(), block.keys.head_dim())};
    compute(AttendBackwardCall<T>{c.at,
                                  plain(c.rule),
                                  c.query,
                                  c.output_gradient,
                                  c.statistics,
                                  {block, c.block.positions, 0},
                                  c.query_gradient,
                                  gradient,
                                  c.kernel});
    gather(gradient.keys, c.block_gradient.keys);
    gather(gradient.values, c.block_gradient.values);
  }
};

}  // namespace

PlantedFault kv_head_modulo() {
  return {"kv_head_modulo",
          FaultPart::rule,
          "query head h reads key/value head h mod kv_heads",
          "All rows are wrong, row 0 included; with as many key/value heads as query heads nothing "
          "is.",
          "Grouped heads belong together in runs: query head h reads key/value head h divided by "
          "the group's size. Repeating the whole list of heads gives the remainder instead.",
          "vllm-project/vllm-omni PR #5716",
          "The first and the last query head are right, heads in between are not.",
          {},
          false,
          [](AttentionPlan& plan) {
            if (plan.rule.kv_heads == plan.rule.query_heads || plan.rule.kv_heads == 1) {
              detail::cannot_show("of grouped heads, where head mod and head div agree",
                                  "use --heads 4 --kv-heads 2");
            }
            detail::use<Wrong>(plan);
          }};
}

}  // namespace ringlab::fault
