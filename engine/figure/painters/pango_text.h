// Text with pango: shaped, with fallback fonts, measured and drawn alike.
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <set>
#include <utility>

#include "engine/figure/scene.h"

namespace headlight {

/// Owns its font map, so that the export thread and the window never share one. Thread contract: one thread at a time.
class PangoText {
 public:
  /// Throws Error (limit) if there is too little memory for fonts, or no thread for Pango.
  PangoText();

  /// This and draw throw Error (limit) if too little memory is left for another font.
  float width(const std::string& text, FontFace face, float size);
  /// In the cairo context's own units.
  void draw(cairo_t* cairo, const SceneText& item);

 private:
  struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
  };
  void set(const std::string& text, FontFace face, float size);
  void require_font(const std::string& text, FontFace face, float size);

  std::unique_ptr<PangoFontMap, Unref> fonts_;
  std::unique_ptr<PangoContext, Unref> context_;
  std::unique_ptr<PangoLayout, Unref> layout_;
  std::set<std::pair<FontFace, float>> plain_fonts_;  // those that have set plain ASCII
};

}  // namespace headlight
