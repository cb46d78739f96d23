#include "ringlab/viz/app/shell.hpp"

#include <cmath>

namespace ringlab::viz {

Shell shell_of(float width, float height, float scale, const Settings& s, bool reading,
               float strip) {
  const auto px = [scale](float size) { return std::round(size * scale); };
  Shell shell;
  shell.tabbed = width < kThreePanesWidth * scale || height < kThreePanesHeight * scale;
  const float top = px(42);
  float bottom = height - px(62);
  shell.top = {0, 0, width, top};
  shell.transport = {0, bottom, width, height};
  const float pad = px(16), grip = px(4);
  if (strip > 0 && bottom - strip - top >= px(kLeastPanesHeight)) {
    shell.strip = {0, bottom - strip, width, bottom};
    bottom = shell.strip.y0;
  }
  if (shell.tabbed) {
    shell.only = {pad, top + pad, width - pad, bottom - px(8)};
    return shell;
  }
  // The side panes hold text: neither too narrow to read nor wider than a line should be.
  float left = std::clamp(width * s.left, px(220), px(420));
  const float right = std::clamp(width * s.right, px(276), px(460));
  if (reading) {
    // A page may be some seventy letters wide, if the middle keeps what it has at 1024 points.
    const float most = std::clamp(width - right - px(518), px(220), px(600));
    left = std::clamp(width * s.reading, px(220), most);
  }
  const float x0 = std::round(left), x1 = std::round(width - right);
  const float middle = std::round(top + (bottom - top) * s.upper);
  shell.left = {pad, top + pad, x0 - pad, bottom - px(8)};
  shell.right = {x1 + pad, top + pad, width - pad, bottom - px(8)};
  const float centre = x1 - x0 - 3 * pad;
  // Ring and matrix are both as high as their row; the ring's boxes want some more width.
  const float ring = std::round(centre * 0.51f);
  shell.ring = {x0 + pad, top + pad, x0 + pad + ring, middle - px(10)};
  shell.matrix = {shell.ring.x1 + pad, top + pad, x1 - pad, middle - px(4)};
  shell.bottom = {x0 + pad, middle + px(12), x1 - pad, bottom - px(6)};
  shell.split_left = {x0 - grip, top, x0 + grip, bottom};
  shell.split_right = {x1 - grip, top, x1 + grip, bottom};
  shell.split_middle = {x0 + grip, middle - grip, x1 - grip, middle + grip};
  return shell;
}

}  // namespace ringlab::viz
