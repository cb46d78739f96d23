// How things look: colours of a theme, the type scale, the spacing grid. One colour has one meaning
// on the whole screen; a block's colour is that of the rank it came from, with a letter and, from
// the ninth origin on, a pattern, so that nothing is told by hue alone.
#pragma once

#include <imgui.h>

namespace ringlab::viz {

enum class ThemeKind { dark, light, high_contrast };
inline constexpr int kThemes = 3;

/// "dark", "light", "high-contrast".
const char* name(ThemeKind kind);
bool find_theme(const char* name, ThemeKind& kind);

struct Theme {
  ThemeKind kind;
  ImU32 background;  // of panes
  ImU32 bar;         // top bar and transport
  ImU32 card;        // raised boxes, buttons
  ImU32 card_hover;
  ImU32 line;  // hair lines between things
  ImU32 text, muted, faint;
  ImU32 accent;   // what the person picked, and links in a text
  ImU32 now;      // the playhead and what is being computed at this moment
  ImU32 to_come;  // work or transfer that is still ahead
  ImU32 masked;   // pairs that no query sees
  ImU32 exposed;  // time that a transfer costs
  ImU32 hidden;   // transfer behind computation
  ImU32 mixed;    // a block that comes from several ranks
  ImU32 good, bad;
};

const Theme& theme_of(ThemeKind kind);

/// Text sizes in pixels at scale 1, from ascender to descender: the em is 0.86 of it. All fonts are
/// real outlines, see viz/app/fonts.hpp.
inline constexpr float kSmall = 13, kBody = 15, kHeading = 17, kDisplay = 23, kMono = 14,
                       kMonoSmall = 12;

struct Fonts {
  ImFont* small = nullptr;       // captions, axis labels
  ImFont* body = nullptr;        // running text
  ImFont* strong = nullptr;      // bold, body size
  ImFont* heading = nullptr;     // bold
  ImFont* display = nullptr;     // bold, for the one number of a picture
  ImFont* mono = nullptr;        // formulas and columns of figures
  ImFont* mono_small = nullptr;  // a program's output that would be too wide in it
};

/// Origins that can be told apart.
inline constexpr int kPalette = 64;

enum class Pattern { solid, rising, falling, dots, horizontal, vertical, grid, cross };

/// Okabe and Ito's eight colours in turn; each further eight has the next pattern. From kPalette on
/// it is a neutral colour, for what comes from several origins.
ImU32 origin_colour(const Theme& theme, int origin);
Pattern origin_pattern(int origin);
/// Black or white, whichever can be read on the colour.
ImU32 ink_on(ImU32 colour);
/// `share` of a, the rest of b.
ImU32 mix(ImU32 a, ImU32 b, float share);
ImU32 with_alpha(ImU32 colour, float alpha);

/// The look of Dear ImGui's own widgets. Starts from a fresh style, for scaling twice adds up.
void apply_style(const Theme& theme, float scale);

}  // namespace ringlab::viz
