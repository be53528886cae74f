#include "engine/figure/painters/pango_text.h"

#include <map>
#include <numbers>
#include <tuple>

#include "engine/core/parallel.h"
#include "engine/figure/painters/painters.h"

namespace headlight {
namespace {

struct Free {
  void operator()(PangoFontDescription* description) const { pango_font_description_free(description); }
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};

std::unique_ptr<PangoFontDescription, Free> describe(FontFace face, float size) {
  std::unique_ptr<PangoFontDescription, Free> description(pango_font_description_new());
  pango_font_description_set_family(
      description.get(), face == FontFace::mono ? "JetBrains Mono, DejaVu Sans Mono, monospace" : "Inter, DejaVu Sans, sans-serif");
  if (face == FontFace::ui_bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_SEMIBOLD);
  pango_font_description_set_absolute_size(description.get(), static_cast<double>(size) * PANGO_SCALE);
  return description;
}

// Pango reads the fonts' configuration in a thread of its own, and GLib ends the program where that thread cannot be started.
constexpr int kThreadsOfPango = 2;

}  // namespace

PangoText::PangoText()
    : fonts_((require_threads(kThreadsOfPango), pango_cairo_font_map_new())),
      context_(pango_font_map_create_context(fonts_.get())),
      layout_((pango_context_set_round_glyph_positions(context_.get(), FALSE), pango_layout_new(context_.get()))) {
  // The same widths at every resolution: what fits on the screen fits in the file.
  const std::unique_ptr<cairo_font_options_t, Free> options(cairo_font_options_create());
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context_.get(), options.get());
  pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
}

void PangoText::set(const std::string& text, FontFace face, float size) {
  pango_layout_set_font_description(layout_.get(), describe(face, size).get());
  pango_layout_set_text(layout_.get(), text.data(), static_cast<int>(text.size()));
}

float PangoText::width(const std::string& text, FontFace face, float size) {
  set(text, face, size);
  int width = 0;
  pango_layout_get_size(layout_.get(), &width, nullptr);
  return static_cast<float>(pango_units_to_double(width));
}

void PangoText::draw(cairo_t* cairo, const SceneText& item) {
  const float length = width(item.text, item.face, item.size);
  const float left = item.align_x == AlignX::left ? 0 : item.align_x == AlignX::centre ? -length / 2 : -length;
  cairo_save(cairo);
  cairo_translate(cairo, item.at.x, item.at.y);
  if (item.degrees != 0) cairo_rotate(cairo, -item.degrees * std::numbers::pi / 180);
  cairo_move_to(cairo, left, baseline_below(item.align_y, item.size));
  pango_cairo_show_layout_line(cairo, pango_layout_get_line_readonly(layout_.get(), 0));
  cairo_restore(cairo);
}

MeasureText pango_measure() {
  using Key = std::tuple<std::string, FontFace, float>;
  return [pango = std::make_shared<PangoText>(), widths = std::make_shared<std::map<Key, float>>()](const std::string& text, FontFace face,
                                                                                                    float size) {
    const auto [entry, is_new] = widths->try_emplace(Key{text, face, size}, 0.0F);
    if (is_new) entry->second = pango->width(text, face, size);
    return entry->second;
  };
}

}  // namespace headlight
