// Text measured, wrapped and cut, without any graphics.
#include <string>

#include "ringlab/viz/panels/draw.hpp"
#include "tests/catch.hpp"

using namespace ringlab::viz;

namespace {

// A context with Dear ImGui's own font: here only widths matter.
struct Context {
  Context() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    font = ImGui::GetIO().Fonts->AddFontDefault();
    ImGui::GetIO().Fonts->Build();
  }
  ~Context() { ImGui::DestroyContext(); }
  ImFont* font;
};

}  // namespace

TEST_CASE("wrapped lines fit and lose nothing but the spaces between them") {
  const Context context;
  const std::string text =
      "Rank 2 received block H from rank 1 and attends to it, while the next is on its way.";
  for (const float width : {70.0f, 120.0f, 200.0f, 2000.0f}) {
    std::string joined;
    for (const std::string_view line : wrapped(context.font, text, width)) {
      CHECK(text_size(context.font, line).x <= width + 8);  // a space at the end may hang over
      if (!joined.empty()) joined += ' ';
      joined += line.substr(0, line.find_last_not_of(' ') + 1);
    }
    CHECK(joined == text);
  }
}

TEST_CASE("a column narrower than a letter still ends") {
  const Context context;
  CHECK(wrapped(context.font, "abc", 1).size() == 3);
  CHECK(wrapped(context.font, "", 100).empty());
  CHECK(wrapped(context.font, "a\n\nb", 100).size() == 3);
}

TEST_CASE("a cut text ends in an ellipsis and fits") {
  const Context context;
  const std::string text = "transfer hidden";
  const float whole = text_size(context.font, text).x;
  CHECK(elided(context.font, text, whole) == text);
  const std::string cut = elided(context.font, text, whole - 1);
  CHECK(cut.size() < text.size() + 3);
  CHECK(cut.substr(cut.size() - 3) == "…");
  CHECK(text_size(context.font, cut).x <= whole - 1);
}

TEST_CASE("a letter of several bytes is never cut in two") {
  const Context context;
  const std::string text = "ΣΣΣΣΣΣΣΣ";
  for (float width = 0; width < 80; width += 3) {
    const std::string cut = elided(context.font, text, width);
    CHECK(cut.find_first_not_of("\xce\xa3\xe2\x80\xa6") == std::string::npos);
    CHECK(cut.size() % 2 == (cut == text ? 0u : 1u));  // pairs, and three bytes of ellipsis
  }
}
