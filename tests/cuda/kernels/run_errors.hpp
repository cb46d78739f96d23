// Relative errors of a whole run of a generated case, quantity by quantity.
#pragma once

#include "tests/reference/execute/grid.hpp"

namespace ringlab::test {

/// Relative Frobenius errors against the judge.
struct RunErrors {
  double out, lse, query_gradient, key_gradient, value_gradient;
};

template <class T>
RunErrors errors_of(const Case& c, const Inputs& inputs, const Judge& right,
                    const std::vector<AttentionOutput<T>>& outputs) {
  std::vector<Tensor<T>> out, lse, dq, dk, dv;
  for (const AttentionOutput<T>& rank : outputs) {
    out.push_back(rank.result.out);
    lse.push_back(rank.result.lse);
    dq.push_back(rank.query_gradient);
    dk.push_back(rank.key_value_gradient.keys);
    dv.push_back(rank.key_value_gradient.values);
  }
  const Positions queries = c.queries(), keys = c.sequence();
  const Layout query_layout = c.query_layout(), key_layout = c.key_layout();
  const double terms = norm(inputs.output_gradient);
  const KeyValue<double>& gradients = right.gradients.key_value;
  return {relative_error(unshard(out, queries, query_layout), right.result.out),
          relative_error(unshard(lse, queries, query_layout), right.result.lse),
          relative_error(unshard(dq, queries, query_layout), right.gradients.query, terms),
          relative_error(unshard(dk, keys, key_layout), gradients.keys, terms),
          relative_error(unshard(dv, keys, key_layout), gradients.values, terms)};
}

}  // namespace ringlab::test
