// The figures that files hold, one row of a table each: title, sentence, colour bar and notes around what the window shows. What is shown
// is laid out once for both (head_map, grid_of, comparison_of): a screen adds its area and what is pointed at. Whatever offers figures (the
// export command, the export dialog, the writers of files) reads the rows and never asks for a kind by name. Another figure is a file like
// heatmap.cpp and its entry in figure_kinds().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/analysis/flow.h"
#include "engine/figure/compare/compare_figure.h"
#include "engine/figure/effects/effects_request.h"
#include "engine/figure/figure_source.h"
#include "engine/figure/figures.h"
#include "engine/figure/grid/grid_figure.h"
#include "engine/figure/inside/inside_figure.h"
#include "engine/figure/kinds/measures_request.h"
#include "engine/figure/links/links_figure.h"
#include "engine/figure/links/tinted_text.h"
#include "engine/figure/page/page_look.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/figure/scene.h"
#include "engine/figure/sheet/sheet.h"
#include "engine/figure/stage.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

struct FigureRequest;

/// The parts of a request that a figure reads. The command line refuses options that the chosen figure would ignore.
struct FigureNeeds {
  bool has_head = false;        ///< FigureRequest::head
  bool has_stage = false;       ///< FigureRequest::stage; the other figures show weights
  bool has_lengths = false;     ///< FigureRequest::stage, of the weights and what all heads can be shown at (is_of_lengths)
  bool has_step = false;        ///< FigureRequest::query, moment_inside and chosen_key
  bool shows_part = false;      ///< FigureRequest::part
  bool marks_tokens = false;    ///< FigureRequest::marked
  bool lists_heads = false;     ///< FigureRequest::only
  std::size_t heads = 0;        ///< how many FigureRequest::heads it takes at least; 0: they need not be named
  bool has_links = false;       ///< FigureRequest::links
  bool has_tint = false;        ///< of these the heads, the focus and the tint
  bool has_output = false;      ///< FigureRequest::output, and baseline
  bool has_flow = false;        ///< FigureRequest::flow
  bool has_parts = false;       ///< FigureRequest::effects: a logit, and the head whose part is split
  bool has_lens = false;        ///< of these the logit
  bool has_target = false;      ///< of these the target, and what was found
  bool has_method = false;      ///< with the method
  bool has_methods = false;     ///< with several, in its place
  bool has_patches = false;     ///< with what is patched, from which text
  bool has_pruning = false;     ///< what was found is of heads switched off one after another
  bool has_lab = false;         ///< FigureRequest::lab
  bool has_measures = false;    ///< FigureRequest::measures
  bool lists_columns = false;   ///< and every column of it, in a table
  bool orders_heads = false;    ///< and its orders
  bool has_axes = false;        ///< and its axes
  bool tints_heads = false;     ///< and its tint; without order, filter and tint it needs no measure
  bool marks_heads = false;     ///< FigureRequest::heads, to mark them with their letters
  bool has_bar = false;         ///< PagePart::bar, which can be left out
  bool has_legend = false;      ///< PagePart::legend
  bool has_row = false;         ///< PagePart::row
  bool has_cells = false;       ///< PageLook::has_cell_numbers
  bool is_plain = false;        ///< of the style it takes the theme alone: it has no colours of weights
  std::size_t named_heads = 0;  ///< how many a command has to name: a single head is not a comparison
  /// Of a target: the texts that methods take other numbers from.
  constexpr bool takes_texts() const { return has_methods || (has_method && !has_pruning); }
  /// FigureRequest::effects, of one logit.
  constexpr bool has_logit() const { return has_parts || has_lens; }
  /// FigureRequest::effects, of whatever kind.
  constexpr bool has_effects() const { return has_logit() || has_target; }
  /// It shows what is predicted at one position.
  constexpr bool is_of_predictions() const { return has_output || has_logit(); }
};

/// One kind of number of a computation, such as the weights of a row or the values of its keys.
struct NumberTable {
  std::string name;           ///< "q · k"
  int step = 0;               ///< that makes it, from 1
  bool is_of_key = false;     ///< a row for each key; else it has one
  bool is_of_vector = false;  ///< a column for each place; else it has one
  Matrix values;
};

/// One map that is made from those of heads.
struct DerivedMap {
  std::string what;  ///< "mean of 8 heads: layer 1"
  Matrix values;     ///< [queries, keys]
  int layer = 0;     ///< whose tokens are along the axes
};

