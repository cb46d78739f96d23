// How the numbers of a content lie in device memory: its tensors one behind the other, so that a
// content is one range, and a move one message.
#pragma once

#include <vector>

#include "ringlab/cuda/kernels/kernels.hpp"
#include "ringlab/reference/execute/stored.hpp"
#include "ringlab/reference/io/array.hpp"

namespace ringlab::cuda {

/// Throws InputError (field `dtype`) for a type that no kernel takes.
DataType data_type_of(ElementType type);
ElementType element_type_of(DataType type);

/// Sizes of input values and of accumulators, as the ledger counts them; `wire16` as in
/// DeviceOptions.
ElementBytes element_bytes(DataType input, bool wire16 = false);

/// Query, key/value and dO are of the inputs' type; all else is float32.
bool is_input(Quantity quantity);

/// One tensor within the range.
struct Part {
  std::size_t offset_bytes = 0;
  Index values = 0;
};

/// Q, dO, dQ: one part. K and V, dK and dV; O and lse; lse and delta: two.
struct Shape {
  DataType type = DataType::f32;
  std::vector<Part> parts;
  std::size_t bytes = 0;
};
Shape shape_of(const Schedule& schedule, const Content& content, DataType input);

/// The content as bytes for the device; rounds to nearest even where the type is 16-bit.
std::vector<std::byte> to_device_bytes(const Shape& shape, Stored<float>& values);

/// The way back, for float32 contents.
Stored<float> from_device_bytes(const Schedule& schedule, const Content& content,
                                const std::vector<std::byte>& bytes);

}  // namespace ringlab::cuda
