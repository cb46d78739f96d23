#include "ringlab/viz/app/picture_files.hpp"

#include <gif_lib.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <utility>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::viz {
namespace {

constexpr int kBits = 5, kCells = 1 << (3 * kBits);  // colours are counted in a cube of 32 a side

int cell_of(const std::uint8_t* pixel) {
  return (pixel[0] >> 3) << 10 | (pixel[1] >> 3) << 5 | pixel[2] >> 3;
}

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

// The 256 most frequent colours of a picture. A screen of flat colours has few of them; what is
// left over are edges of letters, which the nearest colour serves well.
class Palette {
 public:
  explicit Palette(const Image& image) {
    struct Cell {
      long count = 0, red = 0, green = 0, blue = 0;
      int index = 0;
    };
    std::vector<Cell> cells(kCells);
    for (int i = 0; i < kCells; ++i) cells[static_cast<std::size_t>(i)].index = i;
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
      Cell& cell = cells[static_cast<std::size_t>(cell_of(&image.rgba[i]))];
      ++cell.count;
      cell.red += image.rgba[i];
      cell.green += image.rgba[i + 1];
      cell.blue += image.rgba[i + 2];
    }
    std::partial_sort(cells.begin(), cells.begin() + 256, cells.end(),
                      [](const Cell& a, const Cell& b) { return a.count > b.count; });
    for (std::size_t i = 0; i < 256; ++i) {
      const long n = std::max(1L, cells[i].count);
      colours[i] = {static_cast<std::uint8_t>(cells[i].red / n),
                    static_cast<std::uint8_t>(cells[i].green / n),
                    static_cast<std::uint8_t>(cells[i].blue / n)};
    }
    nearest_.assign(kCells, -1);
  }

  int nearest(const std::uint8_t* pixel) {
    int& found = nearest_[static_cast<std::size_t>(cell_of(pixel))];
    if (found >= 0) return found;
    int best = 1 << 30;
    for (std::size_t i = 0; i < 256; ++i) {
      const int r = colours[i].red - pixel[0], g = colours[i].green - pixel[1],
                b = colours[i].blue - pixel[2];
      const int distance = 3 * r * r + 5 * g * g + 2 * b * b;
      if (distance >= best) continue;
      best = distance;
      found = static_cast<int>(i);
    }
    return found;
  }

  std::array<Rgb, 256> colours;

 private:
  std::vector<int> nearest_;
};

std::filesystem::path beside(const std::filesystem::path& path) {
  return path.string() + ".part";
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& reason) {
  throw InputError("picture", path.string(),
                   "cannot be written (" + reason + "); name another file");
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& path) {
  // Without filters: on flat colours that makes files a quarter smaller than libpng's own choice.
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) cannot_write(path, "not enough memory");
  std::vector<png_byte> row(3 * static_cast<std::size_t>(image.width));
  if (setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    cannot_write(path, "libpng gives up");
  }
  png_set_write_fn(
      png, &file,
      [](png_structp p, png_bytep data, png_size_t size) {
        static_cast<std::string*>(png_get_io_ptr(p))
            ->append(reinterpret_cast<const char*>(data), size);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, 0, PNG_FILTER_NONE);
  png_set_compression_level(png, 9);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* from =
        &image.rgba[4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width)];
    for (std::size_t x = 0; x < static_cast<std::size_t>(image.width); ++x) {
      std::copy_n(from + 4 * x, 3, &row[3 * x]);
    }
    png_write_row(png, row.data());
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  write_file(path, file, "picture");
}

Image read_png(const std::filesystem::path& path) {
  const std::string file = read_file(path, "picture", 64u << 20);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, file.data(), file.size()) == 0) {
    throw InputError("picture", path.string(), std::string("is no PNG: ") + png.message);
  }
  png.format = PNG_FORMAT_RGBA;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgba.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr) == 0) {
    throw InputError("picture", path.string(), std::string("is no PNG: ") + png.message);
  }
  return image;
}