/// Nothing, a number or a text.
using ListCell = std::variant<std::monostate, std::int64_t, float, double, std::string>;
/// Numbers of tokens, line by line.
struct NumberList {
  std::string what;                  ///< "weight from “it”, head 1.3"
  std::vector<std::string> columns;  ///< names; "position" is that of a token of the text
  std::vector<std::vector<ListCell>> lines;
};

/// The numbers behind a figure: maps of heads, tables, one derived map, columns of heads, a list, or matrices with names. All are null if a figure
/// has none; its endings are then those of drawings.
struct FigureNumbers {
  std::vector<ComparedHead> (*heads)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  /// The axes of an array of these maps before [query, key]; none: the figure is of one map, and its CSV a table.
  std::vector<std::int64_t> (*axes)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  /// Whether the first map minus the second follows the heads as one more map; null: of no request.
  bool (*has_difference)(const FigureRequest& request) = nullptr;
  /// In place of maps; null: the numbers are maps.
  std::vector<NumberTable> (*tables)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  DerivedMap (*derived)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  /// A line for each head that is shown, in its order.
  MeasuredHeads (*columns)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  NumberList (*list)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  std::vector<NamedNumbers> (*named)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
  /// What a picture shows of these numbers, where that is less than all: so that naming them costs no more than drawing them. Null: all.
  std::vector<NumberTable> (*pictured)(const Snapshot& snapshot, const FigureRequest& request) = nullptr;
};

inline constexpr std::string_view kDrawnEndings[] = {".png", ".svg", ".pdf", ".html"};
/// Of figures whose numbers are tables, columns of heads, a list or several matrices: an array has one shape.
inline constexpr std::string_view kTableEndings[] = {".png", ".svg", ".pdf", ".html", ".csv", ".tsv", ".npz", ".safetensors", ".json"};
/// Every ending that figure_files (write_figure.h) has a row for.
inline constexpr std::string_view kAllEndings[] = {".png", ".svg", ".pdf", ".html",        ".csv",
                                                   ".tsv", ".npy", ".npz", ".safetensors", ".json"};

struct FigureKind {
  std::string_view name;       ///< as options and buttons have it: "compare"
  std::string_view noun;       ///< in a sentence: "a comparison"
  std::string_view what;       ///< what it shows, for --help: "the pinned heads and A - B"
  std::string_view file_name;  ///< of its file, unless a person names it
  FigureNeeds needs;
  /// What its file will hold, for a dialog; a figure of one head leaves out the head's name.
  std::string (*caption)(const Snapshot& snapshot, const FigureRequest& request);
  /// A layout, in points in which a label is kCaptionSize high. Only called with a request that check_figure passes.
  Scene (*scene)(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure);
  FigureNumbers numbers;
  std::span<const std::string_view> endings = kAllEndings;
};

extern const FigureKind kHeatmapFigure;  ///< heatmap.cpp: one head, any stage
extern const FigureKind kGridFigure;     ///< grid.cpp: all heads, by layer or arranged by measures
extern const FigureKind kCompareFigure;  ///< compare.cpp: heads side by side, then A − B if there are two
extern const FigureKind kLinksFigure;    ///< links.cpp: weights of several heads as lines between tokens
extern const FigureKind kFlowFigure;     ///< flow.cpp: the weights of several heads as one map
extern const FigureKind kInsideFigure;   ///< inside.cpp: one query's computation, at any moment of it

extern const FigureKind kTextFigure;    ///< text.cpp: the text, its words tinted by weights
extern const FigureKind kOutputFigure;  ///< output.cpp: what the model predicts

extern const FigureKind kMeasuresFigure;  ///< measures.cpp: all heads in a table
extern const FigureKind kScatterFigure;   ///< scatter.cpp: all heads as points over two measures

extern const FigureKind kCompareMeasuresFigure;  ///< compare_measures.cpp: measures of named heads side by side
extern const FigureKind kAttributionFigure;      ///< effects.cpp: what a logit is made of
extern const FigureKind kLensFigure;             ///< effects.cpp: what every layer would predict
extern const FigureKind kEffectsFigure;          ///< effects.cpp: what every head does to a target, changed alone
extern const FigureKind kMethodsFigure;          ///< methods.cpp: the same under several methods, side by side
extern const FigureKind kPatchFigure;            ///< patch.cpp: what patches from another text do to a target, place by place
extern const FigureKind kLabFigure;              ///< lab.cpp: a small experiment
extern const FigureKind kPruningFigure;          ///< pruning.cpp: a target while heads are switched off one after another

