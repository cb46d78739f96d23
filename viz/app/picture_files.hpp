// Pictures as files: PNG for one, GIF for a film.
#pragma once

#include <filesystem>
#include <memory>

#include "ringlab/viz/app/surface.hpp"

namespace ringlab::viz {

/// Throws InputError (field "screenshot") if the path cannot be written.
void write_png(const Image& image, const std::filesystem::path& path);
/// Throws InputError if it is no PNG that can be read.
Image read_png(const std::filesystem::path& path);

/// A film with one palette of its own; frames of one size. Written beside, then renamed by close().
class GifWriter {
 public:
  explicit GifWriter(std::filesystem::path path);
  ~GifWriter();
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;

  /// Adds a picture that stands for so many hundredths of a second.
  void add(const Image& image, int hundredths);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringlab::viz
