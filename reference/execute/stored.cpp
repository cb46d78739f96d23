#include "ringlab/reference/execute/stored.hpp"

#include <algorithm>
#include <limits>

namespace ringlab {

template <class T>
void shape_as(const Schedule& schedule, const Content& content, Stored<T>& stored) {
  const Index tokens = schedule.token_count(content), heads = content.heads;
  const Index dim = schedule.head_dim;
  const auto as = [&](auto kind, Index first_dim, Index second_dim) {
    using Kind = decltype(kind);
    if (!std::holds_alternative<Kind>(stored)) stored = Kind{};
    const std::vector<Tensor<T>*> parts = tensors_of(stored);
    parts[0]->reshape(tokens, heads, first_dim);
    if (parts.size() > 1) parts[1]->reshape(tokens, heads, second_dim);
  };
  switch (content.quantity) {
    case Quantity::query:
    case Quantity::output_gradient:
    case Quantity::query_gradient: return as(Tensor<T>{}, dim, 0);
    case Quantity::key_value:
    case Quantity::key_value_gradient: return as(KeyValue<T>{}, dim, dim);
    case Quantity::partial: return as(Partial<T>{}, dim, 1);
    case Quantity::row_statistics: return as(RowStatistics<T>{}, 1, 1);
  }
}

template <class T>
void set_to_identity(Stored<T>& stored) {
  for (Tensor<T>* tensor : tensors_of(stored)) {
    std::fill(tensor->data(), tensor->data() + tensor->size(), T(0));
  }
  if (auto* partial = std::get_if<Partial<T>>(&stored)) {
    Tensor<T>& lse = partial->lse;
    std::fill(lse.data(), lse.data() + lse.size(), -std::numeric_limits<T>::infinity());
  }
}

template <class T>
std::vector<Tensor<T>*> tensors_of(Stored<T>& stored) {
  struct Visitor {
    std::vector<Tensor<T>*> operator()(Tensor<T>& x) const { return {&x}; }
    std::vector<Tensor<T>*> operator()(KeyValue<T>& x) const { return {&x.keys, &x.values}; }
    std::vector<Tensor<T>*> operator()(Partial<T>& x) const { return {&x.out, &x.lse}; }
    std::vector<Tensor<T>*> operator()(RowStatistics<T>& x) const { return {&x.lse, &x.delta}; }
  };
  return std::visit(Visitor{}, stored);
}

template <class T>
Index bytes_held(Stored<T>& stored) {
  Index bytes = 0;
  for (const Tensor<T>* tensor : tensors_of(stored)) {
    bytes += tensor->size() * static_cast<Index>(sizeof(T));
  }
  return bytes;
}

template <class T>
Stored<T> part_of_shard(const Schedule& schedule, const Content& content, int rank,
                        Stored<T>& whole) {
  Stored<T> part;
  shape_as(schedule, content, part);
  const std::vector<Tensor<T>*> to = tensors_of(part), from = tensors_of(whole);
  RINGLAB_ENSURE(to.size() == from.size(), "a part is of the kind of its whole");
  for (std::size_t t = 0; t < to.size(); ++t) {
    const Index width = content.heads * to[t]->head_dim();
    Index token = 0;
    for (const Piece& piece : content.pieces) {
      RINGLAB_ENSURE(piece.shard == rank, "a rank starts with tokens of its own shard");
      for (Index i = 0; i < piece.count && width > 0; ++i, ++token) {
        const T* row = from[t]->row(piece.first + i, content.first_head);
        std::copy(row, row + width, to[t]->row(token, 0));
      }
    }
  }
  return part;
}

#define RINGLAB_INSTANTIATE(T)                                            \
  template void shape_as<T>(const Schedule&, const Content&, Stored<T>&); \
  template void set_to_identity<T>(Stored<T>&);                           \
  template std::vector<Tensor<T>*> tensors_of<T>(Stored<T>&);             \
  template Index bytes_held<T>(Stored<T>&);                               \
  template Stored<T> part_of_shard<T>(const Schedule&, const Content&, int, Stored<T>&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab
