// Wrong and lying files: each must be refused by an error that names the file, what is wrong with
// it, and the remedy. Every case is a good file with one thing changed.
#include <fmt/format.h>

#include <functional>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/npy.hpp"
#include "ringlab/reference/io/safetensors.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

const std::string kFiles = RINGLAB_TEST_DATA "/files/";

void expect_refusal(const std::string& what, const std::string& field, const std::string& says,
                    const std::function<void()>& call) {
  CAPTURE(what);
  try {
    call();
    FAIL_CHECK("accepted");
  } catch (const InputError& error) {
    CAPTURE(error.what());
    CHECK(error.field() == field);
    CHECK_FALSE(error.value().empty());
    CHECK_FALSE(error.remedy().empty());
    CHECK((error.value() + ": " + error.remedy()).find(says) != std::string::npos);
  }
}

// A .npy file with this header text and as many bytes of data.
std::string npy(const std::string& header, std::size_t data_bytes, char major = 1) {
  std::string out = "\x93NUMPY";
  out += major;
  out += '\0';
  for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte) {
    out += static_cast<char>(header.size() >> (8 * byte) & 0xff);
  }
  return out + header + std::string(data_bytes, '\0');
}

std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr, order, shape);
}

TEST_CASE("wrong .npy files are refused") {
  const std::string good = npy(dict("'<f4'", "False", "(2, 3)"), 24);
  REQUIRE(parse_npy(good, "good").size() == 6);
  struct Case {
    const char* what;
    std::string bytes;
    const char* says;
  };
  const std::vector<Case> list = {
      {"no bytes", "", "no .npy file"},
      {"a text", "hello, world", "no .npy file"},
      {"magic alone", good.substr(0, 6), "cut off"},
      {"cut in the header's length", good.substr(0, 9), "cut off"},
      {"cut in the header", good.substr(0, 30), "cut off"},
      {"cut in the data", good.substr(0, good.size() - 1), "cut off"},
      {"bytes behind the data", good + "x", "too long"},
      {"format 0", npy(dict("'<f4'", "False", "(2, 3)"), 24, 0), "format 0.0"},
      {"format 4", npy(dict("'<f4'", "False", "(2, 3)"), 24, 4), "format 4.0"},
      {"header of 2 GB", std::string("\x93NUMPY\x02\0\0\0\0\x80{", 13),
       "header of 2147483648 bytes"},
      {"header longer than the file", std::string("\x93NUMPY\x01\0\xff\x7f{", 11), "cut off"},
      {"big-endian", npy(dict("'>f4'", "False", "(2, 3)"), 24), "big-endian"},
      {"integers", npy(dict("'<i4'", "False", "(2, 3)"), 24), "descr '<i4'"},
      {"plain void", npy(dict("'|V2'", "False", "(2, 3)"), 12), "descr '|V2'"},
      {"pickled objects", npy(dict("'|O'", "False", "(2, 3)"), 24), "pickled"},
      {"structured", npy(dict("[('a', '<f4')]", "False", "(2, 3)"), 24), "structured"},
      {"descr a number", npy(dict("4", "False", "(2, 3)"), 24), "quoted text"},
      {"descr not closed", npy("{'descr': '<f4", 24), "close the quoted text"},
      {"order a number", npy(dict("'<f4'", "0", "(2, 3)"), 24), "True or False"},
      {"negative extent", npy(dict("'<f4'", "False", "(-2, -3)"), 24), "shape [-2, -3]"},
      {"shape that overflows", npy(dict("'<f4'", "False", "(4294967296, 4294967296)"), 0), "2^48"},
      {"extent beyond 64 bits", npy(dict("'<f4'", "False", "(99999999999999999999,)"), 0), "2^63"},
      {"shape a list", npy(dict("'<f4'", "False", "[2, 3]"), 24), "'('"},
      {"shape a number in brackets", npy(dict("'<f4'", "False", "(6)"), 24), "(n,)"},
      {"shape with a fraction", npy(dict("'<f4'", "False", "(2.0, 3)"), 24), "byte"},
      {"shape larger than the data", npy(dict("'<f4'", "False", "(2, 4)"), 24), "needs 32"},
      {"no shape", npy("{'descr': '<f4', 'fortran_order': False, }", 24), "give descr"},
      {"a key twice",
       npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", 24), "twice"},
      {"a key too many", npy("{'descr': '<f4', 'order': 'C'}", 24), "'order'"},
      {"no dict", npy("descr = '<f4'", 24), "'{'"},
      {"dict not closed", npy("{'descr': '<f4',", 24), "quoted text"},
      {"words behind the dict", npy(dict("'<f4'", "False", "(2, 3)") + "; import os", 24),
       "end the header"},
      {"a NUL in the header", npy(dict("'<f4'", "False", "(2, 3)") + std::string(1, '\0'), 24),
       "end the header"},
  };
  for (const Case& item : list) {
    expect_refusal(item.what, "bad.npy", item.says, [&] { parse_npy(item.bytes, "bad.npy"); });
  }
}

TEST_CASE("arrays of other programs are refused by the type that NumPy gave them") {
  for (const auto& [file, says] :
       {std::pair{"big_endian_f4.npy", "big-endian"}, std::pair{"int64.npy", "descr '<i8'"}}) {
    expect_refusal(file, kFiles + file, says, [&] { read_npy(kFiles + file); });
  }
}

// A .safetensors file; `length` is the stated length of the header, if another.
std::string safetensors(const std::string& header, std::size_t data_bytes,
                        std::uint64_t length = 0) {
  const std::uint64_t stated = length == 0 ? header.size() : length;
  std::string out;
  for (int byte = 0; byte < 8; ++byte) out += static_cast<char>(stated >> (8 * byte) & 0xff);
  return out + header + std::string(data_bytes, '\0');
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return fmt::format(R"({{"dtype":{},"shape":{},"data_offsets":{}}})", dtype, shape, offsets);
}

std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"q\":" + entry(dtype, shape, offsets) + "}";
}

