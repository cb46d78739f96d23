// The finder of layout faults finds what it is there for, and nothing else.
#include "ringlab/viz/panels/items.hpp"

#include "tests/catch.hpp"

using namespace ringlab::viz;

namespace {

Items recording() {
  Items items;
  items.recording = true;
  items.push_pane("pane", {0, 0}, {100, 100});
  return items;
}

}  // namespace

TEST_CASE("texts side by side and inside are no fault") {
  Items items = recording();
  items.add_text("left", {0, 0}, {50, 15});
  items.add_text("right", {50, 0}, {100, 15});
  items.add_text("below", {0, 15}, {100, 30});
  items.add("button", {0, 0}, {100, 30});  // a control under its own label
  CHECK(layout_faults(items).empty());
}

TEST_CASE("a text beyond its pane is a fault") {
  Items items = recording();
  items.add_text("too wide", {60, 0}, {102, 15});
  const auto faults = layout_faults(items);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].find("'too wide'") != std::string::npos);
  CHECK(faults[0].find("sticks out of pane") != std::string::npos);
}

TEST_CASE("what is scrolled away is no fault, what is too wide there is") {
  Items items = recording();
  items.push_pane("list", {0, 0}, {100, 50}, true);
  items.add_text("below the edge", {0, 80}, {100, 95});
  CHECK(layout_faults(items).empty());
  items.add_text("beyond the side", {0, 10}, {140, 25});
  CHECK(layout_faults(items).size() == 1);
}

TEST_CASE("one text over another is a fault, unless it lies on another layer") {
  Items items = recording();
  items.add_text("one", {0, 0}, {40, 15});
  items.add_text("other", {30, 5}, {80, 20});
  CHECK(layout_faults(items).size() == 1);
  Items layers = recording();
  layers.add_text("one", {0, 0}, {40, 15});
  layers.push_pane("help", {0, 0}, {100, 100}, false, 1);
  layers.add_text("other", {30, 5}, {80, 20});
  CHECK(layout_faults(layers).empty());
}

TEST_CASE("a name finds the control that was drawn last, and no text") {
  Items items = recording();
  items.add("play", {0, 0}, {10, 10});
  items.add("play", {20, 20}, {30, 30});
  items.add_text("word", {0, 40}, {30, 55});
  REQUIRE(items.find("play") != nullptr);
  CHECK(items.find("play")->min.x == 20);
  CHECK(items.find("word") == nullptr);
  items.clear();
  CHECK(items.find("play") == nullptr);
}

TEST_CASE("nothing is noted where nobody asked") {
  Items items;
  items.push_pane("pane", {0, 0}, {10, 10});
  items.add("play", {0, 0}, {10, 10});
  items.pop_pane();
  CHECK(items.items().empty());
}
