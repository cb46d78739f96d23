#include "ringlab/viz/app/settings.hpp"

#include <cstdlib>
#include <fstream>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::viz;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("ringlab_settings_" + std::to_string(std::rand()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

}  // namespace

TEST_CASE("settings come back as they were written, in a folder that did not exist") {
  const Folder folder;
  Settings s;
  s.theme = ThemeKind::high_contrast;
  s.ui_scale = 1.5f;
  s.reduced_motion = true;
  s.left = 0.25f;
  s.reading = 0.4f;
  s.width = 1600;
  const fs::path file = folder.path / "ringlab" / "viz.json";
  REQUIRE(save_settings(s, file));
  CHECK(load_settings(file) == s);
  // Written beside and renamed: nothing else is left in the folder.
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a broken file, a missing one and no place at all give the defaults") {
  const Folder folder;
  const fs::path file = folder.path / "viz.json";
  CHECK(load_settings(file) == Settings{});
  CHECK(load_settings({}) == Settings{});
  std::ofstream(file) << "{\"theme\": ";
  CHECK(load_settings(file) == Settings{});
  CHECK_FALSE(save_settings({}, {}));
  std::ofstream(folder.path / "a_file") << "x";
  CHECK_FALSE(save_settings({}, folder.path / "a_file" / "viz.json"));
}

TEST_CASE("values of other versions are passed over, those out of range brought into it") {
  const Settings s = parse_settings(
      R"({"theme": "sepia", "ui_scale": 99, "left": -3, "width": "wide", "new": [1]})", "test");
  CHECK(s.theme == ThemeKind::dark);
  CHECK(s.ui_scale == 3);
  CHECK(s.left == Approx(0.1f));
  CHECK(s.width == Settings{}.width);
  CHECK_THROWS_AS(parse_settings("[]", "test"), InputError);
}

TEST_CASE("the file lies where the desktop wants it") {
  const char* old_config = std::getenv("XDG_CONFIG_HOME");
  const std::string config = old_config == nullptr ? "" : old_config;
  setenv("XDG_CONFIG_HOME", "/somewhere/config", 1);
  CHECK(settings_path() == "/somewhere/config/ringlab/viz.json");
  setenv("XDG_CONFIG_HOME", "relative", 1);  // the specification says: to be ignored
  CHECK(settings_path().string().find("relative") == std::string::npos);
  old_config == nullptr ? unsetenv("XDG_CONFIG_HOME")
                        : setenv("XDG_CONFIG_HOME", config.c_str(), 1);
}
