// The pictures of the lessons: lessons/pictures.txt makes them all again, and each is held against
// the stored one. RINGLAB_ACCEPT=1 stores new ones, which a person looks at before they are
// committed. Plots, which are SVG, are held by tests/lessons/course/plots.sh.
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "ringlab/reference/core/file.hpp"
#include "tests/viz/app/headless_app.hpp"
#include "tests/viz/app/stored_picture.hpp"

using namespace ringlab::viz;
using namespace ringlab::viz::test;
namespace fs = std::filesystem;

namespace {

const fs::path kLessons = RINGLAB_LESSONS_FOLDER;

// "05-the-ring/pictures/x.png" of every picture that a text shows.
std::set<std::string> shown_in_texts() {
  std::set<std::string> shown;
  static const std::regex picture(R"(!\[[^\]]+\]\((pictures/[^)]+)\))");
  for (const auto& folder : fs::directory_iterator(kLessons)) {
    for (const char* language : {"lesson.en.md", "lesson.so.md", "lesson.am.md"}) {
      if (!fs::exists(folder.path() / language)) continue;
      const std::string text = ringlab::read_file(folder.path() / language, "lesson", 1 << 20);
      for (std::sregex_iterator i(text.begin(), text.end(), picture), end; i != end; ++i)
        shown.insert((folder.path().filename() / std::string((*i)[1])).string());
    }
  }
  return shown;
}

std::set<std::string> stored(const char* extension) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kLessons)) {
    if (entry.path().extension() == extension)
      files.insert(fs::relative(entry.path(), kLessons).string());
  }
  return files;
}

}  // namespace

TEST_CASE("the pictures of the lessons are those that the program makes now") {
  const fs::path received = RINGLAB_RECEIVED_FOLDER;
  fs::remove_all(received);
  const std::string script = ringlab::read_file(kLessons / "pictures.txt", "script", 1 << 20);
  // A shot makes no folders.
  for (const auto& folder : fs::directory_iterator(kLessons)) {
    if (fs::is_directory(folder))
      fs::create_directories(received / "lessons" / folder.path().filename() / "pictures");
  }
  const std::unique_ptr<Surface> surface = open_headless(1280, 800);
  App app(*surface, HeadlessApp::options_of("causal-zigzag"));
  ScriptRunner runner(app, *surface, received, kLessons);
  const ScriptResult result = runner.run(script, "pictures.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
  const bool accept = std::getenv("RINGLAB_ACCEPT") != nullptr;
  std::set<std::string> made;
  for (const fs::path& shot : result.shots) {
    const fs::path name = fs::relative(shot, received / "lessons");
    CHECK(made.insert(name.string()).second);
    check_stored_picture(shot, kLessons / name, accept, 120'000);
  }
  CHECK(made.size() >= 12);
  CHECK(made == stored(".png"));  // no picture without a shot that makes it
}

TEST_CASE("a lesson shows every picture that lies beside it, and no other") {
  std::set<std::string> all = stored(".png");
  all.merge(stored(".svg"));
  CHECK(shown_in_texts() == all);
}
