// Files written by NumPy 2 (and ml_dtypes) stand in tests/data/files; the values are known in
// closed form.
#include "ringlab/reference/io/npy.hpp"

#include <unistd.h>

#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

const std::string kFiles = RINGLAB_TEST_DATA "/files/";

// What the files hold: element i of shape [2, 3, 4] is i / 8 - 1, exact in every type.
std::vector<double> ramp() {
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back(i / 8.0 - 1);
  return values;
}

TEST_CASE("files that NumPy wrote read as the same numbers") {
  const auto [file, type] =
      GENERATE(table<const char*, ElementType>({{"c_order_f4.npy", ElementType::float32},
                                                {"format_2_f4.npy", ElementType::float32},
                                                {"format_3_f4.npy", ElementType::float32},
                                                {"fortran_f8.npy", ElementType::float64},
                                                {"half_f2.npy", ElementType::float16},
                                                {"bfloat16_v2.npy", ElementType::bfloat16}}));
  CAPTURE(file);
  const Array array = read_npy(kFiles + file);
  CHECK(array.type == type);
  CHECK(array.shape == std::vector<Index>{2, 3, 4});
  CHECK(array.to<double>() == ramp());
}

TEST_CASE("what we write is byte for byte what NumPy writes") {
  for (const char* file :
       {"c_order_f4.npy", "half_f2.npy", "bfloat16_v2.npy", "scalar_f8.npy", "vector_f4.npy"}) {
    CAPTURE(file);
    CHECK(npy_bytes(read_npy(kFiles + file)) == read_file(kFiles + file, "file", 4096));
  }
}

TEST_CASE("a written file reads back, and an empty array is an array") {
  const auto path =
      std::filesystem::temp_directory_path() / ("ringlab_npy_" + std::to_string(::getpid()));
  const Array array = Array::from<float>(ElementType::float32, {0, 2, 4}, {});
  write_npy(path, array);
  CHECK(read_npy(path) == array);
  std::filesystem::remove(path);
}

TEST_CASE("Fortran order of one extent is C order") {
  std::string bytes = npy_bytes(Array::from<float>(ElementType::float32, {2}, {1, 2}));
  bytes.replace(bytes.find("False"), 5, "True ");
  CHECK(parse_npy(bytes, "x").to<float>() == std::vector<float>{1, 2});
}

}  // namespace
