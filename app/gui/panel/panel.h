// What every panel is given. A panel draws, and changes nothing but the draft and the view.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/kit/scene_painter.h"
#include "app/gui/kit/widgets.h"
#include "app/gui/panel/window_command.h"
#include "app/gui/state/frame_caches.h"
#include "app/gui/state/view_state.h"
#include "app/hub/downloader.h"
#include "app/session/file_watch.h"
#include "app/session/session.h"
#include "engine/core/numbers.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// How documents are saved automatically, as panels see it.
struct Keeping {
  std::filesystem::path state_folder;     ///< empty: nothing is remembered
  std::filesystem::path document_folder;  ///< where the open document is kept; empty before its first save
  std::string problem;                    ///< why it is not saved; empty when all is well
};

/// A change to another model, kept so that it can be taken back if the model cannot be opened.
struct ModelChange {
  std::uint64_t generation = 0;  ///< of the request for it; 0: not sent yet
  std::string name;
  std::string before;                  ///< the model until then
  int version_before = 0;              ///< and which training of it
  std::optional<int> item;             ///< of a batch of maps: the text that was shown
  std::optional<int> heads, kv_heads;  ///< the head counts until then
  std::size_t steps = 0;               ///< in the history until then
  std::string text, own_text;  ///< until then, and with the model: that of the text before, where the model has no sentence of its own
};

/// What panels are given besides snapshot, draft and view.
struct FrameContext {
  Session& session;
  ScenePainter& painter;
  const Fonts& fonts;
  std::vector<std::string> dropped_paths;  ///< files and folders dropped on the window since the last frame
  Downloader* downloader = nullptr;        ///< null: nothing can be downloaded
  bool is_scripted = false;                ///< nothing that depends on the time is shown: the same pixels every run
  Keeping keeping = {};
  FigureKinds figures = figure_kinds();  ///< those that the export dialog offers
  FileWatch* file_watch = nullptr;       ///< null: files that change on the disk are not asked about (scripts)
  double frame_milliseconds = 0;         ///< that the last frame took
  bool wants_to_close = false;           ///< the answer of a frame: the person asked to quit
};

struct Panel;

/// What a view says instead of a picture when it has nothing to show of a model.
struct Absence {
  const char* title = nullptr;  ///< null: none
  const char* text = nullptr;
  float width = 0;  ///< most width of the text, in points; 0: the view's
};

/// A section of the left rail that sets a view, first while the view is shown.
struct ViewSettings {
  const char* title = nullptr;                         ///< null: none
  void (*draw)(Panel& panel) = nullptr;                ///< with its title
  std::string (*state)(const Panel& panel) = nullptr;  ///< a word or two beside the title of the folded rail; null: none
};

/// A section of the inspector, of a view that explains itself there.
struct InspectorPart {
  void (*draw)(Panel& panel, bool is_dense);  ///< is_dense: in the drawer
  float share;                                ///< of the drawer's width
};

/// A view, as one row of a table: tab, key, help, centre, saved state and scripts take it from there (all_views, frame.h).
struct ViewRow {
  View view;
  const char* title;                                                ///< of its tab
  const char* words = "show go to";                                 ///< others that find it in the palette
  void (*draw)(Panel& panel, const Box& box) = nullptr;             ///< a picture that has maps
  std::optional<Absence> (*absence)(const Panel& panel) = nullptr;  ///< where it has nothing to show of the model; null: it always has
  std::string (*count)(const Panel& panel) = nullptr;               ///< a count shown on its tab; null: none
  float (*draw_menu)(Panel& panel, Row row) = nullptr;  ///< at the right of the tabs while it is shown, returns its left edge; null: none
  ViewSettings settings = {};
  void (*rest)(Panel& panel) = nullptr;                     ///< in every frame that does not draw it: releases what it holds
  ComparedHead (*inspected)(const Panel& panel) = nullptr;  ///< whose numbers the inspector and the strip show; null: the chosen head
  const FigureKind* figure = &kHeatmapFigure;               ///< that the export dialog offers first, where it has enough heads
  const FigureKind* (*figure_here)(const Panel& panel) =
      nullptr;                 ///< of the page that it shows, where each has a figure of its own; null: `figure`
  bool has_inspector = true;   ///< what it shows of a head stands in the right rail too
  bool uses_colours = true;    ///< it shows maps, which Display colours
  bool shows_weights = false;  ///< in another way: Display has what is left out of them
  bool shows_steps =
      false;       ///< it shows one step of one head, now, before or the difference, and frames in it; figures of a head do likewise
  float foot = 0;  ///< points at its lower edge that notes never cover
  std::span<const InspectorPart> inspector = {};  ///< sections in place of cell, row and head; none: those
  std::span<const WindowCommand> commands = {};   ///< that only it has; they come before the program's own (window_command.h)
  void (*add_places)(const Panel& panel, std::vector<Offer>& offers) = nullptr;  ///< pages of it that the palette leads to; null: none
  // Its own part of the saved state: keys of its own in the object that the window saves.
  void (*save)(const ViewState& view, Json& json) = nullptr;
  void (*restore)(const Json& json, ViewState& view) = nullptr;
};

/// The digit that leads to the view at a place of the table, as its tab has it: 1 to 9, then 0; ImGuiKey_None from the eleventh on.
constexpr ImGuiKey key_of_view(std::size_t place) {
  if (place == 9) return ImGuiKey_0;
  return place < 9 ? static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(place)) : ImGuiKey_None;
}

struct Panel {
  FrameContext& context;
  std::shared_ptr<const Snapshot> snapshot;  ///< what is shown; null before the first picture
  WorkerStatus status;
  Document& draft;
  ViewState& view;
  FrameCaches& caches;
  Look look;
  std::span<const ViewRow> views = {};                               ///< all that the program has
  std::shared_ptr<const Snapshot> part = {};                         ///< of the running picture (Worker::part); null: none
  bool wants_sentence_focus = false;                                 ///< the keyboard goes to the sentence, in this frame
  RailForm left_form = RailForm::open, right_form = RailForm::open;  ///< how the rails are drawn in this frame
  // Requests that are carried out after the panels have drawn, when the draft has been compared.
  bool wants_undo = false, wants_redo = false;
  bool wants_copy = false, wants_menu = false;   ///< ctrl+C, and the key of the context menu
  bool wants_explanation = false;                ///< of what is pointed at or pinned
  std::optional<std::size_t> wants_step = {};    ///< of the history: go back to it
  std::optional<ModelChange> model_change = {};  ///< another model was chosen in this frame
  bool wants_model_before = false;               ///< go back to it: the one that was asked for cannot be opened

  /// The row of the shown view; null for a view that the program does not have.
  const ViewRow* shown_view() const {
    const auto row = std::find_if(views.begin(), views.end(), [&](const ViewRow& each) { return each.view == view.view; });
    return row == views.end() ? nullptr : &*row;
  }
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

}  // namespace headlight