std::string two(const std::string& first, const std::string& second) {
  return "{\"q\":" + entry("\"F32\"", "[2]", first) + ",\"k\":" + entry("\"F32\"", "[2]", second) +
         "}";
}

TEST_CASE("wrong .safetensors files are refused") {
  const std::string header = one("\"F32\"", "[2,3]", "[0,24]");
  const std::string good = safetensors(header, 24);
  REQUIRE(parse_safetensors(good, "good").tensors.size() == 1);
  REQUIRE(parse_safetensors(safetensors(two("[8,16]", "[0,8]"), 16), "good").tensors.size() == 2);
  struct Case {
    const char* what;
    std::string bytes;
    const char* says;
  };
  const std::vector<Case> list = {
      {"no bytes", "", "too short"},
      {"cut in the header's length", good.substr(0, 7), "too short"},
      {"cut in the header", good.substr(0, 20), "the file has only 20 bytes"},
      {"cut in the data", good.substr(0, good.size() - 1), "out of range"},
      {"bytes behind the data", good + "x", "the header accounts for 24"},
      {"header of 2 GB", safetensors(header, 24, std::uint64_t{1} << 31),
       "header of 2147483648 bytes"},
      {"header of 2^64 - 1 bytes", safetensors(header, 24, ~std::uint64_t{0}),
       "longer than 100000000"},
      {"header longer than the file", safetensors(header, 0, 1000), "the file has only"},
      {"empty header", safetensors("", 0), "begin the header"},
      {"header begins with a blank", safetensors(" " + header, 24), "begin the header"},
      {"header a list", safetensors("[]", 0), "begin the header"},
      {"header no JSON", safetensors("{\"q\":", 24), "valid JSON"},
      {"header no UTF-8", safetensors("{\"\xff\":1}", 0), "valid JSON"},
      {"a tensor twice",
       safetensors("{\"q\":" + entry("\"F32\"", "[1]", "[0,4]") +
                       ",\"q\":" + entry("\"F32\"", "[1]", "[0,4]") + "}",
                   4),
       "stands twice"},
      {"an attribute twice", safetensors("{\"q\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0),
       "stands twice"},
      {"tensor a number", safetensors("{\"q\":7}", 0), "tensor \"q\""},
      {"no dtype", safetensors("{\"q\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4), "no dtype"},
      {"no shape", safetensors("{\"q\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4),
       "no shape"},
      {"no offsets", safetensors("{\"q\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4),
       "no data_offsets"},
      {"unknown dtype", safetensors(one("\"F8_E4M3\"", "[2,3]", "[0,6]"), 6), "F8_E4M3"},
      {"dtype of integers", safetensors(one("\"I64\"", "[2,3]", "[0,48]"), 48), "I64"},
      {"dtype a number", safetensors(one("32", "[2,3]", "[0,24]"), 24), "dtype 32"},
      {"shape that overflows", safetensors(one("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 0),
       "2^48"},
      {"shape that does not fit", safetensors(one("\"F32\"", "[2,4]", "[0,24]"), 24), "needs 32"},
      {"negative extent", safetensors(one("\"F32\"", "[-2,-3]", "[0,24]"), 24), "shape -2"},
      {"extent with a fraction", safetensors(one("\"F32\"", "[2.5]", "[0,10]"), 10), "2.5"},
      {"shape a number", safetensors(one("\"F32\"", "6", "[0,24]"), 24), "shape"},
      {"one offset", safetensors(one("\"F32\"", "[6]", "[0]"), 24), "two numbers"},
      {"offset beyond the data", safetensors(one("\"F32\"", "[6]", "[4,28]"), 24), "out of range"},
      {"offset beyond 2^62", safetensors(one("\"F32\"", "[6]", "[0,18446744073709551615]"), 24),
       "2^62"},
      {"offsets backwards", safetensors(one("\"F32\"", "[6]", "[24,0]"), 24), "out of range"},
      {"negative offset", safetensors(one("\"F32\"", "[6]", "[-24,0]"), 24), "-24"},
      {"overlap", safetensors(two("[0,8]", "[4,12]"), 12), "overlap"},
      {"the same place twice", safetensors(two("[0,8]", "[0,8]"), 8), "overlap"},
      {"a hole", safetensors(two("[0,8]", "[12,20]"), 20), "hole"},
      {"a hole at the start", safetensors(one("\"F32\"", "[2]", "[4,12]"), 12), "hole"},
      {"metadata a list", safetensors("{\"__metadata__\":[]}", 0), "__metadata__"},
      {"metadata of numbers", safetensors("{\"__metadata__\":{\"step\":5}}", 0), "make it a text"},
      {"nested too deep", safetensors("{\"q\":" + std::string(5000, '['), 0), "levels deep"},
  };
  for (const Case& item : list) {
    expect_refusal(item.what, "bad.safetensors", item.says,
                   [&] { parse_safetensors(item.bytes, "bad.safetensors"); });
  }
}

TEST_CASE("files that are not there are refused by their path") {
  expect_refusal("npy", "no/such.npy", "no such file", [] { read_npy("no/such.npy"); });
  expect_refusal("folder", kFiles, "folder", [] { read_npy(kFiles); });
  expect_refusal("safetensors", "no/such", "no such file", [] { read_safetensors("no/such"); });
  expect_refusal("output", "output file", "folder", [] {
    write_npy("no/such/folder.npy", {ElementType::float32, {0}, {}});
  });
}

}  // namespace
