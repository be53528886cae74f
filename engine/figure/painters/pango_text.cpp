#include "engine/figure/painters/pango_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numbers>
#include <tuple>

#include "engine/core/memory_limit.h"
#include "engine/core/memory_reserve.h"
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

// GLib ends the program where an allocation fails or a thread cannot be started, and fontconfig and Pango do both without asking. So we ask
// first.
constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
// Measured with 93 fonts installed: 26 MiB for the first text, of which 16 are stacks, and 20 MiB more for text in four other scripts.
constexpr std::size_t kToBegin = 48 * kMebibyte;
constexpr std::size_t kForAText = 40 * kMebibyte;  // two stacks, and a font mapped whole: large ones have 20 MiB
constexpr int kThreadsOfPango = 2;                 // to match and to sort fonts, for each kind of text

constexpr const char* kNoMemory = "too little free memory for its text";
constexpr const char* kWithoutFonts =
    "Raise the limit (ulimit -v) or close other programs. Files of numbers (.csv, .npy, .json) need no fonts.";

void require_to_begin() {
  require_memory(kToBegin, allowed_memory(), {.field = "figure", .problem = kNoMemory, .found = "for the fonts", .hint = kWithoutFonts});
  require_threads(kThreadsOfPango);
}

}  // namespace

PangoText::PangoText()
    : fonts_((require_to_begin(), pango_cairo_font_map_new())),
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

/// Checks, before a text, that there is memory if Pango takes another font for it. Plain text keeps its font.
void PangoText::require_font(const std::string& text, FontFace face, float size) {
  if (!is_memory_left(kForAText)) {
    throw Error({.kind = ErrorKind::limit,
                 .field = "figure",
                 .problem = kNoMemory,
                 .found = "less than " + memory_text(kForAText),
                 .expected = "as much for another font",
                 .hint = kWithoutFonts});
  }
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char letter) { return letter >= ' ' && letter <= '~'; });
  if (is_plain && plain_fonts_.contains({face, size})) return;
  require_threads(kThreadsOfPango);
  if (is_plain) plain_fonts_.emplace(face, size);
}

void PangoText::set(const std::string& text, FontFace face, float size) {
  require_font(text, face, size);
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
