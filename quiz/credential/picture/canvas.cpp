#include "ringlab/quiz/credential/picture/canvas.hpp"

#include <cairo-svg.h>
#include <pango/pangocairo.h>
#include <qrencode.h>

#include <memory>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz::detail {
namespace {

constexpr const char* kFamilies = "EB Garamond, Abyssinica SIL, Noto Serif Ethiopic, DejaVu Serif";
constexpr const char* kMonospace = "DejaVu Sans Mono, monospace";
constexpr int kQrMargin = 2;  // modules; the paper around is light as well

template <class T, void (*Free)(T*)>
struct Deleter {
  void operator()(T* one) const { Free(one); }
};
using Surface = std::unique_ptr<cairo_surface_t, Deleter<cairo_surface_t, cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Deleter<cairo_t, cairo_destroy>>;
struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
using Layout = std::unique_ptr<PangoLayout, Unref>;

cairo_status_t append(void* out, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

// Ethiopic letters are U+1200 to U+139F: in UTF-8 E1 88 80 to E1 8E 9F.
bool has_ethiopic(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const unsigned char next = static_cast<unsigned char>(text[i + 1]);
    if (lead == 0xe1 && next >= 0x88 && next <= 0x8e) return true;
  }
  return false;
}

Layout layout_of(cairo_t* cr, const std::string& text, const TextStyle& style, double size) {
  Layout layout(pango_cairo_create_layout(cr));
  PangoContext* context = pango_layout_get_context(layout.get());
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
  pango_cairo_context_set_resolution(context, 72);  // so that a point is a unit
  pango_layout_context_changed(layout.get());

  PangoFontDescription* font = pango_font_description_new();
  pango_font_description_set_family(font, style.monospace ? kMonospace : kFamilies);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  // Ethiopic has no italic; a slanted one is a mistake of the machine.
  if (style.italic && !has_ethiopic(text))
    pango_font_description_set_style(font, PANGO_STYLE_ITALIC);
  if (style.bold) pango_font_description_set_weight(font, PANGO_WEIGHT_MEDIUM);
  pango_layout_set_font_description(layout.get(), font);
  pango_font_description_free(font);
  PangoAttrList* attributes = pango_attr_list_new();
  // Figures as tall as capitals: an old-style 1 reads like an I.
  pango_attr_list_insert(attributes, pango_attr_font_features_new("lnum=1"));
  if (style.spacing > 0) {
    pango_attr_list_insert(
        attributes, pango_attr_letter_spacing_new(static_cast<int>(style.spacing * PANGO_SCALE)));
  }
  pango_layout_set_attributes(layout.get(), attributes);
  pango_attr_list_unref(attributes);
  if (style.wrap > 0) {
    pango_layout_set_width(layout.get(), static_cast<int>(style.wrap * PANGO_SCALE));
    pango_layout_set_alignment(layout.get(), style.align < 0   ? PANGO_ALIGN_LEFT
                                             : style.align > 0 ? PANGO_ALIGN_RIGHT
                                                               : PANGO_ALIGN_CENTER);
  }
  pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
  return layout;
}

double width_of(PangoLayout* layout) {
  PangoRectangle logical;
  pango_layout_get_extents(layout, nullptr, &logical);
  return static_cast<double>(logical.width) / PANGO_SCALE;
}

}  // namespace

void set_ink(cairo_t* cr, const Ink& ink) {
  cairo_set_source_rgba(cr, ink.red, ink.green, ink.blue, ink.alpha);
}

double draw_text(cairo_t* cr, const std::string& text, double x, double y, const TextStyle& style) {
  double size = style.size;
  Layout layout = layout_of(cr, text, style, size);
  while (style.wrap == 0 && width_of(layout.get()) > style.widest && size > 1) {
    size *= 0.97;
    layout = layout_of(cr, text, style, size);
  }
  if (pango_layout_get_unknown_glyphs_count(layout.get()) > 0) {
    throw InputError("name", text,
                     "no installed font has all of its characters; for Ethiopic install "
                     "fonts-sil-abyssinica, else fonts-noto-core");
  }
  const double width = style.wrap > 0 ? style.wrap : width_of(layout.get());
  const double left = style.align < 0 ? x : style.align > 0 ? x - width : x - width / 2;
  set_ink(cr, style.ink);
  const double baseline =
      static_cast<double>(pango_layout_get_baseline(layout.get())) / PANGO_SCALE;
  cairo_move_to(cr, left, y - baseline);
  pango_cairo_show_layout(cr, layout.get());
  return width;
}

void draw_qr(cairo_t* cr, const std::string& text, double x, double y, double size) {
  QRcode* code = QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M);
  RINGLAB_ENSURE(code != nullptr, "a text that a QR code holds");
  const double module = size / (code->width + 2 * kQrMargin);
  set_ink(cr, kNavy);
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
  for (int row = 0; row < code->width; ++row) {
    for (int column = 0; column < code->width; ++column) {
      if ((code->data[row * code->width + column] & 1) == 0) continue;
      cairo_rectangle(cr, x + (column + kQrMargin) * module, y + (row + kQrMargin) * module, module,
                      module);
    }
  }
  cairo_fill(cr);
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_DEFAULT);
  QRcode_free(code);
}

std::string to_svg(const std::function<void(cairo_t*)>& draw) {
  std::string out;
  {
    const Surface surface(cairo_svg_surface_create_for_stream(append, &out, kWidth, kHeight));
    const Context context(cairo_create(surface.get()));
    draw(context.get());
    cairo_surface_finish(surface.get());
    RINGLAB_ENSURE(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS, "an SVG is made");
  }
  return out;
}

std::string to_png(const std::function<void(cairo_t*)>& draw, double scale) {
  std::string out;
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                   static_cast<int>(kWidth * scale + 0.5),
                                                   static_cast<int>(kHeight * scale + 0.5)));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  draw(context.get());
  RINGLAB_ENSURE(
      cairo_surface_write_to_png_stream(surface.get(), append, &out) == CAIRO_STATUS_SUCCESS,
      "a PNG is made");
  return out;
}

std::string composed(const std::string& text, const std::string& field) {
  gchar* normal =
      g_utf8_normalize(text.data(), static_cast<gssize>(text.size()), G_NORMALIZE_DEFAULT_COMPOSE);
  if (normal == nullptr) throw InputError(field, "not UTF-8", "give it in UTF-8");
  const std::string out = normal;
  g_free(normal);
  return out;
}

}  // namespace ringlab::quiz::detail
