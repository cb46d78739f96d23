// The numbers behind a content: what one buffer of one rank holds while a schedule runs.
#pragma once

#include <cstddef>
#include <span>
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

/// The memory of a part of a buffer's content, as byte ranges in the order in which it travels.
/// `content` is what the buffer holds; tokens and heads of `part` are among it.
template <class T>
std::vector<std::span<std::byte>> part_bytes(const Schedule& schedule, const Content& content,
                                             Stored<T>& stored, const Content& part);

/// Copies what two buffers' contents have in common from the one into the other.
template <class T>
void copy_common(const Schedule& schedule, const Content& from_content, Stored<T>& from,
                 const Content& into_content, Stored<T>& into);

/// Adds what two contents have in common: gradients are summed, partial results merged.
template <class T>
void add_common(const Schedule& schedule, const Content& from_content, Stored<T>& from,
                const Content& into_content, Stored<T>& into);

}  // namespace ringlab
