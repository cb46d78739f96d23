#include "ringlab/reference/io/array.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

TEST_CASE("a tensor goes through an array of its own type bit for bit") {
  Tensor<float> tensor(3, 2, 5);
  for (Index i = 0; i < tensor.size(); ++i) tensor.data()[i] = 0.1f * static_cast<float>(i) - 1.0f;
  for (const ElementType wide : {ElementType::float32, ElementType::float64}) {
    const Array array = array_from(tensor, wide);
    CHECK(array.shape == std::vector<Index>{3, 2, 5});
    CHECK(tensor_from<float>(array, "q") == tensor);
  }
  const Array brain = array_from(tensor, ElementType::bfloat16);
  CHECK(brain.bytes.size() == 60);
  // bfloat16 keeps 8 bits: half a unit in the last place is at most 2^-8 of the value.
  const Tensor<float> back = tensor_from<float>(brain, "q");
  for (Index i = 0; i < tensor.size(); ++i) {
    CHECK(std::abs(back.data()[i] - tensor.data()[i]) <= std::abs(tensor.data()[i]) / 256);
  }
}

TEST_CASE("an array of another rank is no tensor") {
  const Array flat = Array::from<double>(ElementType::float64, {2, 2}, {1, 2, 3, 4});
  try {
    tensor_from<double>(flat, "q.npy");
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(error.field() == "q.npy");
    CHECK(error.value() == "shape [2, 2]");
  }
}

TEST_CASE("an array whose bytes do not fit its shape is a broken invariant") {
  CHECK_THROWS_AS(Array{}.ensure_consistent(), InvariantError);  // no extents: one value
  CHECK_THROWS_AS((Array{ElementType::float16, {3}, std::string(5, ' ')}.ensure_consistent()),
                  InvariantError);
  CHECK_NOTHROW((Array{ElementType::float16, {3}, std::string(6, ' ')}.ensure_consistent()));
}

TEST_CASE("the number of elements does not wrap") {
  CHECK(element_count({}, "f") == 1);
  CHECK(element_count({3, 0, 7}, "f") == 0);
  const Index big = Index{1} << 33;
  CHECK_THROWS_AS(element_count({big, big}, "f"), InputError);
  CHECK_THROWS_AS(element_count({big, big, 0}, "f"), InputError);
  CHECK_THROWS_AS(element_count({2, -1}, "f"), InputError);
}

TEST_CASE("element types have long and short names") {
  CHECK(element_type_from("bf16") == ElementType::bfloat16);
  CHECK(element_type_from("float16") == ElementType::float16);
  CHECK_THROWS_AS(element_type_from("int8"), InputError);
}

}  // namespace
