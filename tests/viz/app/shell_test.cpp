// The places of the panes, at every size and scale.
#include "ringlab/viz/app/shell.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace ringlab::viz;

TEST_CASE("panes lie inside the screen and not over each other") {
  for (float width = 480; width <= 2600; width += 97) {
    for (float height = 360; height <= 1500; height += 71) {
      for (const float scale : {0.6f, 1.0f, 1.5f, 3.0f}) {
        // The app keeps the scale within the screen.
        if (width / scale < 420 || height / scale < 320) continue;
        const bool reading = static_cast<int>(width) % 2 == 0;
        const Shell shell = shell_of(width, height, scale, {}, reading);
        CAPTURE(width, height, scale, shell.tabbed);
        const Rect screen{0, 0, width, height};
        std::vector<Rect> panes{shell.top, shell.transport};
        if (shell.tabbed) {
          panes.push_back(shell.only);
        } else {
          panes.insert(panes.end(),
                       {shell.left, shell.right, shell.ring, shell.matrix, shell.bottom});
        }
        for (std::size_t i = 0; i < panes.size(); ++i) {
          CHECK(panes[i].inside(screen));
          CHECK(panes[i].width() > 0);
          CHECK(panes[i].height() > 0);
          for (std::size_t j = i + 1; j < panes.size(); ++j)
            CHECK_FALSE(panes[i].overlaps(panes[j]));
        }
      }
    }
  }
}

TEST_CASE("three panes from 1024 x 640 points on") {
  CHECK_FALSE(shell_of(1024, 640, 1, {}).tabbed);
  CHECK(shell_of(1023, 640, 1, {}).tabbed);
  CHECK(shell_of(1024, 639, 1, {}).tabbed);
  CHECK(shell_of(1280, 800, 1.5f, {}).tabbed);
  CHECK_FALSE(shell_of(2560, 1440, 2, {}).tabbed);
}

TEST_CASE("a page gets what the pictures can spare, and no more") {
  // The middle never gets narrower than it is in the smallest window of three panes.
  const auto middle = [](const Shell& shell) { return shell.matrix.x1 - shell.ring.x0; };
  const float least = middle(shell_of(1024, 640, 1, {}));
  for (float width = 1024; width <= 2600; width += 31) {
    const Shell plain = shell_of(width, 800, 1, {}), page = shell_of(width, 800, 1, {}, true);
    CAPTURE(width);
    CHECK(page.left.width() >= plain.left.width() - 1);
    CHECK(middle(page) >= least - 1);
    CHECK(page.left.width() <= 600);
    CHECK(page.right.width() == plain.right.width());
  }
  CHECK(shell_of(1280, 800, 1, {}, true).left.width() >
        1.3f * shell_of(1280, 800, 1, {}).left.width());
}

TEST_CASE("splitters move panes, and cannot push one away") {
  Settings wide;
  wide.left = 0.3f;
  CHECK(shell_of(1600, 900, 1, wide).left.width() > shell_of(1600, 900, 1, {}).left.width());
  for (const float share : {-5.0f, 0.0f, 0.9f, 5.0f}) {
    Settings s;
    s.left = s.right = s.upper = share;
    const Shell shell = shell_of(1280, 800, 1, clamped(s));
    CHECK(shell.ring.width() > 100);
    CHECK(shell.left.width() > 100);
    CHECK(shell.bottom.height() > 80);
  }
}
