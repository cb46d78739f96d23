// Pictures and films as files, read back by other code than wrote them.
#include <gif_lib.h>

#include <cstdlib>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/picture_files.hpp"
#include "ringlab/viz/app/run.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::viz;
namespace fs = std::filesystem;

namespace {

Image gradient(int width, int height, int shift) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int pixel[] = {4 * x, 4 * y, x < shift ? 200 : 20, 255};
      for (const int byte : pixel) image.rgba.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  return image;
}

fs::path temporary(const char* name) {
  return fs::temp_directory_path() / (std::string("ringlab_") + name);
}

}  // namespace

TEST_CASE("a PNG comes back pixel by pixel") {
  const Image image = gradient(37, 23, 5);
  const fs::path path = temporary("picture.png");
  write_png(image, path);
  const Image back = read_png(path);
  fs::remove(path);
  CHECK(back.width == 37);
  CHECK(back.height == 23);
  CHECK(back.rgba == image.rgba);
}

TEST_CASE("a picture that cannot be written or read is refused by name") {
  CHECK_THROWS_AS(write_png(gradient(2, 2, 0), "/nowhere/at/all.png"), InputError);
  CHECK_THROWS_AS(read_png("/nowhere/at/all.png"), InputError);
  CHECK_THROWS_AS(GifWriter("/nowhere/at/all.gif"), InputError);
}

TEST_CASE("a film has its frames, their times, and only what changed") {
  const fs::path path = temporary("film.gif");
  {
    GifWriter writer(path);
    writer.add(gradient(32, 24, 0), 10);
    writer.add(gradient(32, 24, 8), 20);
    writer.add(gradient(32, 24, 8), 30);  // nothing changes, time passes
    writer.close();
  }
  int error = 0;
  GifFileType* gif = DGifOpenFileName(path.c_str(), &error);
  REQUIRE(gif != nullptr);
  REQUIRE(DGifSlurp(gif) == GIF_OK);
  CHECK(gif->SWidth == 32);
  CHECK(gif->SHeight == 24);
  REQUIRE(gif->ImageCount == 3);
  CHECK(gif->SavedImages[0].ImageDesc.Width == 32);
  CHECK(gif->SavedImages[1].ImageDesc.Width == 8);
  CHECK(gif->SavedImages[1].ImageDesc.Height == 24);
  const int times[] = {10, 20, 30};
  for (int i = 0; i < 3; ++i) {
    GraphicsControlBlock control{};
    REQUIRE(DGifSavedExtensionToGCB(gif, i, &control) == GIF_OK);
    CHECK(control.DelayTime == times[i]);
  }
  // Every colour is within a cell of the colour cube (8 wide): there are fewer cells than entries.
  const SavedImage& first = gif->SavedImages[0];
  const Image right = gradient(32, 24, 0);
  int worst = 0;
  for (std::size_t i = 0; i < 768; ++i) {
    const GifColorType& c = first.ImageDesc.ColorMap->Colors[first.RasterBits[i]];
    worst = std::max({worst, std::abs(int{c.Red} - int{right.rgba[4 * i]}),
                      std::abs(int{c.Green} - int{right.rgba[4 * i + 1]})});
  }
  CHECK(worst <= 8);
  DGifCloseFile(gif, &error);
  fs::remove(path);
}

TEST_CASE("a film that is given up leaves nothing behind") {
  const fs::path path = temporary("given_up.gif");
  { GifWriter(path).add(gradient(8, 8, 0), 10); }
  CHECK_FALSE(fs::exists(path));
  CHECK_FALSE(fs::exists(path.string() + ".part"));
}

TEST_CASE("sizes are read, and wrong ones refused") {
  int width = 0, height = 0;
  parse_size("1280x800", width, height);
  CHECK(width == 1280);
  CHECK(height == 800);
  for (const char* text :
       {"", "1280", "1280x", "x800", "10x10", "1280x800x3", "99999x800", "-1280x800", "axb"}) {
    CHECK_THROWS_AS(parse_size(text, width, height), InputError);
  }
}
