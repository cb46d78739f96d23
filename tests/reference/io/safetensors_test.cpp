// A file written by the official library stands in tests/data/files.
#include "ringlab/reference/io/safetensors.hpp"

#include <unistd.h>

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

const std::string kOfficial = RINGLAB_TEST_DATA "/files/official.safetensors";

TEST_CASE("a file of the official library reads as the same numbers") {
  const SafeTensors content = read_safetensors(kOfficial);
  CHECK(content.metadata == std::map<std::string, std::string>{{"made_by", "safetensors"}});
  REQUIRE(content.tensors.size() == 5);
  CHECK(content.at("empty", "f").shape == std::vector<Index>{0, 2, 4});
  const std::vector<std::pair<const char*, ElementType>> wanted = {{"q", ElementType::float32},
                                                                   {"k", ElementType::float64},
                                                                   {"v", ElementType::float16},
                                                                   {"bf", ElementType::bfloat16}};
  for (const auto& [tensor, type] : wanted) {
    const Array& array = content.at(tensor, "f");
    CHECK(array.type == type);
    CHECK(array.shape == std::vector<Index>{2, 3, 4});
    const std::vector<double> values = array.to<double>();
    for (int i = 0; i < 24; ++i) CHECK(values[static_cast<std::size_t>(i)] == i / 8.0 - 1);
  }
}

TEST_CASE("write and read are inverse, and every tensor is aligned to its type") {
  SafeTensors content = read_safetensors(kOfficial);
  content.metadata["note"] = "\xc3\xa9 \"quoted\"";
  const std::string bytes = safetensors_bytes(content);
  CHECK(parse_safetensors(bytes, "x") == content);
  const auto header =
      static_cast<unsigned char>(bytes[0]) + 256 * static_cast<unsigned char>(bytes[1]);
  CHECK(header % 8 == 0);

  const auto path =
      std::filesystem::temp_directory_path() / ("ringlab_st_" + std::to_string(::getpid()));
  write_safetensors(path, content);
  CHECK(read_safetensors(path) == content);
  std::filesystem::remove(path);
}

TEST_CASE("a file without tensors is a file") {
  CHECK(parse_safetensors(safetensors_bytes({}), "x") == SafeTensors{});
}

TEST_CASE("a tensor that is not there is named beside those that are") {
  try {
    read_safetensors(kOfficial).at("key", "my.safetensors");
    FAIL("found");
  } catch (const InputError& error) {
    CHECK(error.field() == "my.safetensors");
    CHECK(error.value() == "no tensor \"key\"");
    CHECK(error.remedy() == R"(it holds "bf", "empty", "k", "q", "v")");
  }
}

}  // namespace
