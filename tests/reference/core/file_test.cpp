#include "ringlab/reference/core/file.hpp"

#include <unistd.h>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

namespace fs = std::filesystem;
using namespace ringlab;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("ringlab_file_test." + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("a file comes back as it was written, and nothing is left beside it") {
  const Folder folder;
  const std::string content("a\0b\n", 4);
  write_file(folder.path / "x", "old");
  write_file(folder.path / "x", content);
  CHECK(read_file(folder.path / "x", "input", 100) == content);
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("what cannot be read or written is named") {
  const Folder folder;
  write_file(folder.path / "x", "12345");
  CHECK_THROWS_AS(read_file(folder.path / "none", "input", 100), InputError);
  CHECK_THROWS_AS(read_file(folder.path, "input", 100), InputError);
  CHECK_THROWS_AS(read_file(folder.path / "x", "input", 4), InputError);
  CHECK_THROWS_AS(write_file(folder.path / "no" / "x", "1"), InputError);
  CHECK_THROWS_AS(write_file(folder.path, "1"), InputError);
}
