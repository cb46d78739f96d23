// Pictures held against stored ones.
//
// The tolerance: pictures are compared block by block, 16 x 16 pixels, and the mean difference of a
// block's channels may be 9 of 255. Measured on all pictures of tests/viz/golden, worst block each:
//
//   llvmpipe against itself, 1 and 4 threads, vectors of 128 and 256 bits      0 (bit by bit)
//   llvmpipe against softpipe, which shades edges by other code                7.7 (others 4.4)
//   a label moved by one pixel: words and titles 20 to 31, "64" of an axis    10.1 to 31
//   a block on its way in the colour of the next one                          10.8
//   a cell of the matrix still to come instead of done                        14.7
//   a bar of the timeline in the colour of the row above                      40
//
// Not noticed: a lone thin digit moved by a pixel (a "1" under the timeline, 3.2). Another FreeType
// was not measured.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "ringlab/viz/app/picture_files.hpp"
#include "tests/catch.hpp"

namespace ringlab::viz::test {

inline constexpr int kBlock = 16;
inline constexpr double kMostPerBlock = 9;

struct Worst {
  double difference = 0;
  int x = 0, y = 0;
};

/// The block in which two pictures of one size differ most.
inline Worst compare(const Image& a, const Image& b) {
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

/// Holds a picture that was just made against the stored one; stores it first if `accept`.
inline void check_stored_picture(const std::filesystem::path& made,
                                 const std::filesystem::path& stored, bool accept,
                                 std::uintmax_t most_bytes) {
  CAPTURE(stored.string());
  if (accept) {
    std::filesystem::create_directories(stored.parent_path());
    std::filesystem::copy_file(made, stored, std::filesystem::copy_options::overwrite_existing);
  }
  REQUIRE(std::filesystem::exists(stored));
  CHECK(std::filesystem::file_size(stored) < most_bytes);
  const Image found = read_png(made), right = read_png(stored);
  REQUIRE(found.width == right.width);
  REQUIRE(found.height == right.height);
  const Worst worst = compare(found, right);
  INFO("received " << made.string() << ", at " << worst.x << ", " << worst.y);
  CHECK(worst.difference <= kMostPerBlock);
}

}  // namespace ringlab::viz::test
