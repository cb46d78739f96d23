// Colours can be read and told apart: held against WCAG's formula, written here once more.
#include "ringlab/viz/panels/style.hpp"

#include <cmath>
#include <set>
#include <tuple>

#include "tests/catch.hpp"

using namespace ringlab::viz;

namespace {

double linear(unsigned byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(ImU32 c) {
  return 0.2126 * linear(c & 255) + 0.7152 * linear((c >> 8) & 255) +
         0.0722 * linear((c >> 16) & 255);
}

double contrast(ImU32 a, ImU32 b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

// What a person without green (deuteranopia) sees: Vienot, Brettel and Mollon 1999, in linear
// light.
std::tuple<double, double, double> as_seen_without_green(ImU32 c) {
  const double r = linear(c & 255), g = linear((c >> 8) & 255), b = linear((c >> 16) & 255);
  const double rg = 0.29275 * r + 0.70725 * g;
  return {rg, rg, -0.02234 * r + 0.02234 * g + b};
}

constexpr ThemeKind kAll[] = {ThemeKind::dark, ThemeKind::light, ThemeKind::high_contrast};

}  // namespace

TEST_CASE("text can be read on every ground of every theme") {
  for (const ThemeKind kind : kAll) {
    const Theme& t = theme_of(kind);
    CAPTURE(name(kind));
    for (const ImU32 ground : {t.background, t.bar, t.card}) {
      CHECK(contrast(t.text, ground) >= 7);     // WCAG AAA
      CHECK(contrast(t.muted, ground) >= 4.5);  // AA
      CHECK(contrast(t.accent, ground) >= 4.5);
    }
    // Axis labels and what is switched off: AA of large text.
    CHECK(contrast(t.faint, t.background) >= 3);
    if (kind == ThemeKind::high_contrast) CHECK(contrast(t.muted, t.background) >= 7);
  }
}

TEST_CASE("letters can be read on every block") {
  for (const ThemeKind kind : kAll) {
    for (int origin = 0; origin <= kPalette; ++origin) {
      const ImU32 colour = origin_colour(theme_of(kind), origin);
      CAPTURE(name(kind), origin);
      CHECK(contrast(ink_on(colour), colour) >= 4.5);
    }
  }
}

TEST_CASE("64 origins differ in colour or pattern, and the first eight in colour alone") {
  for (const ThemeKind kind : kAll) {
    std::set<std::pair<ImU32, Pattern>> looks;
    std::set<ImU32> first;
    for (int origin = 0; origin < kPalette; ++origin) {
      looks.insert({origin_colour(theme_of(kind), origin), origin_pattern(origin)});
      if (origin < 8) first.insert(origin_colour(theme_of(kind), origin));
      if (origin < 8) CHECK(origin_pattern(origin) == Pattern::solid);
    }
    CHECK(looks.size() == kPalette);
    CHECK(first.size() == 8);
  }
}

TEST_CASE("neighbours on the ring differ without green, too") {
  for (const ThemeKind kind : kAll) {
    for (int origin = 0; origin < 8; ++origin) {
      const auto [r1, g1, b1] = as_seen_without_green(origin_colour(theme_of(kind), origin));
      const auto [r2, g2, b2] =
          as_seen_without_green(origin_colour(theme_of(kind), (origin + 1) % 8));
      CAPTURE(name(kind), origin);
      // Linear light from 0 to 1: 0.1 is a difference that nobody overlooks side by side.
      CHECK(std::abs(r1 - r2) + std::abs(g1 - g2) + std::abs(b1 - b2) > 0.1);
    }
  }
}

TEST_CASE("a theme has one name, and a wrong name has no theme") {
  for (const ThemeKind kind : kAll) {
    ThemeKind found{};
    REQUIRE(find_theme(name(kind), found));
    CHECK(found == kind);
  }
  ThemeKind untouched = ThemeKind::light;
  CHECK_FALSE(find_theme("Dark", untouched));
  CHECK(untouched == ThemeKind::light);
}

TEST_CASE("mixing keeps to its ends") {
  const ImU32 a = IM_COL32(10, 200, 30, 255), b = IM_COL32(250, 0, 30, 255);
  CHECK(mix(a, b, 1) == a);
  CHECK(mix(a, b, 0) == b);
  CHECK(mix(a, b, 0.5f) == IM_COL32(130, 100, 30, 255));
  CHECK((with_alpha(a, 0.5f) >> IM_COL32_A_SHIFT) == 128);
}
