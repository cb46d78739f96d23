// Real outline fonts, found where the system keeps them: DejaVu for Latin and mathematics, with
// Ethiopic glyphs merged in from Abyssinica. Never the library's built-in bitmap font.
#pragma once

#include <filesystem>
#include <string>

#include "ringlab/viz/panels/style.hpp"

namespace ringlab::viz {

struct FontFiles {
  std::filesystem::path sans, bold, mono;
  std::filesystem::path ethiopic;  // empty where not installed: Amharic then has no glyphs
};

/// Looks in $RINGLAB_FONTS, where the build found them, and in the usual folders. Throws RunError
/// with the package to install if a Latin font is missing.
FontFiles find_fonts();

/// Fills the current context's atlas for one scale; what was there before is dropped. The texture
/// has to be made anew afterwards.
Fonts load_fonts(const FontFiles& files, float scale);

}  // namespace ringlab::viz
