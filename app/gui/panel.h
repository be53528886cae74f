// What every panel is given, and the list of panels. A panel draws, and changes nothing but the draft and the view.
#pragma once

#include "app/gui/frame.h"
#include "app/gui/widgets.h"
#include "engine/core/numbers.h"

namespace headlight {

struct Panel {
  FrameContext& context;
  std::shared_ptr<const Snapshot> snapshot;  ///< what is shown; null before the first picture
  WorkerStatus status;
  Document& draft;
  ViewState& view;
  Look look;
  // Wishes that are carried out after the panels, when the draft has been compared.
  bool wants_undo = false, wants_redo = false;
  bool wants_model_before = false;  ///< the one that was asked for cannot be opened

  /// There are maps to draw.
  bool has_picture() const { return snapshot && !snapshot->is_empty() && snapshot->layers() > 0; }
  /// The picture shows maps from a file: no weights, nothing to edit.
  bool is_dump() const { return has_picture() && snapshot->is_dump() && snapshot->query.model.name == draft.query.model.name; }
  bool is_sandbox() const { return draft.query.model.name == "sandbox"; }
  /// The sizes of the draft's model, as far as they are known: null while another model is being loaded.
  const ModelConfig* config() const {
    return snapshot && snapshot->query.model.name == draft.query.model.name ? &snapshot->model->config : nullptr;
  }
};

/// Where everything is, in pixels.
struct Layout {
  Box top_bar, left_rail, tabs, centre, inspector, strip, status;
  bool is_folded = false;  ///< the inspector lies under the views
};
Layout make_layout(float width, float height, float scale);

/// A panel's own region of the window. `fill` alpha 0: the ground shows through.
bool begin_region(const Look& look, const char* name, const Box& box, Colour fill, ImVec2 padding,
                  ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
void end_region();

/// A region whose content scrolls. The bar lies in the right margin: the column edge stays, whether there is a bar or not.
void begin_scrolling_region(const Look& look, const char* name, const Box& box, Colour fill);
void end_scrolling_region();

void draw_top_bar(Panel& panel, const Box& box);
void draw_left_rail(Panel& panel, const Box& box);  ///< the panels from here to draw_edits_panel, one below the other
void draw_heads_panel(Panel& panel);
/// In the place of the panels that edit, where there is nothing to edit.
void draw_dump_panel(Panel& panel);
void draw_sandbox_panel(Panel& panel);
void draw_mask_panel(Panel& panel);
void draw_score_panel(Panel& panel);
void draw_block_panel(Panel& panel);
void draw_display_panel(Panel& panel);
void draw_teach_panel(Panel& panel);
/// The wanted map of the head that is looked at: 1 where painted and not masked. Empty where nothing is.
const WishMap& wish_here(const Panel& panel);
/// The head that is looked at is one that lessons know: not cross-attention.
bool can_be_wished(const Panel& panel);
void draw_edits_panel(Panel& panel);
void draw_tabs(Panel& panel, const Box& box);
/// A relation that a reader sees in the sentence, where it is one of the examples and the note is not put away.
struct ShownRelation {
  Relation relation;
  CellBlock cells;         ///< of a map of the text with itself
  bool is_masked = false;  ///< every cell of them, in the head that is looked at
};
/// Empty where the head that is looked at has another map than that of the text with itself.
std::vector<ShownRelation> shown_relations(const Panel& panel);
/// Refusals and notes above a view. Returns what is left of the box.
Box draw_notes(Panel& panel, Box box);
void draw_overview(Panel& panel, const Box& box);
void draw_head_view(Panel& panel, const Box& box);
void draw_compare_view(Panel& panel, const Box& box);
/// What the model predicts, token by token.
void draw_output_view(Panel& panel, const Box& box);
/// The small experiments (app/session/labs.h).
void draw_labs_view(Panel& panel, const Box& box);
void draw_inspector(Panel& panel, const Box& box, bool is_folded);
void draw_token_strip(Panel& panel, const Box& box);
void draw_status_bar(Panel& panel, const Box& box);
void draw_model_picker(Panel& panel);
/// A model that was downloaded since the last frame is opened.
void take_download(Panel& panel);
void draw_export_dialog(Panel& panel);
void draw_mask_file_dialog(Panel& panel);
/// A mask that was read since the last frame becomes an edit.
void take_read_mask(Panel& panel);
void draw_parameters_dialog(Panel& panel);
void draw_help(Panel& panel);
void draw_model_card(Panel& panel);

/// A brush stroke that says what a head should be taught; a wish for another head is begun anew.
void paint_wish(PaintedWish& wish, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell);

/// Keys that work everywhere: they act before the panels draw.
void answer_keyboard(Panel& panel);

/// Pins a head for Compare, or takes its pin away.
void toggle_pin(std::vector<HeadId>& pins, HeadId head);
/// Asks for another model; what belonged to the old one's heads is let go.
void choose_model(Panel& panel, const std::string& name);
/// `text` ended by a full stop, so that another sentence can follow.
std::string as_sentence(std::string text);
/// "Layer 2 · Head 5", "Cross 0 · Head 5".
std::string head_title(const Snapshot& snapshot, HeadId head);
/// "2.5", as heads are called where room is short.
std::string short_name(HeadId head);
/// The same, or "cross.0.3" where layers have names.
std::string short_name(const Snapshot& snapshot, HeadId head);
/// One of the shown model's layers, by its number or its name.
void layer_slider(const Panel& panel, const Row& row, const char* name, int& layer);

}  // namespace headlight
