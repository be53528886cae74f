// What is looked at and how: neither undone nor saved with the document, only restored at the next start.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/mask_edits.h"
#include "app/document/wish.h"
#include "app/gui/panel/pictures.h"
#include "app/session/model_card.h"
#include "app/work/labs.h"
#include "engine/attention/mask.h"
#include "engine/figure/figures.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"
#include "engine/model/files/hub_cache.h"

namespace headlight {

/// A view by its name in states and scripts. Its row has everything else (ViewRow, panel.h).
struct View {
  std::string_view name;  ///< a literal
  bool operator==(const View&) const = default;
  static const View overview, head, compare, output, lab;
};
inline constexpr View View::overview{"overview"}, View::head{"head"}, View::compare{"compare"}, View::output{"output"}, View::lab{"lab"};
struct ViewRow;

/// Which text a token belongs to; in an encoder-decoder model, the encoder's or the decoder's.
enum class Side : std::uint8_t { text, decoder };
Side query_side(const Snapshot& snapshot, int layer);
Side key_side(const Snapshot& snapshot, int layer);

struct TokenPlace {
  Side side = Side::text;
  Index token = 0;
  bool operator==(const TokenPlace&) const = default;
};

/// The in-app folder browser of the model picker.
struct FolderListing {
  struct Entry {
    std::string name;
    bool is_model = false;
  };
  std::filesystem::path folder;
  std::filesystem::path file;  ///< the typed file, in `folder`, if its ending is that of a model or of maps; else empty
  std::vector<Entry> entries;  ///< folders only, models first, sorted
  bool is_model = false;       ///< of `folder` itself
  std::string problem;         ///< why it cannot be listed
};

/// The settings of the export dialog.
struct ExportChoice {
  const FigureKind* kind = &kHeatmapFigure;
  std::string ending = "png";
  std::string path;  ///< without the ending; empty: a name made from the figure, in the current folder
  std::optional<Theme> theme;
  bool is_spreadsheet_safe = false;  ///< of CSV
  std::filesystem::path asked;       ///< an existing file: the dialog asks whether to replace it (dialog.h)
  std::filesystem::path started;     ///< the file that was written last
};

/// A change to another model, kept so that it can be taken back if the model cannot be opened.
struct ModelChange {
  std::uint64_t generation = 0;
  std::string name;
  std::string before;                  ///< the model until then
  std::optional<int> item;             ///< of a batch of maps: the text that was shown
  std::optional<int> heads, kv_heads;  ///< the head counts until then
  std::size_t steps = 0;               ///< in the history until then
};

/// The tensor and cell of the sandbox that the parameters dialog shows.
struct ParameterChoice {
  bool is_open = false;
  int layer = 0;
  std::string tensor;  ///< "layer.0.q.weight"; empty before the first time
  Cell cell;           ///< row and column
  std::string typed;
  Matrix values;  ///< of `tensor` in `values_of`: copied when either changes, not in every frame
  std::shared_ptr<const Model> values_of;
  std::string values_name;
};

/// The map that a painted wish asks for, made when the wish or the map's size changes and not in every frame.
struct WishMap {
  PaintedWish made_from;
  std::shared_ptr<const Mask> mask;  ///< of the head
  Matrix wanted;                     ///< without what the mask forbids
  std::vector<MapFrame> frames;      ///< around each wanted cell
  Index cells = 0;
  Index masked_cells = 0;  ///< painted cells that the mask forbids
};

/// Whether masks of the shown picture let tokens see what comes after them where the model's own do not: looked up once per picture.
struct SightAhead {
  std::shared_ptr<const Snapshot> snapshot;
  bool is_opened = false;
};

/// The card of the shown model, made once and not in every frame.
struct ShownCard {
  std::shared_ptr<const Model> model;
  std::array<CardSection, 3> sections;
};

/// Where the chips of the token strip begin, in pixels: measured once per text, so that long texts cost nothing per frame.
struct StripLayout {
  std::shared_ptr<const Snapshot> snapshot;
  float scale = 0;
  std::vector<float> edges{0};
};

struct ViewState {
  HeadId head;                              ///< the head that Head and the inspector show
  CellWindow zoom;                          ///< of the Head view; empty: all
  std::optional<Cell> hovered;              ///< under the pointer in any view of this frame
  int hovered_layer = 0;                    ///< the layer whose tokens `hovered` counts
  std::optional<HeadId> hovered_head;       ///< whose map the pointer is over
  std::optional<ComparedHead> hovered_map;  ///< the same in Compare, with the run that the map is of
  std::optional<TokenPlace> hovered_token;  ///< in the token strip
  std::optional<TokenPlace> pinned_query;   ///< the row that is kept; Esc releases it
  std::optional<Stroke> stroke;
  std::optional<Point> pressed_at;  ///< where a button was pressed last, until the pointer moves away (Look::shows_hints)
  MaskEntry mask_entry;
  std::string typed_heads;                  ///< in the list of head counts
  std::string mask_path;                    ///< typed in the dialog of mask files
  std::filesystem::path asked_mask;         ///< as ExportChoice::asked
  int compare_left = 0, compare_right = 1;  ///< which cards A − B subtracts
  bool has_chosen_pair = false;             ///< by hand

