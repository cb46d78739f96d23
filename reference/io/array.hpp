// An array as a file holds it: element type, shape, and the values as little-endian bytes.
//
// Readers keep the file's own bits; a caller asks for float or double where it computes. The files
// of this folder are the only place that knows half precision.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab {

enum class ElementType { float32, float64, float16, bfloat16 };

/// "float32", "float64", "float16" or "bfloat16".
const char* name(ElementType type);
/// Takes the long names and f32, f64, f16, bf16. Throws InputError (`field`) that lists them.
ElementType element_type_from(const std::string& text, const std::string& field = "dtype");
/// 4, 8, 2 or 2.
Index bytes_of(ElementType type);

/// Product of the extents; 1 for no extents. Throws InputError (`field`) for a negative extent and
/// for a product of more than 2^48.
Index element_count(const std::vector<Index>& shape, const std::string& field);
/// "[2, 3]".
std::string shape_text(const std::vector<Index>& shape);

struct Array {
  ElementType type = ElementType::float32;
  std::vector<Index> shape;  // row-major (C order)
  std::string bytes;         // little-endian, bytes_of(type) for each element

  Index size() const { return static_cast<Index>(bytes.size()) / bytes_of(type); }

  /// All values in C order; T is float or double. A float64 is rounded to float where T is float.
  template <class T>
  std::vector<T> to() const;
  /// Rounds `values` (as many as the shape says) to `type`, to nearest even.
  template <class T>
  static Array from(ElementType type, std::vector<Index> shape, const std::vector<T>& values);

  /// Throws InvariantError unless there are as many bytes as type and shape say.
  void ensure_consistent() const;

  bool operator==(const Array&) const = default;
};

/// An array [tokens, heads, head_dim] as a tensor. Throws InputError (`field`) for another rank.
template <class T>
Tensor<T> tensor_from(const Array& array, const std::string& field);

/// A tensor as an array [tokens, heads, head_dim] of the given type.
template <class T>
Array array_from(const Tensor<T>& tensor, ElementType type);

}  // namespace ringlab
