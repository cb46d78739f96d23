// The fuzz targets without a fuzzer: thousands of seeded mutations of valid files, on any compiler.
#include <filesystem>
#include <functional>
#include <random>

#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

using namespace ringlab;
namespace fs = std::filesystem;

std::vector<std::string> seeds_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> paths;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == extension) paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());  // the order of a folder differs between machines
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) seeds.push_back(read_file(path, "seed", 1 << 20));
  return seeds;
}

// A few random edits of the kinds that break parsers: flips, cuts, copies, digits, brackets.
std::string mutated(std::string bytes, const std::string& other, std::mt19937& draw) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : draw() % n; };
  const std::string_view pieces[] = {"0",
                                     "-",
                                     "9",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     "\"",
                                     ",",
                                     ":",
                                     "'",
                                     "(",
                                     ")",
                                     "\xff",
                                     "\\u0000",
                                     "1e308",
                                     "99999999999999999999",
                                     "null",
                                     " "};
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(bytes.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.erase(at, below(9));
        break;
      case 3:
        bytes.insert(at, pieces[below(std::size(pieces))]);
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(40)));
        break;
      case 5:
        bytes.replace(at, below(9), other.substr(below(other.size() + 1), below(40)));
        break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(draw() % 256);
    }
  }
  return bytes;
}

void hold(const std::string& reader, const std::vector<std::string>& seeds,
          const std::function<bool(std::string_view)>& takes) {
  CAPTURE(reader);
  REQUIRE_FALSE(seeds.empty());
  std::mt19937 draw(11);
  int taken = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string& seed = seeds[draw() % seeds.size()];
    const std::string bytes = mutated(seed, seeds[draw() % seeds.size()], draw);
    try {
      ++(takes(bytes) ? taken : refused);
    } catch (const std::exception& error) {
      FAIL_CHECK("mutation " << i << " let this escape: " << error.what() << "\n" << bytes);
    }
  }
  // Mutations that are all refused, or all harmless, would test one half only.
  CHECK(taken >= 10);
  CHECK(refused > 1000);
}

TEST_CASE("mutated files are taken or refused, and nothing else happens") {
  const fs::path files = RINGLAB_SOURCE "/tests/data/files",
                 scenarios = RINGLAB_SOURCE "/tests/fuzz/scenarios";
  hold("npy", seeds_in(files, ".npy"), fuzz::npy);
  hold("safetensors", seeds_in(files, ".safetensors"), fuzz::safetensors);
  hold("scenario", seeds_in(scenarios, ".json"), fuzz::scenario);
  hold("layout", seeds_in(RINGLAB_SOURCE "/tests/fuzz/layouts", ".json"), fuzz::layout);
  hold("mask", seeds_in(scenarios, ".txt"), fuzz::mask);
}

}  // namespace
