#include "engine/figure/painters/pango_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "engine/core/memory_limit.h"
#include "engine/core/memory_reserve.h"
#include "engine/core/parallel.h"
#include "engine/figure/painters/painters.h"

namespace headlight {
namespace {

struct Free {
  void operator()(PangoFontDescription* description) const { pango_font_description_free(description); }
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

// The faces that suit Inter in height and weight, before those that only have the characters; fonts-noto-ui-core contains them. Hebrew is
// DejaVu's.
constexpr const char* kOtherScripts =
    ", Noto Sans Arabic UI, Noto Sans Devanagari UI, Noto Sans Thai UI, Noto Sans Bengali UI, Noto Sans Gujarati UI, Noto Sans Gurmukhi "
    "UI, "
    "Noto Sans Kannada UI, Noto Sans Khmer UI, Noto Sans Lao UI, Noto Sans Malayalam UI, Noto Sans Myanmar UI, Noto Sans Oriya UI, "
    "Noto Sans Sinhala UI, Noto Sans Tamil UI, Noto Sans Telugu UI";

/// `family`: before the program's own; numbers in columns stay in theirs.
std::unique_ptr<PangoFontDescription, Free> describe(const std::string& family, FontFace face, float size) {
  std::unique_ptr<PangoFontDescription, Free> description(pango_font_description_new());
  const std::string first = family.empty() || face == FontFace::mono ? std::string() : family + ", ";
  pango_font_description_set_family(description.get(),
                                    (first + (face == FontFace::mono ? "JetBrains Mono" : "Inter") + kOtherScripts +
                                     (face == FontFace::mono ? ", DejaVu Sans Mono, monospace" : ", DejaVu Sans, sans-serif"))
                                        .c_str());
  if (face == FontFace::ui_bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_SEMIBOLD);
  pango_font_description_set_absolute_size(description.get(), static_cast<double>(size) * PANGO_SCALE);
  return description;
}

void set(PangoLayout& layout, const std::string& text, const PangoFontDescription& font) {
  pango_layout_set_font_description(&layout, &font);
  pango_layout_set_text(&layout, text.data(), static_cast<int>(text.size()));
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

PangoText::PangoText(std::string family)
    : family_(std::move(family)),
      fonts_((require_to_begin(), pango_cairo_font_map_new())),
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

/// Checks, before a text, that there is memory, and threads if Pango takes other fonts for it: it looks for fonts once for each script.
void PangoText::require_font(const std::string& text, FontFace face, float size) {
  if (!is_memory_left(kForAText)) {
    throw Error({.kind = ErrorKind::limit,
                 .field = "figure",
                 .problem = kNoMemory,
                 .found = "less than " + memory_text(kForAText),
                 .expected = "as much for another font",
                 .hint = kWithoutFonts});
  }
  std::set<int> scripts;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end; at = g_utf8_next_char(at)) {
    const bool is_plain = *at >= ' ' && *at <= '~';
    scripts.insert(is_plain ? G_UNICODE_SCRIPT_LATIN : g_unichar_get_script(g_utf8_get_char(at)));
  }
  for (const int script : scripts) {
    if (known_fonts_.contains({face, size, script})) continue;
    require_threads(kThreadsOfPango);
    known_fonts_.emplace(face, size, script);
  }
}

void PangoText::set(const std::string& text, FontFace face, float size) {
  require_font(text, face, size);
  headlight::set(*layout_, text, *describe(family_, face, size));
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

PangoLayout* PangoText::layout(const std::string& text, FontFace face, float size) {
  require_font(text, face, size);
  PangoLayout* const layout = pango_layout_new(context_.get());
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  headlight::set(*layout, text, *describe(family_, face, size));
  return layout;
}

namespace {

/// The line in one colour on an empty ground.
std::vector<std::uint32_t> painted(PangoLayout& layout, const PangoRectangle& ink, double shade) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(ink.width) * static_cast<std::size_t>(ink.height));
  const std::unique_ptr<cairo_surface_t, Free> surface(cairo_image_surface_create_for_data(
      reinterpret_cast<unsigned char*>(words.data()), CAIRO_FORMAT_ARGB32, ink.width, ink.height, ink.width * 4));
  const std::unique_ptr<cairo_t, Free> cairo(cairo_create(surface.get()));
  cairo_set_source_rgb(cairo.get(), shade, shade, shade);
  cairo_move_to(cairo.get(), -ink.x, -ink.y);
  pango_cairo_show_layout_line(cairo.get(), pango_layout_get_line_readonly(&layout, 0));
  cairo_surface_finish(surface.get());
  return words;
}

std::uint8_t part_of(std::uint32_t word, unsigned int shift) {
  return static_cast<std::uint8_t>(word >> shift);
}

/// Four bytes of a pixel whose colours are multiplied by its opacity, divided again.
std::array<std::uint8_t, 4> divided(std::uint32_t word, unsigned int opacity) {
  if (opacity == 0) return {};
  const auto part = [&](unsigned int shift) {
    return static_cast<std::uint8_t>(std::min(255U, (part_of(word, shift) * 255U + opacity / 2) / opacity));
  };
  return {part(16), part(8), part(0), static_cast<std::uint8_t>(opacity)};
}

}  // namespace

// Painted in white and in black, letters differ by their coverage, and what has colours of its own does not differ at all.
TextPixels pixels_of(PangoLayout& layout, int left, int width) {
  constexpr int kLargestSide = 32767;  // of an image in cairo
  PangoRectangle ink = {};
  pango_layout_line_get_pixel_extents(pango_layout_get_line_readonly(&layout, 0), &ink, nullptr);
  if (ink.width <= 0 || ink.height <= 0) return {};
  ink = {ink.x - 1, ink.y - 1, ink.width + 2, ink.height + 2};  // an empty edge, so that a turned text has no hard one
  const int right = std::min(ink.x + ink.width, left + width);
  ink.x = std::max(ink.x, left);
  ink.width = right - ink.x;
  if (ink.width <= 0 || ink.width > kLargestSide || ink.height > kLargestSide) return {};
  TextPixels result{ink.x, ink.y, ink.width, ink.height, {}, {}};
  const std::vector<std::uint32_t> white = painted(layout, ink, 1);
  const bool has_colours =
      std::any_of(white.begin(), white.end(), [](std::uint32_t word) { return word != part_of(word, 24) * 0x01010101U; });
  const std::vector<std::uint32_t> black = has_colours ? painted(layout, ink, 0) : std::vector<std::uint32_t>();
  result.coverage.reserve(white.size());
  for (std::size_t i = 0; i < white.size(); ++i) {
    const int coverage = has_colours ? std::max(0, part_of(white[i], 8) - part_of(black[i], 8)) : part_of(white[i], 24);
    result.coverage.push_back(static_cast<std::uint8_t>(coverage));
    if (!has_colours) continue;
    const auto pixel = divided(black[i], static_cast<unsigned int>(std::max(0, part_of(black[i], 24) - coverage)));
    result.colours.insert(result.colours.end(), pixel.begin(), pixel.end());
  }
  return result;
}

TextPixels PangoText::pixels(const std::string& text, FontFace face, float size) {
  constexpr int kAnywhere = 1 << 20;  // pixels to the left and to the right
  set(text, face, size);
  return pixels_of(*layout_, -kAnywhere, 2 * kAnywhere);
}

MeasureText pango_measure(const std::string& family) {
  using Key = std::tuple<std::string, FontFace, float>;
  return [pango = std::make_shared<PangoText>(family), widths = std::make_shared<std::map<Key, float>>()](const std::string& text,
                                                                                                          FontFace face, float size) {
    const auto [entry, is_new] = widths->try_emplace(Key{text, face, size}, 0.0F);
    if (is_new) entry->second = pango->width(text, face, size);
    return entry->second;
  };
}

}  // namespace headlight
