#include "ringlab/reference/io/text.hpp"

#include <unistd.h>

#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
namespace fs = std::filesystem;

// A folder of its own that is gone when the test is.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("ringlab_text_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  void put(const std::string& file, std::string_view content) const {
    fs::create_directories((path / file).parent_path());
    write_file(path / file, content);
  }
};

TEST_CASE("a folder is one sequence in path order, without what is no text of its own") {
  const Folder folder;
  folder.put("b.txt", "bbb");
  folder.put("a/z.txt", "zz");
  folder.put("a.txt", "a");
  folder.put("empty.txt", "");
  folder.put(".git/hidden.txt", "no");
  folder.put("build/made.txt", "no");
  folder.put("c.bin", std::string_view("n\0o", 3));
  folder.put("large.txt", std::string((16 << 20) + 1, 'x'));
  fs::create_symlink(folder.path / "b.txt", folder.path / "link.txt");
  fs::create_directory_symlink(folder.path, folder.path / "circle");

  const TextInput input = read_text(folder.path, 100);
  CHECK(input.bytes == "zzabbb");
  REQUIRE(input.parts.size() == 3);
  CHECK(input.parts[0] == TextPart{(folder.path / "a/z.txt").generic_string(), 0, 2});
  CHECK(input.parts[1] == TextPart{(folder.path / "a.txt").generic_string(), 2, 1});
  CHECK(input.parts[2] == TextPart{(folder.path / "b.txt").generic_string(), 3, 3});

  const TextInput cut = read_text(folder.path, 4);
  CHECK(cut.bytes == "zzab");
  CHECK(cut.parts.back().count == 1);
  CHECK(read_text(folder.path / "b.txt", 2).bytes == "bb");
  // A link that the caller names is the caller's wish.
  CHECK(read_text(folder.path / "link.txt", 9).bytes == "bbb");
}

TEST_CASE("an input without text is refused") {
  const Folder folder;
  const auto field = [](const fs::path& path, Index limit) -> std::string {
    try {
      read_text(path, limit);
    } catch (const InputError& error) {
      CHECK_FALSE(error.value().empty());
      CHECK_FALSE(error.remedy().empty());
      return error.field();
    }
    return "accepted";
  };
  CHECK(field(folder.path, 5) == "input");
  CHECK(field(folder.path / "missing", 5) == "input");
  folder.put("empty.txt", "");
  CHECK(field(folder.path / "empty.txt", 5) == "input");
  folder.put("c.bin", std::string_view("n\0o", 3));
  CHECK(field(folder.path / "c.bin", 5) == "input");
  CHECK(field(folder.path / "c.bin", 0) == "tokens");
}

}  // namespace
