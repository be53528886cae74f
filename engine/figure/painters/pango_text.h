// Text with pango: shaped, with fallback fonts, measured and drawn alike.
#pragma once

#include <pango/pangocairo.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

/// A line of text as pixels. Letters are coverage, to be tinted; what has colours of its own, as emoji have, is apart.
struct TextPixels {
  int left = 0, top = 0;  ///< of the first pixel, from the line's left end and from its baseline
  int width = 0, height = 0;
  std::vector<std::uint8_t> coverage;  ///< a byte a pixel
  std::vector<std::uint8_t> colours;   ///< four bytes a pixel: red, green, blue and opacity; empty where there are none
};

/// The columns from `left` on, at most `width` of them, of a layout's first line.
TextPixels pixels_of(PangoLayout& layout, int left, int width);

/// Owns its font map, so that the export thread and the window never share one. Thread contract: one thread at a time.
class PangoText {
 public:
  /// `family`: of fonts, before those of the program. Throws Error (limit) if there is too little memory for fonts, or no thread for Pango.
  explicit PangoText(std::string family = {});

  /// This and draw throw Error (limit) if too little memory is left for another font.
  float width(const std::string& text, FontFace face, float size);
  /// In the cairo context's own units.
  void draw(cairo_t* cairo, const SceneText& item);
  /// `size` in pixels; the same letters in the same order as draw. Without pixels where the text has no ink or is longer than an image can be.
  TextPixels pixels(const std::string& text, FontFace face, float size);
  /// A line of its own, for carets and selections: g_object_unref it.
  PangoLayout* layout(const std::string& text, FontFace face, float size);

 private:
  struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
  };
  void set(const std::string& text, FontFace face, float size);
  void require_font(const std::string& text, FontFace face, float size);

  std::string family_;
  std::unique_ptr<PangoFontMap, Unref> fonts_;
  std::unique_ptr<PangoContext, Unref> context_;
  std::unique_ptr<PangoLayout, Unref> layout_;
  std::set<std::tuple<FontFace, float, int>> known_fonts_;  // by the script that they have set
};

}  // namespace headlight
