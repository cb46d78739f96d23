#include "ringlab/viz/panels/style.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace ringlab::viz {
namespace {

constexpr ImU32 rgb(unsigned hex) {
  return IM_COL32((hex >> 16) & 255u, (hex >> 8) & 255u, hex & 255u, 255u);
}

constexpr Theme kDark{.kind = ThemeKind::dark,
                      .background = rgb(0x14161b),
                      .bar = rgb(0x1b1e25),
                      .card = rgb(0x222731),
                      .card_hover = rgb(0x2e3542),
                      .line = rgb(0x2d323d),
                      .text = rgb(0xe9ecf2),
                      .muted = rgb(0xa3abba),
                      .faint = rgb(0x737c8c),
                      .accent = rgb(0x7cc4ff),
                      .now = rgb(0xffffff),
                      .to_come = rgb(0x2a303b),
                      .masked = rgb(0x1a1d23),
                      .exposed = rgb(0xff6b57),
                      .hidden = rgb(0x6d7686),
                      .mixed = rgb(0xc9ced8),
                      .good = rgb(0x3fc79a),
                      .bad = rgb(0xff6b57)};

constexpr Theme kLight{.kind = ThemeKind::light,
                       .background = rgb(0xfbfbfd),
                       .bar = rgb(0xf1f3f6),
                       .card = rgb(0xe9ecf1),
                       .card_hover = rgb(0xdde2ea),
                       .line = rgb(0xd5dae2),
                       .text = rgb(0x171a20),
                       .muted = rgb(0x4d5664),
                       .faint = rgb(0x6f7988),
                       .accent = rgb(0x0a62b0),
                       .now = rgb(0x11141a),
                       .to_come = rgb(0xe2e6ec),
                       .masked = rgb(0xf3f5f8),
                       .exposed = rgb(0xc23a22),
                       .hidden = rgb(0xa2abb9),
                       .mixed = rgb(0x7d8796),
                       .good = rgb(0x00795a),
                       .bad = rgb(0xc23a22)};

constexpr Theme kHighContrast{.kind = ThemeKind::high_contrast,
                              .background = rgb(0x000000),
                              .bar = rgb(0x000000),
                              .card = rgb(0x1c1c1c),
                              .card_hover = rgb(0x3a3a3a),
                              .line = rgb(0x8c8c8c),
                              .text = rgb(0xffffff),
                              .muted = rgb(0xe4e4e4),
                              .faint = rgb(0xc0c0c0),
                              .accent = rgb(0x66d9ff),
                              .now = rgb(0xffffff),
                              .to_come = rgb(0x333333),
                              .masked = rgb(0x0a0a0a),
                              .exposed = rgb(0xff5a45),
                              .hidden = rgb(0xb0b0b0),
                              .mixed = rgb(0xe0e0e0),
                              .good = rgb(0x3dffb0),
                              .bad = rgb(0xff5a45)};

constexpr std::array<const char*, kThemes> kNames{"dark", "light", "high-contrast"};

// Okabe and Ito, in an order in which neighbours on the ring differ most. Grey stands for their
// black.
constexpr std::array<ImU32, 8> kOrigins{rgb(0x56b4e9), rgb(0xe69f00), rgb(0x009e73), rgb(0xf0e442),
                                        rgb(0x0072b2), rgb(0xd55e00), rgb(0xcc79a7), rgb(0xa0a8b8)};
// On white, yellow needs more body.
constexpr ImU32 kYellowOnWhite = rgb(0xdccb14);

ImVec4 vec(ImU32 colour) {
  return ImGui::ColorConvertU32ToFloat4(colour);
}

float channel(ImU32 colour, int shift) {
  const float c = static_cast<float>((colour >> shift) & 255u) / 255.0f;
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

}  // namespace

const char* name(ThemeKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

bool find_theme(const char* text, ThemeKind& kind) {
  for (int i = 0; i < kThemes; ++i) {
    if (std::strcmp(text, kNames[static_cast<std::size_t>(i)]) != 0) continue;
    kind = static_cast<ThemeKind>(i);
    return true;
  }
  return false;
}

const Theme& theme_of(ThemeKind kind) {
  return kind == ThemeKind::light ? kLight : kind == ThemeKind::dark ? kDark : kHighContrast;
}

ImU32 origin_colour(const Theme& theme, int origin) {
  if (origin < 0 || origin >= kPalette) return theme.mixed;
  const int hue = origin % 8;
  if (hue == 3 && theme.kind == ThemeKind::light) return kYellowOnWhite;
  return kOrigins[static_cast<std::size_t>(hue)];
}

Pattern origin_pattern(int origin) {
  return origin < 0 || origin >= kPalette ? Pattern::solid : static_cast<Pattern>(origin / 8);
}

ImU32 ink_on(ImU32 colour) {
  // WCAG's relative luminance; 0.179 is where black and white read equally well.
  const float luminance = 0.2126f * channel(colour, IM_COL32_R_SHIFT) +
                          0.7152f * channel(colour, IM_COL32_G_SHIFT) +
                          0.0722f * channel(colour, IM_COL32_B_SHIFT);
  return luminance > 0.179f ? rgb(0x10131a) : rgb(0xffffff);
}

ImU32 mix(ImU32 a, ImU32 b, float share) {
  const auto one = [&](int shift) {
    const float from = static_cast<float>((b >> shift) & 255u);
    const float to = static_cast<float>((a >> shift) & 255u);
    return static_cast<ImU32>(std::lround(from + (to - from) * share)) << shift;
  };
  return one(0) | one(8) | one(16) | one(24);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  return (colour & ~IM_COL32_A_MASK) |
         (static_cast<ImU32>(std::lround(255.0f * alpha)) << IM_COL32_A_SHIFT);
}

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {0, 0};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {8, 4};
  style.WindowRounding = style.PopupRounding = 8;
  style.ChildRounding = 0;
  style.FrameRounding = style.GrabRounding = style.TabRounding = 5;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 10;
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.GrabMinSize = 12;
  style.AntiAliasedLinesUseTex = false;  // bends thin arcs
  if (theme.kind == ThemeKind::high_contrast) style.FrameBorderSize = 1;
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec(theme.text);
  c[ImGuiCol_TextDisabled] = vec(theme.faint);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_ChildBg] = vec(theme.background);
  c[ImGuiCol_ChildBg].w = 0;
  c[ImGuiCol_PopupBg] = vec(theme.bar);
  c[ImGuiCol_Border] = vec(theme.line);
  c[ImGuiCol_BorderShadow] = {0, 0, 0, 0};
  c[ImGuiCol_FrameBg] = c[ImGuiCol_Button] = c[ImGuiCol_Header] = c[ImGuiCol_Tab] = vec(theme.card);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_HeaderHovered] =
      c[ImGuiCol_TabHovered] = vec(theme.card_hover);
  c[ImGuiCol_FrameBgActive] = c[ImGuiCol_ButtonActive] = c[ImGuiCol_HeaderActive] =
      vec(mix(theme.accent, theme.card, 0.35f));
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = vec(theme.accent);
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = vec(theme.line);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(theme.faint);
  c[ImGuiCol_Separator] = vec(theme.line);
  c[ImGuiCol_TextSelectedBg] = vec(with_alpha(theme.accent, 0.35f));
  c[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.5f};
  c[ImGuiCol_TableHeaderBg] = vec(theme.background);
  c[ImGuiCol_NavHighlight] = vec(theme.accent);
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
}

}  // namespace ringlab::viz
