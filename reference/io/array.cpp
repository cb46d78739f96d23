#include "ringlab/reference/io/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cstring>

#include "ringlab/reference/io/half.hpp"

namespace ringlab {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold little-endian values");

struct TypeNames {
  ElementType type;
  const char* name;
  const char* brief;
  Index bytes;
};

constexpr std::array<TypeNames, 4> kTypes = {{
    {ElementType::float32, "float32", "f32", 4},
    {ElementType::float64, "float64", "f64", 8},
    {ElementType::float16, "float16", "f16", 2},
    {ElementType::bfloat16, "bfloat16", "bf16", 2},
}};

const TypeNames& names_of(ElementType type) {
  for (const TypeNames& known : kTypes) {
    if (known.type == type) return known;
  }
  throw InvariantError("an element type outside its enumeration");
}

// Reads `count` values stored as Stored and turns each into T by `convert`.
template <class T, class Stored, class Convert>
std::vector<T> decoded(const std::string& bytes, Convert convert) {
  std::vector<T> out(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<T>(convert(stored));
  }
  return out;
}

template <class Stored, class T, class Convert>
std::string encoded(const std::vector<T>& values, Convert convert) {
  std::string out(values.size() * sizeof(Stored), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Stored stored = convert(values[i]);
    std::memcpy(out.data() + i * sizeof(Stored), &stored, sizeof(Stored));
  }
  return out;
}

}  // namespace

const char* name(ElementType type) {
  return names_of(type).name;
}
Index bytes_of(ElementType type) {
  return names_of(type).bytes;
}

ElementType element_type_from(const std::string& text, const std::string& field) {
  for (const TypeNames& known : kTypes) {
    if (text == known.name || text == known.brief) return known.type;
  }
  throw InputError(field, fmt::format("'{}'", text), "use float32, float64, float16 or bfloat16");
}

Index element_count(const std::vector<Index>& shape, const std::string& field) {
  constexpr Index kMost = Index{1} << 48;
  Index count = 1;
  bool empty = false;
  for (const Index extent : shape) {
    if (extent < 0) {
      throw InputError(field, "shape " + shape_text(shape), "give extents of 0 or more");
    }
    if (extent == 0) {
      empty = true;
    } else if (extent > kMost / count) {
      throw InputError(field, "shape " + shape_text(shape), "give a shape of at most 2^48 values");
    } else {
      count *= extent;
    }
  }
  return empty ? 0 : count;
}

std::string shape_text(const std::vector<Index>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

void Array::ensure_consistent() const {
  RINGLAB_ENSURE(element_count(shape, "array") * bytes_of(type) == static_cast<Index>(bytes.size()),
                 "an array has as many bytes as its type and shape say");
}

template <class T>
std::vector<T> Array::to() const {
  switch (type) {
    case ElementType::float32:
      return decoded<T, float>(bytes, [](float v) { return v; });
    case ElementType::float64:
      return decoded<T, double>(bytes, [](double v) { return v; });
    case ElementType::float16:
      return decoded<T, std::uint16_t>(bytes, float_from_float16);
    case ElementType::bfloat16:
      return decoded<T, std::uint16_t>(bytes, float_from_bfloat16);
  }
  throw InvariantError("an element type outside its enumeration");
}

template <class T>
Array Array::from(ElementType type, std::vector<Index> shape, const std::vector<T>& values) {
  RINGLAB_ENSURE(element_count(shape, "array") == static_cast<Index>(values.size()),
                 "an array has as many values as its shape says");
  Array out{type, std::move(shape), {}};
  switch (type) {
    case ElementType::float32:
      out.bytes = encoded<float>(values, [](T v) { return static_cast<float>(v); });
      break;
    case ElementType::float64:
      out.bytes = encoded<double>(values, [](T v) { return static_cast<double>(v); });
      break;
    case ElementType::float16:
      out.bytes = encoded<std::uint16_t>(values, [](T v) { return float16_from(v); });
      break;
    case ElementType::bfloat16:
      out.bytes = encoded<std::uint16_t>(values, [](T v) { return bfloat16_from(v); });
      break;
  }
  return out;
}

template <class T>
Tensor<T> tensor_from(const Array& array, const std::string& field) {
  if (array.shape.size() != 3) {
    throw InputError(field, "shape " + shape_text(array.shape),
                     "give three extents: [tokens, heads, head_dim]");
  }
  array.ensure_consistent();
  Tensor<T> out(array.shape[0], array.shape[1], array.shape[2]);
  const std::vector<T> values = array.to<T>();
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

template <class T>
Array array_from(const Tensor<T>& tensor, ElementType type) {
  return Array::from(type, {tensor.tokens(), tensor.heads(), tensor.head_dim()},
                     std::vector<T>(tensor.data(), tensor.data() + tensor.size()));
}

template std::vector<float> Array::to() const;
template std::vector<double> Array::to() const;
template Array Array::from(ElementType, std::vector<Index>, const std::vector<float>&);
template Array Array::from(ElementType, std::vector<Index>, const std::vector<double>&);
template Tensor<float> tensor_from(const Array&, const std::string&);
template Tensor<double> tensor_from(const Array&, const std::string&);
template Array array_from(const Tensor<float>&, ElementType);
template Array array_from(const Tensor<double>&, ElementType);

}  // namespace ringlab
