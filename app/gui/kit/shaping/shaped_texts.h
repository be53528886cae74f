// Texts that Dear ImGui draws wrong (scripts.h), shaped and ordered by pango: the same letters in the same places as in files.
//
// Each is painted once and lies in Dear ImGui's font atlas beside the glyphs, so that it is drawn in the same call as the text around it, and
// needs no texture of its own. Letters are white, to be tinted by the colour of the vertices; emoji keep their colours. What has not been
// shown for a while is forgotten. Widths are those of what is drawn.
#pragma once

#include <imgui.h>

#include <memory>
#include <string_view>

#include "app/gui/kit/shaping/atlas_ink.h"
#include "app/gui/kit/shaping/text_line.h"

namespace headlight {

class ShapedTexts {
 public:
  ShapedTexts();
  ~ShapedTexts();
  ShapedTexts(const ShapedTexts&) = delete;
  ShapedTexts& operator=(const ShapedTexts&) = delete;

  /// Sizes and widths are pixels. Nothing is thrown: without the memory that pango asks for, the width is negative and draw draws nothing.
  float width(std::string_view text, FontFace face, float size);
  /// Length in bytes of the longest prefix of whole characters that is at most `width` wide.
  std::size_t fitting_bytes(std::string_view text, FontFace face, float size, float width);
  /// False: it could not be shaped.
  bool draw(ImDrawList& list, std::string_view text, FontFace face, float size, const LinePlace& place, ImU32 colour);

  /// A line to be typed into; `font` sets it where it needs no shaping, is too long to be shaped with every key, or cannot be. The last few
  /// are kept: ask again every frame.
  TextLine& line(std::string_view text, FontFace face, ImFont& font, float size);

  /// Drops the lines to be typed into that this font set: it is about to leave the memory.
  void forget(const ImFont& font);

  std::size_t texts() const;   ///< how many are kept
  std::size_t pixels() const;  ///< of the atlas, that they take

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
