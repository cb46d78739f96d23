#include "ringlab/cuda/execute/device_content.hpp"

#include <cstring>

#include "ringlab/reference/io/half.hpp"

namespace ringlab::cuda {

DataType data_type_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return DataType::f32;
    case ElementType::float16:
      return DataType::f16;
    case ElementType::bfloat16:
      return DataType::bf16;
    case ElementType::float64:
      break;
  }
  throw InputError("dtype", name(type),
                   "the CUDA kernels take float32, float16 and bfloat16; use one of them, or "
                   "--device cpu for float64");
}

ElementType element_type_of(DataType type) {
  return type == DataType::f32   ? ElementType::float32
         : type == DataType::f16 ? ElementType::float16
                                 : ElementType::bfloat16;
}

ElementBytes element_bytes(DataType input, bool wire16) {
  return {bytes_per_value(input), 4, wire16 ? 2 : 4};
}

bool is_input(Quantity quantity) {
  return quantity == Quantity::query || quantity == Quantity::key_value ||
         quantity == Quantity::output_gradient;
}

Shape shape_of(const Schedule& schedule, const Content& content, DataType input) {
  const Index rows = schedule.token_count(content) * content.heads, dim = schedule.head_dim;
  Shape shape;
  shape.type = is_input(content.quantity) ? input : DataType::f32;
  const auto add = [&](Index values) {
    shape.parts.push_back({shape.bytes, values});
    shape.bytes += static_cast<std::size_t>(values * bytes_per_value(shape.type));
  };
  switch (content.quantity) {
    case Quantity::query:
    case Quantity::output_gradient:
    case Quantity::query_gradient:
      add(rows * dim);
      break;
    case Quantity::key_value:
    case Quantity::key_value_gradient:
      add(rows * dim);
      add(rows * dim);
      break;
    case Quantity::partial:
      add(rows * dim);
      add(rows);
      break;
    case Quantity::row_statistics:
      add(rows);
      add(rows);
      break;
  }
  return shape;
}

std::vector<std::byte> to_device_bytes(const Shape& shape, Stored<float>& values) {
  std::vector<std::byte> bytes(shape.bytes);
  const std::vector<Tensor<float>*> tensors = tensors_of(values);
  RINGLAB_ENSURE(tensors.size() == shape.parts.size(), "values are of the kind of their content");
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    RINGLAB_ENSURE(tensors[t]->size() == shape.parts[t].values, "values have their content's size");
    const auto count = static_cast<std::size_t>(shape.parts[t].values);
    std::byte* to = bytes.data() + shape.parts[t].offset_bytes;
    const float* from = tensors[t]->data();
    if (count == 0) continue;
    if (shape.type == DataType::f32) {
      std::memcpy(to, from, count * sizeof(float));
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t half =
          shape.type == DataType::f16 ? float16_from(from[i]) : bfloat16_from(from[i]);
      std::memcpy(to + 2 * i, &half, sizeof(half));
    }
  }
  return bytes;
}

Stored<float> from_device_bytes(const Schedule& schedule, const Content& content,
                                const std::vector<std::byte>& bytes) {
  const Shape shape = shape_of(schedule, content, DataType::f32);
  RINGLAB_ENSURE(shape.bytes == bytes.size(), "bytes have their content's size");
  Stored<float> values;
  shape_as(schedule, content, values);
  const std::vector<Tensor<float>*> tensors = tensors_of(values);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (tensors[t]->size() == 0) continue;
    std::memcpy(tensors[t]->data(), bytes.data() + shape.parts[t].offset_bytes,
                static_cast<std::size_t>(tensors[t]->size()) * sizeof(float));
  }
  return values;
}

}  // namespace ringlab::cuda
