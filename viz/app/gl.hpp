// The part of OpenGL that both surfaces share: a target of our own size, and Dear ImGui's renderer.
#pragma once

#include <string>

#include "ringlab/viz/app/surface.hpp"

namespace ringlab::viz::gl {

/// A colour buffer to draw into; the context has to be current for all of its life.
class Target {
 public:
  Target() = default;
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  /// Throws RunError if the driver cannot do it.
  void resize(int width, int height);
  void bind() const;

 private:
  unsigned frame_ = 0, colour_ = 0;
};

void start_renderer();
void stop_renderer();
/// Clears, draws the frame that ImGui::Render has made, and waits for it if `finish`.
void draw(int width, int height, unsigned clear_colour, bool finish);
Image read(int width, int height);
std::string renderer();

}  // namespace ringlab::viz::gl
