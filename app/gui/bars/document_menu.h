// The menu of the document: new, open, save; and what concerns the whole window.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

inline constexpr float kDocumentMenu = 32;  ///< width of its button, in points
void draw_document_menu(Panel& panel, float left, float top);

}  // namespace headlight
