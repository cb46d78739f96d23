// A window through GLFW.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/gl.hpp"
#include "ringlab/viz/panels/compat.hpp"

namespace ringlab::viz {
namespace {

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? "unknown reason" : text;
}

[[noreturn]] void fail(const std::string& reason) {
  throw RunError(
      "viz: no window can be opened (" + reason +
      "); without a display use --screenshot out.png, --record out.gif or --script FILE, "
      "or run it under xvfb-run");
}

// The library and the window, freed in turn even if the rest fails to start.
class Glfw {
 public:
  Glfw(int width, int height, const std::string& title) {
    if (glfwInit() != GLFW_TRUE) fail(glfw_reason());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window == nullptr) {
      const std::string reason = glfw_reason();
      glfwTerminate();
      fail(reason);
    }
    glfwSetWindowSizeLimits(window, 480, 360, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
  }
  ~Glfw() {
    glfwDestroyWindow(window);
    glfwTerminate();
  }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;

  GLFWwindow* window = nullptr;
};

class Window final : public Surface {
 public:
  Window(int width, int height, const std::string& title) : glfw_(width, height, title) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    if (!ImGui_ImplGlfw_InitForOpenGL(glfw_.window, true)) fail("Dear ImGui refuses the window");
    gl::start_renderer();
  }
  ~Window() override {
    gl::stop_renderer();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }

  bool begin_frame(double seconds) override {
    if (glfwWindowShouldClose(glfw_.window) == GLFW_TRUE) return false;
    glfwPollEvents();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (seconds > 0) ImGui::GetIO().DeltaTime = static_cast<float>(seconds);
    compat::clamp_delta_time();
    ImGui::NewFrame();
    return true;
  }
  void end_frame(unsigned clear_colour) override {
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(glfw_.window, &width, &height);
    gl::draw(width, height, clear_colour, false);
    last_ = {width, height};
    glfwSwapBuffers(glfw_.window);
  }
  Image read() override { return gl::read(last_.width, last_.height); }
  void resize(int width, int height) override { glfwSetWindowSize(glfw_.window, width, height); }
  float density() const override {
    // Where the system already counts in points (macOS, Wayland), pixels are finer than the window.
    float x = 1, y = 1;
    int width = 1, height = 1, pixels_wide = 1, pixels_high = 1;
    glfwGetWindowContentScale(glfw_.window, &x, &y);
    glfwGetWindowSize(glfw_.window, &width, &height);
    glfwGetFramebufferSize(glfw_.window, &pixels_wide, &pixels_high);
    const float finer =
        pixels_wide > 0 ? static_cast<float>(pixels_wide) / static_cast<float>(width) : 1;
    return std::clamp(x / std::max(finer, 0.1f), 0.5f, 4.0f);
  }
  void fonts_changed() override {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  bool has_window() const override { return true; }
  std::string renderer() const override { return gl::renderer(); }

 private:
  struct Size {
    int width = 0, height = 0;
  };
  Glfw glfw_;
  Size last_;
};

}  // namespace

std::unique_ptr<Surface> open_window(int width, int height, const std::string& title) {
  return std::make_unique<Window>(width, height, title);
}

}  // namespace ringlab::viz
