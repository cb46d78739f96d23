// What the files of this folder share: an arithmetic that is wrong in one place, for both types.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "ringlab/reference/execute/attention.hpp"

namespace ringlab::detail {

/// Sends every call to Wrong::tile<T>, whatever its type. A Wrong that says nothing about a
/// direction inherits the right one.
template <class Wrong>
class Faulty : public Arithmetic {
 public:
  explicit Faulty(Wrong wrong = {}) : wrong_(std::move(wrong)) {}
  void tile(const AttendCall<float>& call) const override { wrong_.forward(call); }
  void tile(const AttendCall<double>& call) const override { wrong_.forward(call); }
  void tile(const AttendBackwardCall<float>& call) const override { wrong_.backward(call); }
  void tile(const AttendBackwardCall<double>& call) const override { wrong_.backward(call); }

 private:
  Wrong wrong_;
};

/// The right way, to inherit from.
struct Right {
  template <class T>
  void forward(const AttendCall<T>& call) const {
    compute(call);
  }
  template <class T>
  void backward(const AttendBackwardCall<T>& call) const {
    compute(call);
  }
};

/// One row of a partial result: head_dim values and their log-sum-exp.
template <class T>
struct PartialRow {
  T* out;
  T& lse;
  Index head_dim;

  void set(T lse_value, const T* values) {
    lse = lse_value;
    std::copy(values, values + head_dim, out);
  }
  /// out = mine * out + theirs * values.
  void mix(T mine, T theirs, const T* values) {
    for (Index d = 0; d < head_dim; ++d) out[d] = mine * out[d] + theirs * values[d];
  }
};

template <class T>
T log_add(T a, T b) {
  const T largest = std::max(a, b);
  return largest + std::log(std::exp(a - largest) + std::exp(b - largest));
}

/// Computes each tile alone and folds its rows with `Rule::fold(row, tile_lse, tile_out)`.
template <class Rule>
struct WrongMerge : Right {
  template <class T>
  void forward(const AttendCall<T>& c) const {
    Partial<T> tile =
        identity_partial<T>(c.into.out.tokens(), c.into.out.heads(), c.into.out.head_dim());
    compute(AttendCall<T>{c.at, c.rule, c.query, c.block, tile, c.kernel});
    const Index dim = c.into.out.head_dim();
    for (Index i = 0; i < tile.lse.size(); ++i) {
      PartialRow<T> row{c.into.out.data() + i * dim, c.into.lse.data()[i], dim};
      Rule::fold(row, tile.lse.data()[i], tile.out.data() + i * dim);
    }
  }
};

/// Computes each backward tile with what Rule::statistics makes of the whole row's statistics and
/// of those that the tile would have alone.
template <class Rule>
struct WrongStatistics : Right {
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    Partial<T> tile = identity_partial<T>(c.query.values.tokens(), c.query.values.heads(),
                                          c.query.values.head_dim());
    compute(AttendCall<T>{c.at, c.rule, c.query, c.block, tile, c.kernel});
    const RowStatistics<T> statistics =
        Rule::statistics(c.statistics, row_statistics(tile, c.output_gradient));
    compute(AttendBackwardCall<T>{c.at, c.rule, c.query, c.output_gradient, statistics, c.block,
                                  c.query_gradient, c.block_gradient, c.kernel});
  }
};

/// True for a partial over no keys.
template <class T>
bool is_empty(T lse) {
  return lse == -std::numeric_limits<T>::infinity();
}

/// Computes each tile with the positions that Rule::mislead leaves behind.
template <class Rule>
struct WrongPositions {
  template <class T>
  void forward(const AttendCall<T>& c) const {
    Positions queries = c.query.positions, keys = c.block.positions;
    Rule::mislead(c.at, queries, keys);
    compute(AttendCall<T>{c.at,
                          c.rule,
                          {c.query.values, queries, c.query.first_head},
                          {c.block.block, keys, c.block.first_head},
                          c.into,
                          c.kernel});
  }
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    Positions queries = c.query.positions, keys = c.block.positions;
    Rule::mislead(c.at, queries, keys);
    compute(AttendBackwardCall<T>{c.at,
                                  c.rule,
                                  {c.query.values, queries, c.query.first_head},
                                  c.output_gradient,
                                  c.statistics,
                                  {c.block.block, keys, c.block.first_head},
                                  c.query_gradient,
                                  c.block_gradient,
                                  c.kernel});
  }
};

/// Computes each tile with the rule that Rule::change leaves behind.
template <class Rule>
struct WrongRule {
  template <class T>
  void forward(const AttendCall<T>& c) const {
    AttentionRule rule = c.rule;
    Rule::change(rule);
    compute(AttendCall<T>{c.at, rule, c.query, c.block, c.into, c.kernel});
  }
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    AttentionRule rule = c.rule;
    Rule::change(rule);
    compute(AttendBackwardCall<T>{c.at, rule, c.query, c.output_gradient, c.statistics, c.block,
                                  c.query_gradient, c.block_gradient, c.kernel});
  }
};

template <class Wrong>
void use(AttentionPlan& plan) {
  plan.arithmetic = std::make_shared<Faulty<Wrong>>();
}

// --- What a plan must have, refused by name ------------------------------------------------------

[[noreturn]] void cannot_show(const std::string& what, const std::string& remedy);
void need_backward(const AttentionPlan& plan);
void need_causal(const AttentionPlan& plan);
void need_ranks(const AttentionPlan& plan, int least);
/// The fault takes one rank's block for another's, which only equal shards allow unnoticed.
void need_equal_shards(const AttentionPlan& plan);

/// Positions with other numbers; the documents stay.
Positions renumbered(const Positions& positions, const std::function<Index(Index local)>& number);

// --- Steps ---------------------------------------------------------------------------------------

/// Both schedules of a plan.
void each_schedule(AttentionPlan& plan, const std::function<void(Schedule&)>& change);
/// Removes the steps of a rank for which `out` is true.
void remove_steps(RankProgram& program, const std::function<bool(const Step&)>& out);
bool is_computation(const Step& step);
/// The buffer of this name. Throws InvariantError.
BufferId buffer_named(const RankProgram& program, const std::string& name);

}  // namespace ringlab::detail