/// Rows in the order in which they are offered.
using FigureKinds = std::span<const FigureKind* const>;
FigureKinds figure_kinds();
/// Null if no row has the name.
const FigureKind* find_figure(FigureKinds kinds, std::string_view name);

/// What is shown of a head that has a baseline: now, before, or now − before (weights only).
enum class Moment : std::uint8_t { now, before, difference };

/// Whose weights are drawn as lines, and which.
struct LinksRequest {
  std::vector<HeadId> heads = {};  ///< of layers with the same texts
  LinkFilter filter = {};
  bool has_arcs = false;                ///< where queries and keys are one text
  std::optional<LinkFocus> focus = {};  ///< the token whose lines are shown in full
  bool is_kept = false;                 ///< the focus is the pinned row
  TextTint tint = TextTint::attention;
  bool operator==(const LinksRequest&) const = default;
};

/// Which predictions are listed.
struct OutputRequest {
  std::optional<Index> position = {};       ///< whose likeliest tokens are listed; none: the one that is usually asked for
  Index first = 0, count = 0;               ///< positions that have a row; count 0: the page with that one (span_with)
  std::size_t listed = kListedPredictions;  ///< tokens of the position
  bool operator==(const OutputRequest&) const = default;
};

/// Whose maps become one, and how.
struct FlowRequest {
  std::vector<HeadId> heads = {};  ///< of layers with the same texts
  FlowSettings settings = {};
  bool operator==(const FlowRequest&) const = default;
};

/// A row and a column that maps mark.
struct MarkedTokens {
  std::optional<Index> query = {}, key = {};
  /// The layer whose texts they count: maps of other texts mark nothing; none: every map that has such a token marks it.
  std::optional<int> of_layer = {};
  bool operator==(const MarkedTokens&) const = default;
};

struct FigureRequest {
  const FigureKind* kind = &kHeatmapFigure;  ///< a row that outlives the request
  HeadId head;
  Stage stage = Stage::weights;
  std::vector<ComparedHead> heads;           ///< A, B, …: compared, or marked with their letters among all heads
  std::vector<MapFrame> frames;              ///< of the map of one head
  std::shared_ptr<const Snapshot> baseline;  ///< of one head: the run that `moment` compares with; of predictions: that before; null: none
  Moment moment = Moment::now;               ///< other than now only where why_not_shown has no objection
  std::optional<ComparedPair> difference;    ///< which two of `heads`; none: A − B if there are two, else none
  std::optional<Index> query;                ///< whose computation is shown; none: the last token's
  InsideMoment moment_inside;                ///< and which moment of it
  std::optional<Index> chosen_key;           ///< whose products open; none: that of the largest weight
  std::set<Index> opened_keys;               ///< that have rows though they would be folded
  Index most_keys = 0;                       ///< besides these, that have rows; 0: as many as fit
  bool has_own_scales = false;               ///< of compared maps: the colours of each end at its own largest weight
  std::vector<HeadId> only;                  ///< of all heads: those that are shown, in this order; empty: every head, by layer
  CellWindow part;                           ///< of every map: the cells that are shown; empty: all of them
  MarkedTokens marked;
  LinksRequest links;
  OutputRequest output;
  FlowRequest flow;
  EffectsRequest effects;
  LabFigureRequest lab;
  MeasuresRequest measures;  ///< of a grid: how its heads are arranged; of no measure: by layer
  Style style;
  PageLook page;
  bool is_spreadsheet_safe = false;  ///< CSV: no cell of text can be taken for a formula (write_csv)
  bool operator==(const FigureRequest&) const = default;
};

/// A figure can show it: one head every stage, all heads those that can be compared between them.
inline bool takes_stage(const FigureKind& kind, Stage stage) {
  return kind.needs.has_stage || (kind.needs.has_lengths && (stage == Stage::weights || is_of_lengths(stage)));
}
/// The stage whose numbers are shown: a difference is one of weights.
inline Stage shown_stage(const FigureRequest& request) {
  return request.moment == Moment::difference ? Stage::weights : request.stage;
}

/// Whose computation a request shows.
inline Index asked_query(const Snapshot& snapshot, const FigureRequest& request) {
  return request.query.value_or(snapshot.queries(request.head.layer) - 1);
}

