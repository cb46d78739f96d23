// Points and rectangles of the pictures, in pixels; y grows downwards.
#pragma once

#include <algorithm>

namespace ringlab::viz {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  Point center() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
  bool contains(Point p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
  bool overlaps(const Rect& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
  bool inside(const Rect& o) const { return x0 >= o.x0 && y0 >= o.y0 && x1 <= o.x1 && y1 <= o.y1; }
  bool operator==(const Rect&) const = default;

  static Rect around(Point center, float width, float height) {
    return {center.x - width / 2, center.y - height / 2, center.x + width / 2,
            center.y + height / 2};
  }
};

}  // namespace ringlab::viz
