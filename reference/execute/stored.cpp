#include "ringlab/reference/execute/stored.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "ringlab/reference/schedule/parts.hpp"

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
    case Quantity::query_gradient:
      return as(Tensor<T>{}, dim, 0);
    case Quantity::key_value:
    case Quantity::key_value_gradient:
      return as(KeyValue<T>{}, dim, dim);
    case Quantity::partial:
      return as(Partial<T>{}, dim, 1);
    case Quantity::row_statistics:
      return as(RowStatistics<T>{}, 1, 1);
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

namespace {

// Calls visit(tensor index, rows, first head within the buffer) for each run of rows of a part.
template <class T, class Visit>
void for_each_block(const Content& content, const Content& part, Stored<T>& stored, Visit visit) {
  const std::vector<RowRun> rows = rows_of_part(content, part);
  const std::vector<Tensor<T>*> tensors = tensors_of(stored);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (const RowRun& r : rows) visit(*tensors[t], r, part.first_head - content.first_head);
  }
}

}  // namespace

template <class T>
std::vector<std::span<std::byte>> part_bytes(const Schedule&, const Content& content,
                                             Stored<T>& stored, const Content& part) {
  std::vector<std::span<std::byte>> bytes;
  for_each_block(content, part, stored, [&](Tensor<T>& tensor, const RowRun& rows, int head) {
    const Index width = part.heads * tensor.head_dim();
    const auto range = [&](Index row, Index count) {
      bytes.push_back(std::as_writable_bytes(
          std::span<T>(tensor.row(row, head), static_cast<std::size_t>(count))));
    };
    if (width == tensor.token_stride()) {
      range(rows.row, rows.count * width);
    } else {
      for (Index i = 0; i < rows.count; ++i) range(rows.row + i, width);
    }
  });
  return bytes;
}

template <class T>
void copy_common(const Schedule& schedule, const Content& from_content, Stored<T>& from,
                 const Content& into_content, Stored<T>& into) {
  const Content part = common_part(from_content, into_content);
  const auto source = part_bytes(schedule, from_content, from, part);
  const auto target = part_bytes(schedule, into_content, into, part);
  // Both lists name the same bytes in the same order, cut differently.
  std::size_t t = 0, at = 0;
  for (const std::span<std::byte> piece : source) {
    std::size_t done = 0;
    while (done < piece.size()) {
      const std::size_t count = std::min(piece.size() - done, target[t].size() - at);
      std::memcpy(target[t].data() + at, piece.data() + done, count);
      done += count;
      at += count;
      if (at == target[t].size()) {
        ++t;
        at = 0;
      }
    }
  }
}

template <class T>
void add_common(const Schedule& schedule, const Content& from_content, Stored<T>& from,
                const Content& into_content, Stored<T>& into) {
  const Content part = common_part(from_content, into_content);
  if (schedule.token_count(part) * part.heads == 0) return;
  // The part of `into`, added to, and put back.
  Stored<T> added, sum;
  shape_as(schedule, part, added);
  shape_as(schedule, part, sum);
  copy_common(schedule, from_content, from, part, added);
  copy_common(schedule, into_content, into, part, sum);
  if (auto* partial = std::get_if<Partial<T>>(&sum)) {
    merge(std::get<Partial<T>>(added), *partial);
  } else {
    const auto terms = tensors_of(added), sums = tensors_of(sum);
    for (std::size_t t = 0; t < sums.size(); ++t) {
      for (Index i = 0; i < sums[t]->size(); ++i) sums[t]->data()[i] += terms[t]->data()[i];
    }
  }
  copy_common(schedule, part, sum, into_content, into);
}

#define RINGLAB_INSTANTIATE(T)                                                              \
  template void shape_as<T>(const Schedule&, const Content&, Stored<T>&);                   \
  template void set_to_identity<T>(Stored<T>&);                                             \
  template std::vector<Tensor<T>*> tensors_of<T>(Stored<T>&);                               \
  template Index bytes_held<T>(Stored<T>&);                                                 \
  template std::vector<std::span<std::byte>> part_bytes<T>(const Schedule&, const Content&, \
                                                           Stored<T>&, const Content&);     \
  template void copy_common<T>(const Schedule&, const Content&, Stored<T>&, const Content&, \
                               Stored<T>&);                                                 \
  template void add_common<T>(const Schedule&, const Content&, Stored<T>&, const Content&,  \
                              Stored<T>&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab
