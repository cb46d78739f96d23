// Stored pictures of scenes and moments. tests/viz/golden/shots.txt takes them; RINGLAB_ACCEPT=1
// stores new ones, which a person looks at before they are committed.
#include <cstdlib>

#include "headless_app.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/viz/app/stored_picture.hpp"

using namespace ringlab::viz;
using namespace ringlab::viz::test;
namespace fs = std::filesystem;

TEST_CASE("the comparison sees a letter that is gone, and not a shade") {
  Image one{64, 64, std::vector<std::uint8_t>(4 * 64 * 64, 30)};
  Image shade = one, letter = one;
  for (std::uint8_t& byte : shade.rgba) byte = 34;
  for (int y = 20; y < 30; ++y) {
    for (int x = 20; x < 23; ++x)
      letter.rgba[static_cast<std::size_t>(4 * (y * 64 + x))] =
          letter.rgba[static_cast<std::size_t>(4 * (y * 64 + x) + 1)] =
              letter.rgba[static_cast<std::size_t>(4 * (y * 64 + x) + 2)] = 230;
  }
  CHECK(compare(one, one).difference == 0);
  CHECK(compare(one, shade).difference < kMostPerBlock);
  CHECK(compare(one, letter).difference > kMostPerBlock);
}

TEST_CASE("stored pictures") {
  const fs::path golden = RINGLAB_GOLDEN_FOLDER, received = RINGLAB_RECEIVED_FOLDER;
  const bool accept = std::getenv("RINGLAB_ACCEPT") != nullptr;
  fs::create_directories(received);
  const std::unique_ptr<Surface> surface = open_headless(1280, 800);
  App app(*surface, HeadlessApp::options_of("causal-zigzag"));
  ScriptRunner runner(app, *surface, received, golden);
  const ScriptResult result =
      runner.run(ringlab::read_file(golden / "shots.txt", "script", 1 << 20), "shots.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
  CHECK(result.shots.size() >= 12);
  for (const fs::path& shot : result.shots) {
    check_stored_picture(shot, golden / shot.filename(), accept, 150'000);
  }
  // No picture without a shot that makes it.
  for (const auto& entry : fs::directory_iterator(golden)) {
    if (entry.path().extension() != ".png") continue;
    CAPTURE(entry.path().filename().string());
    CHECK(fs::exists(received / entry.path().filename()));
  }
}
