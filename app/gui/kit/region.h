// Regions: the parts that the window is divided into, each a window of Dear ImGui without a frame.
#pragma once

#include "app/gui/kit/widgets.h"

namespace headlight {

/// A panel's own region of the window. `fill` alpha 0: the ground shows through.
bool begin_region(const Look& look, const char* name, const Box& box, Colour fill, ImVec2 padding,
                  ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
void end_region();

/// A region that lies over the others, and under popups. end_region after it.
void begin_overlay(const char* name, const Box& box, ImGuiWindowFlags flags = ImGuiWindowFlags_None);

/// A region whose content scrolls. The bar lies in the right margin: the column edge stays, whether there is a bar or not.
void begin_scrolling_region(const Look& look, const char* name, const Box& box, Colour fill);
void end_scrolling_region();
/// The same inside a region or a dialog: a column whose bar lies right of the box. ImGui::EndChild after it.
void begin_scrolling_column(const Look& look, const char* name, const Box& box, Colour fill);

}  // namespace headlight
