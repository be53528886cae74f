// The faces of the window, found on this machine at run time; glyphs are made on demand at any size (Dear ImGui 1.92).
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

struct Fonts {
  ImFont* ui = nullptr;  ///< Inter, with DejaVu, CJK and emoji merged behind it
  ImFont* ui_bold = nullptr;
  ImFont* mono = nullptr;            ///< JetBrains Mono, same fallbacks
  float scale = 1;                   ///< pixels per point
  std::vector<std::string> missing;  ///< packages whose face was not found
  ImFont* of(FontFace face) const;
};

/// Registers the faces with the current ImGui context.
Fonts load_fonts(float scale);

}  // namespace headlight
