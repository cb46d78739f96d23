// The generated cases as scenarios of every schedule.
#pragma once

#include "ringlab/viz/model/story.hpp"
#include "tests/families.hpp"

namespace ringlab::test {

struct SceneCase {
  Case c;
  Scenario scenario;
  viz::StoryOptions options;
  std::string text() const { return c.text() + " schedule " + scenario.schedule; }
};

/// Scene i: case i by one schedule of the catalog, sometimes backward, with links and ranks of
/// every speed. Custom layouts, which need a file, become striped ones.
SceneCase make_scene(int id);

}  // namespace ringlab::test
