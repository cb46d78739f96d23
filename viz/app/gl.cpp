#include "ringlab/viz/app/gl.hpp"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::viz::gl {

Target::~Target() {
  if (frame_ != 0) glDeleteFramebuffers(1, &frame_);
  if (colour_ != 0) glDeleteRenderbuffers(1, &colour_);
}

void Target::resize(int width, int height) {
  if (frame_ == 0) {
    glGenFramebuffers(1, &frame_);
    glGenRenderbuffers(1, &colour_);
  }
  glBindRenderbuffer(GL_RENDERBUFFER, colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw RunError("the graphics driver has no picture of " + std::to_string(width) + " x " +
                   std::to_string(height) + " pixels: give a smaller --size");
  }
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, frame_);
}

void start_renderer() {
  if (!ImGui_ImplOpenGL3_Init("#version 150")) throw RunError("OpenGL 3 does not start");
}

void stop_renderer() {
  ImGui_ImplOpenGL3_Shutdown();
}

void draw(int width, int height, unsigned clear_colour, bool finish) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(clear_colour);
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (finish) glFinish();
}

Image read(int width, int height) {
  Image image{width, height, {}};
  const std::size_t row = 4 * static_cast<std::size_t>(width);
  image.rgba.resize(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  // OpenGL starts at the bottom.
  for (int y = 0; y < height / 2; ++y) {
    std::uint8_t* upper = image.rgba.data() + row * static_cast<std::size_t>(y);
    std::uint8_t* lower = image.rgba.data() + row * static_cast<std::size_t>(height - 1 - y);
    std::swap_ranges(upper, upper + row, lower);
  }
  return image;
}

std::string renderer() {
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return text == nullptr ? "unknown" : text;
}

}  // namespace ringlab::viz::gl
