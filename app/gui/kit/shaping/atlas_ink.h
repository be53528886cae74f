// Pixels of a text in Dear ImGui's font atlas, beside the glyphs: drawn in the same call as the text around it.
#pragma once

#include <imgui.h>

#include <vector>

#include "engine/figure/painters/pango_text.h"

namespace headlight {

/// Where a line of text goes: its left end on the baseline, turned against the clock around `pivot`.
struct LinePlace {
  ImVec2 baseline;  ///< pixels; whole ones, so that letters are sharp
  ImVec2 pivot = {};
  float degrees = 0;
};

/// Pixels of the screen per pixel of Dear ImGui: more than one where the system counts the window in points.
float pixel_density();

/// Nothing is given back when it is destroyed, since the atlas may be gone by then: whoever forgets one calls release.
class AtlasInk {
 public:
  AtlasInk() = default;
  explicit AtlasInk(const TextPixels& pixels);
  void draw(ImDrawList& list, const LinePlace& place, ImU32 colour) const;
  void release();
  std::size_t pixels() const;  ///< of the atlas, that it takes

 private:
  /// A part, `left` pixels from the left of the ink.
  struct Piece {
    ImFontAtlasRectId rect = ImFontAtlasRectId_Invalid;
    int left = 0, width = 0;
    bool is_tinted = true;
  };
  int left_ = 0, top_ = 0, height_ = 0;  // from the left end of the baseline
  std::vector<Piece> pieces_;
};

}  // namespace headlight
