// Frames without a picture: Dear ImGui lays everything out, and no renderer takes it.
#include <imgui.h>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/surface.hpp"
#include "ringlab/viz/panels/compat.hpp"

namespace ringlab::viz {
namespace {

class Blind final : public Surface {
 public:
  Blind(int width, int height) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    compat::prepare_io_without_window();
    resize(width, height);
  }
  ~Blind() override { ImGui::DestroyContext(); }

  bool begin_frame(double seconds) override {
    ImGui::GetIO().DeltaTime = static_cast<float>(seconds);
    compat::clamp_delta_time();
    ImGui::NewFrame();
    return true;
  }
  void end_frame(unsigned) override { ImGui::Render(); }
  Image read() override { throw RunError("a frame that was not drawn has no picture"); }
  void resize(int width, int height) override {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }
  void fonts_changed() override {}
  std::string renderer() const override { return "none"; }
};

}  // namespace

std::unique_ptr<Surface> open_blind(int width, int height) {
  return std::make_unique<Blind>(width, height);
}

}  // namespace ringlab::viz
