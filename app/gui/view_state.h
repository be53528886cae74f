// Where I look: what is neither undone nor saved with the document, only restored at the next start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/pictures.h"
#include "app/session/labs.h"
#include "engine/attention/mask.h"
#include "engine/figure/figures.h"
#include "engine/formats/json.h"

namespace headlight {

enum class View : std::uint8_t { overview, head, compare, lab };
enum class Brush : std::uint8_t { off, cell, row, column, rectangle };

/// A brush stroke whose button is still held.
struct Stroke {
  Scope scope;
  std::size_t first_block = 0;  ///< strokes of the scope's rule before this one
  Cell anchor, last;
};

/// The mask text as it is being typed; only a text without a problem reaches the document.
struct MaskEntry {
  std::string text;
  std::string problem;
};

/// The in-app folder browser of the model picker.
struct FolderListing {
  struct Entry {
    std::string name;
    bool is_model = false;
  };
  std::filesystem::path folder;
  std::vector<Entry> entries;  ///< folders only, sorted
  bool is_model = false;       ///< of `folder` itself
  std::string problem;         ///< why it cannot be listed
};

/// What the export dialog is set to.
struct ExportChoice {
  FigureRequest::Kind kind = FigureRequest::Kind::heatmap;
  std::string ending = "png";
  std::string path;  ///< without the ending; empty: a name made from the figure, in the current folder
  std::optional<Theme> theme;
};

/// The document was told to open another model; if that fails, it is told to go back.
struct ModelChange {
  std::uint64_t generation = 0;
  std::string name;
};

/// Where the chips of the token strip begin, in pixels: measured once per text, so that long texts cost nothing per frame.
struct StripLayout {
  std::shared_ptr<const Snapshot> snapshot;
  float scale = 0;
  std::vector<float> edges{0};
};

struct ViewState {
  HeadId head;                         ///< the head that Head and the inspector show
  CellWindow zoom;                     ///< of the Head view; empty: all
  std::optional<Cell> hovered;         ///< under the pointer in any view of this frame
  std::optional<HeadId> hovered_head;  ///< whose map the pointer is over
  std::optional<Index> hovered_token;  ///< in the token strip
  std::optional<Index> pinned_query;   ///< row lock; Esc releases it
  std::optional<Stroke> stroke;
  MaskEntry mask_entry;
  std::string typed_heads;                  ///< in the list of head counts
  int compare_left = 0, compare_right = 1;  ///< which pins A − B subtracts

  LabSettings labs;  ///< which lab is shown, and how it is set

  std::string model_path;  ///< typed in the picker
  FolderListing listing;
  std::vector<std::string> recent_models;  ///< newest first
  std::optional<ModelChange> model_change;
  ExportChoice export_choice;

  std::string banner;                 ///< a refusal that outlives the request it belongs to
  std::string dismissed_example;      ///< text whose relations were put away
  std::string dismissed_notices;      ///< notices that were put away
  std::uint64_t dismissed_error = 0;  ///< generation whose error was put away
  std::uint64_t dismissed_export = 0;
  std::set<std::string, std::less<>> folded;  ///< sections of the rails shown by their title only

  StripLayout strip;
  Pictures pictures;  ///< drawn forms of the snapshot's maps; kept between frames, part of no dump

  float overview_scroll = 0;
  View view = View::overview;
  Stage stage = Stage::weights;  ///< of the Head view
  Brush brush = Brush::off;
  bool brush_allows = false;  ///< the brush allows cells instead of denying them
  Scope::Kind edit_scope = Scope::Kind::all;
  bool has_shared_scale = true;  ///< Compare: one scale for all cards
  bool is_model_picker_open = false;
  bool is_export_open = false;
  bool is_help_open = false;
  bool is_random_note_dismissed = false;
  bool wants_sentence_focus = false;
};

Json to_json(const ViewState& view);
/// Restores what to_json wrote. Fields that are missing or make no sense keep their defaults: a broken state never stops a start.
ViewState view_from_json(const Json& json);

}  // namespace headlight
