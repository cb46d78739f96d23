// Where frames go: a window, or a picture in memory without any display. Both are OpenGL 3 core,
// and both own the Dear ImGui context of the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ringlab::viz {

/// Pixels from the upper left corner, row by row: [height, width, 4], bytes red, green, blue,
/// alpha.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

class Surface {
 public:
  virtual ~Surface() = default;

  /// Starts a Dear ImGui frame `seconds` after the last; false once the person has closed the
  /// window. A window measures the time itself when `seconds` is 0.
  virtual bool begin_frame(double seconds) = 0;
  /// Draws what was built since.
  virtual void end_frame(unsigned clear_colour) = 0;
  /// The picture that end_frame drew.
  virtual Image read() = 0;
  virtual void resize(int width, int height) = 0;
  /// Pixels of the screen per point, 1 on an ordinary one.
  virtual float density() const { return 1; }
  /// Makes the font texture again after the atlas was filled anew.
  virtual void fonts_changed() = 0;
  virtual bool has_window() const { return false; }
  /// What draws: "llvmpipe (LLVM 15.0.6, 256 bits)".
  virtual std::string renderer() const = 0;
};

/// A window. Throws RunError that names the ways without one where there is no display.
std::unique_ptr<Surface> open_window(int width, int height, const std::string& title);

/// A picture in memory, through EGL, without an X server. Throws RunError if there is no EGL.
std::unique_ptr<Surface> open_headless(int width, int height);

/// Frames that nobody sees: laid out whole, but not drawn, for tests of what stands where. read()
/// is refused.
std::unique_ptr<Surface> open_blind(int width, int height);

}  // namespace ringlab::viz