  LabSettings labs;  ///< which lab is shown, and how it is set

  std::string model_path;  ///< typed in the picker
  FolderListing listing;
  std::vector<std::string> recent_models;  ///< newest first
  bool was_model_picker_open = false;      ///< in the last frame
  std::vector<CachedModel> cached_models;  ///< in the Hugging Face cache, as of when the picker was opened
  std::string hub_id;                      ///< typed in the picker, to be downloaded
  std::uint64_t seen_downloads = 0;        ///< DownloadStatus::ended when the window last acted on it
  std::optional<ModelChange> model_change;
  ExportChoice export_choice;
  ParameterChoice parameters;
  WishMap wish_map;
  SightAhead sight_ahead;
  ShownCard card;
  bool paints_wish = false;       ///< the brush paints what the head should learn
  bool erases_wish = false;       ///< the stroke began on a wished cell
  bool has_tried_masked = false;  ///< the last stroke of a wish began on a cell that the mask forbids
  LossCurve loss_curve;           ///< of the wish that was trained last

  std::filesystem::path offered_document;  ///< left closed by a safe start; empty: none is offered
  std::string banner;                      ///< an error message that stays after its request has ended
  std::string dismissed_example;           ///< text of the example whose note was closed
  std::string dismissed_notices;           ///< notices that were closed
  std::uint64_t dismissed_error = 0;       ///< generation whose error was closed
  std::uint64_t dismissed_export = 0;
  std::set<std::string, std::less<>> folded{"Block", "More"};  ///< sections of the rails shown by their title only

  std::vector<std::string> sections_below;  ///< of the left rail, whose titles the last frame had no room for; not in dumps
  std::string wanted_section;               ///< one that the left rail should scroll to; empty: none
  std::array<StripLayout, 2> strips;        ///< of each Side
  Pictures pictures;                        ///< of the snapshot's maps, and names of its tokens; kept between frames, not in dumps

  float overview_scroll = 0;
  View view = View::overview;
  Stage stage = Stage::weights;  ///< of the Head view
  Moment moment = Moment::now;   ///< likewise, while there is a baseline
  Brush brush = Brush::off;
  bool brush_allows = false;                    ///< the brush allows cells instead of denying them
  Scope::Kind edit_scope = Scope::Kind::stack;  ///< in a model with one stack: all its heads
  bool has_shared_scale = true;                 ///< Compare: one scale for all cards
  bool is_model_picker_open = false;
  bool is_export_open = false;
  bool is_help_open = false;
  bool is_model_card_open = false;
  bool is_mask_file_open = false;
  bool is_random_note_dismissed = false;
  bool wants_sentence_focus = false;
};

/// `views`: each saves its own state.
Json to_json(const ViewState& view, std::span<const ViewRow> views);
/// Restores what to_json wrote. Fields that are missing or make no sense keep their defaults: a broken state never stops a start.
ViewState view_from_json(const Json& json, std::span<const ViewRow> views);

}  // namespace headlight
