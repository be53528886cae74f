// The faces of the window, found on this machine at run time; glyphs are made on demand at any size (Dear ImGui 1.92).
//
// A size is the em in pixels, as in figures and files: PushFont(fonts.ui, 14 * fonts.scale) is 14 points. (Dear ImGui takes it for
// ascent plus descent, which makes text a sixth smaller.) Capitals are centred in their line.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/kit/shaping/corner_ink.h"
#include "app/gui/kit/shaping/shaped_texts.h"
#include "engine/figure/painters/installed_fonts.h"
#include "engine/figure/scene.h"

namespace headlight {

struct Fonts {
  ImFont* ui = nullptr;  ///< Inter, with DejaVu, CJK and emoji merged behind it
  ImFont* ui_bold = nullptr;
  ImFont* mono = nullptr;                                                 ///< JetBrains Mono, same fallbacks
  std::shared_ptr<ShapedTexts> shaped = std::make_shared<ShapedTexts>();  ///< texts in scripts that the three cannot set
  std::shared_ptr<CornerInk> corners = std::make_shared<CornerInk>();     ///< of boxes, in the same atlas
  float scale = 1;                                                        ///< pixels per point; may change between frames
  float share = 1;  ///< of the size of `ui` and `ui_bold`: less than 1 for a family with wider letters than Inter's, so that as much fits
  std::vector<std::string> missing;  ///< packages whose face was not found
  ImFont* of(FontFace face) const;
};

/// Where this system keeps its fonts, the user's own folder included.
std::vector<std::filesystem::path> font_folders();

/// Registers the faces with the current ImGui context. Falls back to Dear ImGui's built-in face if none is found.
Fonts load_fonts(float scale, const std::vector<std::filesystem::path>& folders = font_folders());

/// The same with another family in place of Inter, for the words of the window; figures keep `fonts`, so that they are those of their
/// files. `fonts` as they are where the family's files cannot be read.
Fonts with_family(const Fonts& fonts, const FontFamily& family, const std::vector<std::filesystem::path>& folders = font_folders());

/// Takes the faces of `former` that `fonts` does not have out of memory. Call it between two frames; nothing may draw with `former` after it.
void release_family(const Fonts& fonts, const Fonts& former);

}  // namespace headlight
