// Stored pictures of scenes and moments. tests/viz/golden/shots.txt takes them; RINGLAB_ACCEPT=1
// stores new ones, which a person looks at before they are committed.
//
// The tolerance: pictures are compared block by block, 16 x 16 pixels, and the mean difference of a
// block's channels may be 12 of 255. Renderers and versions of FreeType shade the edges of letters
// and arcs differently; in a block full of small text that moves the mean by up to 8 (one hinting
// against another). A letter that is gone, a bar of another colour or text that has moved by a
// pixel changes some block by 20 and more.
#include <cstdlib>

#include "headless_app.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/viz/app/picture_files.hpp"

using namespace ringlab::viz;
namespace fs = std::filesystem;

namespace {

constexpr int kBlock = 16;
constexpr double kMostPerBlock = 12;

struct Worst {
  double difference = 0;
  int x = 0, y = 0;
};

Worst compare(const Image& a, const Image& b) {
  Worst worst;
  for (int top = 0; top < a.height; top += kBlock) {
    for (int left = 0; left < a.width; left += kBlock) {
      double sum = 0, count = 0;
      for (int y = top; y < std::min(top + kBlock, a.height); ++y) {
        for (int x = left; x < std::min(left + kBlock, a.width); ++x) {
          const std::size_t at =
              4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                   static_cast<std::size_t>(x));
          for (std::size_t c = 0; c < 3; ++c)
            sum += std::abs(int{a.rgba[at + c]} - int{b.rgba[at + c]}), ++count;
        }
      }
      if (sum / count > worst.difference) worst = {sum / count, left, top};
    }
  }
  return worst;
}

}  // namespace

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
  App app(*surface, test::HeadlessApp::options_of("causal-zigzag"));
  ScriptRunner runner(app, *surface, received, golden);
  const ScriptResult result =
      runner.run(ringlab::read_file(golden / "shots.txt", "script", 1 << 20), "shots.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
  CHECK(result.shots.size() >= 12);
  for (const fs::path& shot : result.shots) {
    const fs::path stored = golden / shot.filename();
    CAPTURE(shot.filename().string());
    if (accept) fs::copy_file(shot, stored, fs::copy_options::overwrite_existing);
    REQUIRE(fs::exists(stored));
    CHECK(fs::file_size(stored) < 150'000);
    const Image found = read_png(shot), right = read_png(stored);
    REQUIRE(found.width == right.width);
    REQUIRE(found.height == right.height);
    const Worst worst = compare(found, right);
    INFO("received " << shot.string() << ", at " << worst.x << ", " << worst.y);
    CHECK(worst.difference <= kMostPerBlock);
  }
  // No picture without a shot that makes it.
  for (const auto& entry : fs::directory_iterator(golden)) {
    if (entry.path().extension() != ".png") continue;
    CAPTURE(entry.path().filename().string());
    CHECK(fs::exists(received / entry.path().filename()));
  }
}
