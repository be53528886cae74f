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
/// The sections that act on what is shown, one below the other; folded a stub of their names, each of which opens beside it.
void draw_left_rail(Panel& panel, const Box& box, RailForm form, LeftRail& rail);

/// A section of the left rail, as a row of a table (rail_sections.cpp).
struct RailSection {
  const char* title;
  void (*draw)(Panel& panel);
  bool (*is_there)(const Panel& panel) = nullptr;      ///< it acts on the shown view and model; null: on all
  std::string (*state)(const Panel& panel) = nullptr;  ///< a word or two that the stub shows beside the name; null: none
};
/// Those that act on what is shown, from top to bottom.
std::vector<RailSection> sections_of(const Panel& panel);
void draw_heads_panel(Panel& panel);
/// Replaces the editing panels if there is nothing to edit.
void draw_dump_panel(Panel& panel);
void draw_sandbox_panel(Panel& panel);
void draw_mask_panel(Panel& panel);
void draw_score_panel(Panel& panel);
void draw_block_panel(Panel& panel);
void draw_display_panel(Panel& panel);
void draw_training_panel(Panel& panel);
bool is_sandbox_shown(const Panel& panel);
/// Takes training that has ended since the last frame into the sandbox, unless the sandbox is another one by now. Call it every frame.
void take_training(Panel& panel);
void draw_edits_panel(Panel& panel);
/// One cell, its row, its head, and all of it in words: at the right of the views, or as a drawer under them. Folded it is a strip with its name,
/// or a line that says where the chosen query looks.
void draw_inspector(Panel& panel, const Box& box, RailForm form, bool is_drawer);

}  // namespace headlight
