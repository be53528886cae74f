// The rails: the left one edits, the right one inspects.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_left_rail(Panel& panel, const Box& box);  ///< the panels from here to draw_edits_panel, one below the other
void draw_heads_panel(Panel& panel);
/// Replaces the editing panels if there is nothing to edit.
void draw_dump_panel(Panel& panel);
void draw_sandbox_panel(Panel& panel);
void draw_mask_panel(Panel& panel);
void draw_score_panel(Panel& panel);
void draw_block_panel(Panel& panel);
void draw_display_panel(Panel& panel);
void draw_teach_panel(Panel& panel);
void draw_edits_panel(Panel& panel);
void draw_inspector(Panel& panel, const Box& box, bool is_folded);

}  // namespace headlight
