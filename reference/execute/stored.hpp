// The numbers behind a content: what one buffer of one rank holds while a schedule runs.
#pragma once

#include <variant>
#include <vector>

#include "ringlab/reference/attention/partial.hpp"
#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// Q, dO or dQ; K and V, or their gradients; O and lse; lse and delta.
template <class T>
using Stored = std::variant<Tensor<T>, KeyValue<T>, Partial<T>, RowStatistics<T>>;

/// Gives `stored` the kind and shape of a content; the values are what they happen to be.
template <class T>
void shape_as(const Schedule& schedule, const Content& content, Stored<T>& stored);

/// The value that a computation starts from: gradients zero, a partial result the identity.
template <class T>
void set_to_identity(Stored<T>& stored);

/// The tensors of a content in the order in which they travel.
template <class T>
std::vector<Tensor<T>*> tensors_of(Stored<T>& stored);

/// Bytes of the values now held.
template <class T>
Index bytes_held(Stored<T>& stored);

/// The part of a rank's own shard that `content` names: some of its tokens, some of its heads.
/// `whole` holds the quantity for the whole shard and all heads. Throws InvariantError for a content
/// with another rank's tokens.
template <class T>
Stored<T> part_of_shard(const Schedule& schedule, const Content& content, int rank,
                        Stored<T>& whole);

}  // namespace ringlab