struct GifWriter::State {
  std::filesystem::path path;
  GifFileType* file = nullptr;
  Image last;

  [[noreturn]] void fail() const {
    const char* reason = file == nullptr ? "no such folder?" : GifErrorString(file->Error);
    cannot_write(path, reason == nullptr ? "unknown reason" : reason);
  }
};

GifWriter::GifWriter(std::filesystem::path path) : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  int error = 0;
  state_->file = EGifOpenFileName(beside(state_->path).c_str(), false, &error);
  if (state_->file == nullptr) state_->fail();
  EGifSetGifVersion(state_->file, true);
}

GifWriter::~GifWriter() {
  if (state_->file == nullptr) return;
  int error = 0;
  EGifCloseFile(state_->file, &error);
  std::error_code ignored;
  std::filesystem::remove(beside(state_->path), ignored);
}

void GifWriter::add(const Image& image, int hundredths) {
  GifFileType* file = state_->file;
  const bool first = state_->last.rgba.empty();
  // Only the rectangle that has changed is written.
  int left = 0, top = 0, right = image.width, bottom = image.height;
  if (!first) {
    left = image.width, top = image.height, right = 0, bottom = 0;
    for (int y = 0; y < image.height; ++y) {
      const std::size_t row =
          4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
      for (int x = 0; x < image.width; ++x) {
        const std::size_t at = row + 4 * static_cast<std::size_t>(x);
        if (std::memcmp(&image.rgba[at], &state_->last.rgba[at], 3) == 0) continue;
        left = std::min(left, x), right = std::max(right, x + 1);
        top = std::min(top, y), bottom = std::max(bottom, y + 1);
      }
    }
    if (right <= left) left = top = 0, right = bottom = 1;  // nothing changed, but time passes
  }
  Palette palette(image);
  std::array<GifColorType, 256> colours;
  for (std::size_t i = 0; i < 256; ++i) {
    colours[i] = {palette.colours[i].red, palette.colours[i].green, palette.colours[i].blue};
  }
  const auto free_map = [](ColorMapObject* map) { GifFreeMapObject(map); };
  const std::unique_ptr<ColorMapObject, decltype(free_map)> map(
      GifMakeMapObject(256, colours.data()), free_map);
  if (first) {
    if (EGifPutScreenDesc(file, image.width, image.height, 8, 0, nullptr) != GIF_OK) state_->fail();
    const unsigned char forever[] = {1, 0, 0};
    if (EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) != GIF_OK ||
        EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") != GIF_OK ||
        EGifPutExtensionBlock(file, 3, forever) != GIF_OK ||
        EGifPutExtensionTrailer(file) != GIF_OK) {
      state_->fail();
    }
  }
  const GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
  GifByteType packed[4];
  EGifGCBToExtension(&control, packed);
  if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, packed) != GIF_OK ||
      EGifPutImageDesc(file, left, top, right - left, bottom - top, false, map.get()) != GIF_OK) {
    state_->fail();
  }
  std::vector<GifPixelType> line(static_cast<std::size_t>(right - left));
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const std::size_t at =
          4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
               static_cast<std::size_t>(x));
      line[static_cast<std::size_t>(x - left)] =
          static_cast<GifPixelType>(palette.nearest(&image.rgba[at]));
    }
    if (EGifPutLine(file, line.data(), right - left) != GIF_OK) state_->fail();
  }
  state_->last = image;
}

void GifWriter::close() {
  int error = 0;
  GifFileType* file = std::exchange(state_->file, nullptr);
  if (EGifCloseFile(file, &error) != GIF_OK) cannot_write(state_->path, "the disk is full?");
  std::error_code failed;
  std::filesystem::rename(beside(state_->path), state_->path, failed);
  if (failed) cannot_write(state_->path, failed.message());
}

}  // namespace ringlab::viz
