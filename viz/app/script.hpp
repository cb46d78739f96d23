// Scripts: what a person would do, as lines of text. The same files are tours and tests.
//
//   # a comment
//   size 1280 800            preset causal-zigzag      theme light        scale 1.2
//   at hop=3:arrive,rank=2   key space                 key right 3        key ctrl+c
//   click transport/play     hover ring/rank2          drag transport/scrub 40 0
//   wheel matrix/area 3      type "64"                 wait 0.5           paste FILE
//   tab balance              shot out.png              shot out.png ring matrix
//   lesson 5                 predict on                answer right       answer wrong
//   expect hop 3             expect rank 2             expect time 1.5    expect preset NAME
//   expect at-end            expect at-start           expect paused      expect playing
//   expect theme light       expect overlay help       expect item ID     expect no-item ID
//   expect text "words"      expect toast "words"      expect lesson 5    expect layout
//   expect quiz answered     expect quiz-score 1/2     expect predicted 3/4
//
// `lesson 5` opens a lesson beside its first scene, `lesson 0` the list of them. `answer` clicks an
// option of the open prediction, else of the quiz, whose pages are choose, question, answered and
// end. Names of widgets are those under which panels note them; `expect layout` looks for texts
// that are cut off or lie over each other and for vertices that are not finite. A shot with names
// is cut to those panes (left, ring, matrix, bottom, right), controls and texts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ringlab/viz/app/app.hpp"

namespace ringlab::viz {

struct ScriptResult {
  int steps = 0;
  std::vector<std::string> failures;  // "tour.txt:12: expect hop 3: it is 2"
  std::vector<std::filesystem::path> shots;
};

class ScriptRunner {
 public:
  /// Relative paths of shots start at `shots`, those of pasted files at `files`. `pace` seconds
  /// pass in each frame; a window shows them as they pass.
  ScriptRunner(App& app, Surface& surface, std::filesystem::path shots,
               std::filesystem::path files);

  /// Runs all lines; expectations that do not hold are collected. Throws InputError for a line that
  /// cannot be read or names what does not exist.
  ScriptResult run(const std::string& text, const std::string& source);

  /// Single actions, for tests.
  void frames(int count, double seconds = 1.0 / 60);
  void press(Key key, bool control = false, bool shift = false);
  /// False where no such control is on the screen.
  bool click(const std::string& id);
  bool hover(const std::string& id);
  void type(const std::string& text);

 private:
  void line(const std::vector<std::string>& words);
  void answer(bool right);
  void expect(const std::vector<std::string>& words);
  bool bring_into_view(const std::string& id);
  Image cut(const Image& whole, const std::vector<std::string>& names) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;
  void check(bool good, const std::string& found);

  App& app_;
  Surface& surface_;
  std::filesystem::path shots_, files_;
  std::string source_, text_;
  int line_ = 0;
  ScriptResult result_;
};

}  // namespace ringlab::viz
