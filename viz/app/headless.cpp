// Pictures without a display: EGL on no surface at all, drawing into a buffer of our own. Mesa's
// software renderer does it on any server.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstring>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/gl.hpp"
#include "ringlab/viz/panels/compat.hpp"

namespace ringlab::viz {
namespace {

[[noreturn]] void fail(const char* what) {
  throw RunError(std::string("EGL: ") + what +
                 ": install libegl1 and libgl1-mesa-dri (Mesa draws without a graphics card)");
}

// One display and context a process. EGL's handles are freed in the order of their making.
class Egl {
 public:
  Egl() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (extensions != nullptr &&
        std::strstr(extensions, "EGL_MESA_platform_surfaceless") != nullptr) {
      const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
          eglGetProcAddress("eglGetPlatformDisplayEXT"));
      if (get != nullptr) {
        display_ = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
      }
    }
    if (display_ == EGL_NO_DISPLAY) display_ = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display_ == EGL_NO_DISPLAY || eglInitialize(display_, nullptr, nullptr) != EGL_TRUE) {
      fail("no display without a window");
    }
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) fail("no OpenGL");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted, &config, 1, &count) != EGL_TRUE || count < 1) {
      fail("no configuration for OpenGL");
    }
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT) fail("no OpenGL 3.3 core context");
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) {
      fail("the context does not take a buffer of our own");
    }
  }
  ~Egl() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }
  Egl(const Egl&) = delete;
  Egl& operator=(const Egl&) = delete;

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

class Headless final : public Surface {
 public:
  Headless(int width, int height) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    compat::prepare_io_without_window();
    gl::start_renderer();
    resize(width, height);
  }
  ~Headless() override {
    gl::stop_renderer();
    ImGui::DestroyContext();
  }

  bool begin_frame(double seconds) override {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(seconds);
    compat::clamp_delta_time();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    return true;
  }
  void end_frame(unsigned clear_colour) override {
    ImGui::Render();
    target_.bind();
    gl::draw(width_, height_, clear_colour, true);
  }
  Image read() override {
    target_.bind();
    return gl::read(width_, height_);
  }
  void resize(int width, int height) override {
    target_.resize(width, height);
    width_ = width;
    height_ = height;
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }
  void fonts_changed() override {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  std::string renderer() const override { return gl::renderer(); }

 private:
  Egl egl_;  // first in, last out
  gl::Target target_;
  int width_ = 0, height_ = 0;
};

}  // namespace

std::unique_ptr<Surface> open_headless(int width, int height) {
  return std::make_unique<Headless>(width, height);
}

}  // namespace ringlab::viz
