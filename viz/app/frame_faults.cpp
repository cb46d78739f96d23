#include "ringlab/viz/app/frame_faults.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "ringlab/viz/panels/compat.hpp"

namespace ringlab::viz {

std::vector<std::string> frame_faults(const Items& items) {
  std::vector<std::string> faults = layout_faults(items);
  const ImDrawData* data = ImGui::GetDrawData();
  if (data == nullptr || !data->Valid) {
    faults.push_back("nothing was rendered");
    return faults;
  }
  // Content that is scrolled away lies outside the screen, but no list is a hundred screens long.
  const float far = 100 * (data->DisplaySize.x + data->DisplaySize.y);
  long bad = 0, vertices = 0;
  for (int i = 0; i < compat::list_count(*data); ++i) {
    for (const ImDrawVert& vertex : compat::list(*data, i).VtxBuffer) {
      ++vertices;
      const bool finite = std::isfinite(vertex.pos.x) && std::isfinite(vertex.pos.y) &&
                          std::isfinite(vertex.uv.x) && std::isfinite(vertex.uv.y);
      if (!finite || std::abs(vertex.pos.x) > far || std::abs(vertex.pos.y) > far) ++bad;
    }
  }
  if (bad > 0)
    faults.push_back(fmt::format("{} of {} vertices are not on any screen", bad, vertices));
  if (vertices == 0) faults.push_back("the frame is empty");
  return faults;
}

}  // namespace ringlab::viz
