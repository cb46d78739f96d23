// What a rank does with the numbers of one tile. The executor says which tile and when; this says
// how. The right arithmetic is the default; reference/fault has wrong ones, planted on purpose.
#pragma once

#include "ringlab/reference/attention/attend.hpp"
#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// Where in a run a tile stands.
struct TilePlace {
  const Schedule& schedule;
  int rank, hop;
  const Content &query, &key_value;
};

/// The arguments of attend(), and their place.
template <class T>
struct AttendCall {
  TilePlace at;
  const AttentionRule& rule;
  QueryTile<T> query;
  KeyValueTile<T> block;
  Partial<T>& into;
  AttendKernel kernel;
};

/// The arguments of attend_backward(), and their place.
template <class T>
struct AttendBackwardCall {
  TilePlace at;
  const AttentionRule& rule;
  QueryTile<T> query;
  const Tensor<T>& output_gradient;
  const RowStatistics<T>& statistics;
  KeyValueTile<T> block;
  Tensor<T>& query_gradient;
  KeyValue<T>& block_gradient;
  AttendKernel kernel;
};

/// Calls attend() and attend_backward() as they are meant.
template <class T>
void compute(const AttendCall<T>& c) {
  attend(c.rule, c.query, c.block, c.into, c.kernel);
}
template <class T>
void compute(const AttendBackwardCall<T>& c) {
  attend_backward(c.rule, c.query, c.output_gradient, c.statistics, c.block, c.query_gradient,
                  c.block_gradient, c.kernel);
}

/// The right arithmetic, and the base of the wrong ones. Called from the threads of all ranks.
class Arithmetic {
 public:
  virtual ~Arithmetic() = default;
  virtual void tile(const AttendCall<float>& call) const { compute(call); }
  virtual void tile(const AttendCall<double>& call) const { compute(call); }
  virtual void tile(const AttendBackwardCall<float>& call) const { compute(call); }
  virtual void tile(const AttendBackwardCall<double>& call) const { compute(call); }
  /// The positions by which the tokens of a shard are turned.
  virtual Positions rotary_positions(const Positions& shard) const { return shard; }
};

}  // namespace ringlab
