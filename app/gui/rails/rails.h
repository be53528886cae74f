// The rails: the left one edits, the right one inspects.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the left rail is, between one frame and the next.
struct LeftRail {
  std::vector<std::string> sections_below;  ///< whose titles the last frame had no room for
  std::string wanted_section;               ///< one that the rail should scroll to; empty: none
};
void draw_left_rail(Panel& panel, const Box& box, LeftRail& rail);  ///< the panels from here to draw_edits_panel, one below the other
void draw_heads_panel(Panel& panel);
/// Replaces the editing panels if there is nothing to edit.
void draw_dump_panel(Panel& panel);
void draw_sandbox_panel(Panel& panel);
void draw_mask_panel(Panel& panel);
void draw_score_panel(Panel& panel);
void draw_block_panel(Panel& panel);
void draw_display_panel(Panel& panel);
void draw_training_panel(Panel& panel);
void draw_edits_panel(Panel& panel);
void draw_inspector(Panel& panel, const Box& box, bool is_folded);

}  // namespace headlight
