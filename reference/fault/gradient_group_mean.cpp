#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

template <class T>
void add_scaled(T factor, const Tensor<T>& from, Tensor<T>& into) {
  for (Index i = 0; i < from.size(); ++i) into.data()[i] += factor * from.data()[i];
}

struct Wrong : detail::Right {
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    const Tensor<T>& like = c.block.block.keys;
    KeyValue<T> sum{Tensor<T>(like.tokens(), like.heads(), like.head_dim()),
                    Tensor<T>(like.tokens(), like.heads(), like.head_dim())};
    compute(AttendBackwardCall<T>{c.at, c.rule, c.query, c.output_gradient, c.statistics, c.block,
                                  c.query_gradient, sum, c.kernel});
    const T mean = T(1) / static_cast<T>(c.rule.group());
    add_scaled(mean, sum.keys, c.block_gradient.keys);
    add_scaled(mean, sum.values, c.block_gradient.values);
  }
};

}  // namespace

PlantedFault gradient_group_mean() {
  return {"gradient_group_mean",
          FaultPart::gradient,
          "gradients of a shared key/value head are averaged over its query heads",
          "Forward and dQ are right; dK and dV are a fixed fraction of the right ones.",
          "A key/value head that serves a group of query heads gets the sum of what they send "
          "back; a mean was taken.",
          "bigcode-project/Megatron-LM #11",
          "dQ exact; dK and dV are the right ones divided by the group's size: a relative error of "
          "exactly 0.5 for groups of two.",
          {{"backward", "true"}},
          false,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            if (plan.rule.group() == 1) {
              detail::cannot_show("of grouped heads, without groups", "use --heads 4 --kv-heads 2");
            }
            detail::use<Wrong>(plan);
          }};
}

}  // namespace ringlab::fault