/// The part of a map of this size that a request shows: what of its part is inside the map; empty: all of it.
CellWindow part_of(const FigureRequest& request, Index queries, Index columns);
/// "queries 3–9, keys 0–5 of 13 × 13"; empty where all of it is shown. `column`: "keys", or what the columns are.
std::string part_text(const FigureRequest& request, Index queries, Index columns, std::string_view column = "keys");
/// What of the marked tokens a layer's map of a run has. `own`: the figure's run.
MarkedTokens marked_in(MarkedTokens marked, const Snapshot& own, const Snapshot& run, int layer);

/// What the window shows of a request, and what a file puts on its page. A screen adds its area and what is pointed at; a file without them
/// is as large as its content. The heads have to exist in their runs, except for compared ones in an area. A comparison keeps references to
/// snapshot and request.
MapFigureRequest head_map(const Snapshot& snapshot, const FigureRequest& request, FigureSource& source);
GridFigureRequest grid_of(const Snapshot& snapshot, const FigureRequest& request);
CompareFigureRequest comparison_of(const Snapshot& snapshot, const FigureRequest& request);
/// `lines`: of the request's heads, chosen by its filter.
LinksFigureRequest links_of(const Snapshot& snapshot, const FigureRequest& request, std::shared_ptr<const LinkLines> lines,
                            FigureSource& source);
/// `picture`: of the request's heads (picture_of_derived).
MapFigureRequest flow_map_of(const Snapshot& snapshot, const FigureRequest& request, std::shared_ptr<const MapPicture> picture,
                             FigureSource& source);
/// The heads of a request in words, for titles: "layer 1 · 8 heads", "layer 1 · head 5", "12 heads".
std::string linked_heads_text(const Snapshot& snapshot, const std::vector<HeadId>& heads);
/// What the map is: "mean of 8 heads: layer 1", "rollout through layer 3 of 12 heads: 0.1, 0.3, …".
std::string flow_text(const Snapshot& snapshot, const FlowRequest& flow);
/// What must be known to read it: that its rows do not sum to 1, or that it is causal; empty: nothing.
std::string flow_caveat(const Snapshot& snapshot, const FlowRequest& flow);
/// Which keys are hidden, and that what is left was renormalised in the joined map; empty: none are hidden.
std::string flow_left_out_text(const Style& style, const FlowRequest& flow, const MapPicture& picture);
/// The heads by name, whole layers by theirs: "layers 0 to 3", "0.1, 2.3".
std::string heads_text(const Snapshot& snapshot, const std::vector<HeadId>& heads);
/// Why these heads cannot be made one map, as a sentence; empty if they can.
std::string why_no_flow(const Snapshot& snapshot, const FlowRequest& flow);
/// A file's: everything is computed here.
InsideFigureRequest inside_of(const Snapshot& snapshot, const FigureRequest& request, ThreadPool& pool);

/// Why a head cannot be shown at a moment, as a sentence; empty if it can be. Before, it is shown in the baseline's own words, whatever the
/// text is now. A difference takes the cells of two maps of one size by their positions, also where the words there are not the same:
/// then both words are named (head_map, difference_notes).
std::string why_not_shown(Moment moment, const Snapshot& now, const Snapshot* baseline, HeadId head);

/// " · before", " · now − before": the end of a title; empty for now.
std::string moment_text(Moment moment);
/// What the colours of a head's difference do not show, joined by " · ": that nothing has changed, that the two heads are parts of models
/// with other head counts, and that the words differ. Empty for another moment. `map`: of the request, from head_map.
std::string difference_notes(const Snapshot& now, const FigureRequest& request, const MapFigureRequest& map);

/// Whether one of the ways to change heads that a figure shows takes numbers from other texts.
bool needs_other_texts(const FigureNeeds& needs, const EffectsRequest& effects);
/// Whether what a figure with a target shows was found; true of the others.
bool is_found(const FigureNeeds& needs, const EffectsRequest& effects);
/// The same, and of a lab.
bool is_found(const FigureRequest& request);

/// Why a run has nothing for a kind of figure, as a sentence; empty if it has: maps from a file have nothing inside, and predict nothing.
std::string why_no_figure(const FigureKind& kind, const Snapshot& snapshot);

/// Throws Error (usage) when there is nothing to draw, or a head of the request is not in the snapshot.
void check_figure(const Snapshot& snapshot, const FigureRequest& request);
/// The complete figure, checked first. `measure`: of the page's family of fonts.
Scene make_figure(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure);

}  // namespace headlight
