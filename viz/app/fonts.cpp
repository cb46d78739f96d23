#include "ringlab/viz/app/fonts.hpp"

#include <imgui_freetype.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::viz {
namespace {

namespace fs = std::filesystem;

// Latin with its extensions, Greek, super- and subscripts, punctuation, letter-like symbols and
// arrows, mathematical operators, technical signs, boxes and shapes.
constexpr std::array<ImWchar, 15> kLatin{0x0020, 0x017f, 0x02b0, 0x02ff, 0x0370,
                                         0x03ff, 0x1d2c, 0x1d6a, 0x2000, 0x22ff,
                                         0x23cf, 0x23fa, 0x25a0, 0x2605, 0};
constexpr std::array<ImWchar, 7> kEthiopic{0x1200, 0x139f, 0x2d80, 0x2ddf, 0xab00, 0xab2f, 0};

fs::path find(const char* file, const std::vector<const char*>& folders) {
  std::vector<fs::path> places;
  if (const char* own = std::getenv("RINGLAB_FONTS")) places.emplace_back(own);
  places.emplace_back(RINGLAB_FONT_FOLDER);
  for (const char* folder : folders) places.emplace_back(folder);
  std::error_code error;
  for (const fs::path& place : places) {
    if (!place.empty() && fs::is_regular_file(place / file, error)) return place / file;
  }
  return {};
}

fs::path must_find(const char* file) {
  const fs::path path =
      find(file, {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts",
                  "/usr/share/fonts/dejavu-sans-mono-fonts", "/usr/share/fonts/TTF",
                  "/usr/share/fonts/dejavu", "/usr/local/share/fonts"});
  if (path.empty()) {
    throw RunError("fonts: " + std::string(file) +
                   " is nowhere: install fonts-dejavu-core, or name its folder in RINGLAB_FONTS");
  }
  return path;
}

ImFont* add(const fs::path& file, const fs::path& ethiopic, float pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = true;
  ImFont* font = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kLatin.data());
  if (font != nullptr && !ethiopic.empty()) {
    config.MergeMode = true;
    // Beside DejaVu's wide letters Ethiopic of the same size looks small.
    atlas.AddFontFromFileTTF(ethiopic.c_str(), std::round(pixels * 1.1f), &config,
                             kEthiopic.data());
  }
  if (font == nullptr) throw RunError("fonts: " + file.string() + " cannot be read as a font");
  return font;
}

}  // namespace

FontFiles find_fonts() {
  FontFiles files{must_find("DejaVuSans.ttf"),
                  must_find("DejaVuSans-Bold.ttf"),
                  must_find("DejaVuSansMono.ttf"),
                  {}};
  files.ethiopic = find("AbyssinicaSIL-Regular.ttf", {"/usr/share/fonts/truetype/abyssinica",
                                                      "/usr/share/fonts/sil-abyssinica-fonts"});
  if (files.ethiopic.empty()) {
    files.ethiopic = find("NotoSansEthiopic-Regular.ttf", {"/usr/share/fonts/truetype/noto"});
  }
  return files;
}

Fonts load_fonts(const FontFiles& files, float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.TexDesiredWidth = scale > 1.6f ? 4096 : 2048;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  const auto size = [&](float pixels) { return std::round(pixels * scale); };
  Fonts fonts;
  fonts.body = add(files.sans, files.ethiopic, size(kBody));
  fonts.small = add(files.sans, files.ethiopic, size(kSmall));
  fonts.strong = add(files.bold, files.ethiopic, size(kBody));
  fonts.heading = add(files.bold, files.ethiopic, size(kHeading));
  fonts.display = add(files.bold, {}, size(kDisplay));
  fonts.mono = add(files.mono, {}, size(kMono));
  fonts.mono_small = add(files.mono, {}, size(kMonoSmall));
  if (!atlas.Build())
    throw RunError("fonts: the glyphs do not fit into one texture; lower the scale");
  return fonts;
}

}  // namespace ringlab::viz
