// Every head of every layer as a small map, with a number under each.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/grid/grid_figure.h"
#include "engine/figure/heads/arranged_grid.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/page/page.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

/// On a page: not much higher than wide, and no higher than it may be.
float highest_grid(const PageLook& look) {
  constexpr float kOfWidth = 1.5F, kHeading = 48;
  const float usual = kOfWidth * room_across(look);
  return look.height_mm > 0 ? std::min(usual, std::max(layout_height(look) - kHeading, 1.0F)) : usual;
}

constexpr float kTileGap = 8, kLargestPageTile = 112, kLeastTile = 12;
constexpr float kHeadNumbers = 20;  // a line of them

/// What the captions of tiles take.
struct CaptionWidths {
  float name = 0;      ///< "11.7"
  float numbered = 0;  ///< with the number beside it
};
CaptionWidths caption_widths(const Snapshot& snapshot, const MeasureText& measure) {
  const auto length = [&](const std::string& text) { return std::ceil(measure(text, FontFace::mono, kCaptionSize)); };
  const float name = length(fmt::format("{}.{}", snapshot.layers() - 1, snapshot.heads() - 1));
  return {name, name + kTileLabelGap + length("0.00")};
}

/// The largest tiles of which so many as are at least `least` wide are beside each other.
float tile_from(const Snapshot& snapshot, GridFigureRequest grid, float least, const MeasureText& measure) {
  const float labels = grid_label_width(snapshot, measure), width = grid.area.width;
  const int fitting = std::max(1, static_cast<int>((width - labels + kTileGap) / (least + kTileGap)));
  const int lines = (snapshot.heads() + fitting - 1) / fitting;
  const auto columns = static_cast<float>((snapshot.heads() + lines - 1) / lines);
  grid.tile = std::clamp(std::floor((width - labels + kTileGap) / columns - kTileGap), least, kLargestPageTile);
  for (int round = 0; round < 4 && grid.tile > least; ++round) {  // names of tokens take room
    const float excess = make_grid_layout(snapshot, grid, labels, measure).content_width - width;
    if (excess <= 0) break;
    grid.tile = std::max(least, grid.tile - std::ceil(excess / columns));
  }
  return grid.tile;
}

/// Tiles with name and number; where that makes the figure higher than `high`, with names alone, and where they would be too many for that,
/// each layer on one line without them. `grid`: its area has the width of the page.
float tile_of_page(const Snapshot& snapshot, GridFigureRequest grid, float high, const MeasureText& measure) {
  const CaptionWidths captions = caption_widths(snapshot, measure);
  const float labels = grid_label_width(snapshot, measure);
  const auto is_within = [&](float tile) {
    grid.tile = tile;
    const GridLayout layout = make_grid_layout(snapshot, grid, labels, measure);
    return layout.content_height <= high && layout.content_width <= grid.area.width;
  };
  for (const float least : {captions.numbered, captions.name}) {
    if (const float tile = tile_from(snapshot, grid, least, measure); is_within(tile)) return tile;
  }
  const float bare = (grid.area.width - labels + kTileGap) / static_cast<float>(snapshot.heads()) - kTileGap;
  if (bare >= kLeastTile) return std::min(std::floor(bare), captions.name - 1);
  float tile = tile_from(snapshot, grid, captions.name, measure);
  while (tile > captions.name && !is_within(tile)) --tile;
  return tile;
}

/// Above tiles that have no names.
void add_head_numbers(Page& page, const GridLayout& layout) {
  for (int head = 0; head < layout.heads; ++head) {
    const Box tile = layout.box_of({0, head});
    const Point at{tile.x + tile.width / 2, tile.y - kHeadNumbers / 2};
    page.add(SceneText{at, std::to_string(head), FontFace::mono, kCaptionSize, page.colours().text_second, AlignX::centre});
  }
}

/// As many heads on a line as make lines of about one length.
int heads_on_a_line(int heads) {
  constexpr int kFew = 24, kLine = 6, kLongLine = 8;
  const int most = heads > kFew ? kLongLine : kLine, lines = (heads + most - 1) / most;
  return std::max(1, (heads + lines - 1) / std::max(1, lines));
}

/// Of a page with a height: as many on a line, from those that are asked for to those that fit, as have the largest tiles.
void make_chosen_lower(const Snapshot& snapshot, GridFigureRequest& grid, int fitting, Point room, const MeasureText& measure) {
  GridFigureRequest lower = grid;
  float largest = 0;
  for (lower.columns = grid.columns; lower.columns <= fitting; ++lower.columns) {
    lower.tile = std::min(grid.tile, std::floor((room.x + kFlowGap) / static_cast<float>(lower.columns)) - kFlowGap);
    const GridLayout layout = make_flow_layout(snapshot, lower, measure);
    const auto lines = std::ceil(static_cast<float>(layout.flow.size()) / static_cast<float>(lower.columns));
    lower.tile = std::max(kLeastTile, lower.tile - std::max(0.0F, std::ceil((layout.content_height - room.y) / lines)));
    if (lower.tile <= largest) continue;
    largest = lower.tile;
    grid.columns = lower.columns;
  }
  grid.tile = std::min(grid.tile, largest);
}

/// Heads that were chosen follow one another, as many on a line as have room for their names and numbers. Sets the size of the tiles.
/// `room`: the width and the height that they may take; 0: as much as they like. Returns the width that they take.
float size_chosen_tiles(const Snapshot& snapshot, GridFigureRequest& grid, Point room, const MeasureText& measure) {
  constexpr float kUsualWidth = 960, kLeastChosenTile = 72, kMostChosenTile = 152;
  const std::vector<HeadId>& heads = grid.arrangement->heads;
  const float captions = flow_caption_width(snapshot, heads, measure), width = room.x > 0 ? room.x : kUsualWidth;
  const int fitting = std::max(1, static_cast<int>((width + kFlowGap) / (captions + kFlowGap)));
  grid.columns = std::min(heads_on_a_line(static_cast<int>(heads.size())), fitting);
  const float side = std::floor((width + kFlowGap) / static_cast<float>(grid.columns)) - kFlowGap;
  grid.tile = room.x > 0 ? std::min(side, kMostChosenTile) : std::clamp(side, kLeastChosenTile, kMostChosenTile);
  if (room.y > 0) make_chosen_lower(snapshot, grid, fitting, room, measure);
  return make_flow_layout(snapshot, grid, measure).content_width;
}

/// The heads of a page in their order, with the columns that decide it. Throws Error (usage) where the filters leave none.
MeasuredHeads arranged_heads(const Snapshot& snapshot, const FigureRequest& request) {
  if (!request.measures.arranges_heads()) {
    std::vector<HeadId> heads = request.only.empty() ? snapshot.all_heads() : request.only;
    return {{}, heads, heads};
  }
  MeasuredHeads heads = measured_heads(snapshot, request.measures, request.only);
  if (heads.rows.empty())
    throw Error({.kind = ErrorKind::usage,
                 .field = "figure",
                 .problem = "no head is left to draw",
                 .found = measured_text(heads, request.measures),
                 .expected = "a range that one head is in"});
  return heads;
}

/// Tiles follow one another, layers mixed; else each has the place of its layer.
bool is_flowing(const FigureRequest& request) {
  return !request.only.empty() || !request.measures.sorts.empty();
}

/// "gpt2 · 4 layers × 8 heads", or "gpt2 · 6 of 32 heads".
std::string title_of(const Snapshot& snapshot, const MeasuredHeads& heads) {
  const std::size_t all = snapshot.all_heads().size(), shown = heads.rows.size();
  return snapshot.model->name + " · " + (shown == all ? sizes_of(snapshot) : fmt::format("{} of {} heads", shown, all));
}

/// What numbers and bars are, and what the heads are arranged by.
std::string arrangement_notes(const MeasuredHeads& heads, const MeasuresRequest& measures, bool has_numbers) {
  std::string notes;
  if (has_numbers) notes = measures.tint.empty() ? grid_number_text() : "number and bar: " + title_of_column(measures, measures.tint);
  if (!measures.arranges_heads()) return notes;
  return notes + (notes.empty() ? "" : " · ") + measured_text(heads, measures);
}

std::string notes_of_stage(const Snapshot& snapshot, Stage stage) {
  const std::string notes = notes_of_numbers(snapshot);
  return staged_text(snapshot, stage) + (notes.empty() ? "" : " · ") + notes;
}

/// What a page without notes still says: what the maps are derived from, and why heads are missing.
std::string kept_notes(const MeasuredHeads& heads, const FigureRequest& request, ShownMaps& maps) {
  const std::string badge = request.stage == Stage::weights ? badge_of(maps) : staged_text(maps.run(), request.stage);
  if (request.measures.ranges.empty()) return badge;
  return measured_text(heads, request.measures) + (badge.empty() ? "" : " · ") + badge;
}

/// Beside the tiles; of a page of a stated width below the names of tokens above the first ones.
void add_bar(Page& page, const GridFigureRequest& grid, const GridFigure& figure, const ColourScale& scale, bool has_width,
             const MeasureText& measure) {
  const float top = figure.layout.flow.empty() ? figure.layout.box_of({}).y : figure.layout.first.y;
  const float below = has_width ? top - grid.area.y : 0;
  const float height = std::min(figure.content_height - 20 - below, std::max(grid.tile, 160.0F));
  const Box bar{grid.area.right() + kBarGap / 2, top, kBarWidth, height};
  Scene part;
  part.items.emplace_back(SceneRamp{bar, scale});
  add_bar_marks(part, bar, scale, page.colours(), measure);
  page.add(part);
}

Scene make_grid(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr int kColumns = 16;
  constexpr float kUsualBarRoom = 88, kNarrowBarRoom = 68, kEndless = 1e9F;
  GridFigureRequest grid = grid_of(snapshot, request);
  const MeasuredHeads heads = arranged_heads(snapshot, request);
  const HeadColumn* tint = find_column(heads.columns, request.measures.tint);
  const ColumnSpread tints = tint == nullptr ? ColumnSpread() : spread_of(*tint, snapshot.all_heads());
  if (request.measures.arranges_heads()) grid.arrangement = arranged_grid(heads.rows, is_flowing(request), tint, tints);
  ShownMaps maps(snapshot, request.style);
  grid.maps = &maps;
  std::optional<StagedMaps> staged;
  if (request.stage != Stage::weights) {
    ThreadPool pool;
    grid.staged = &staged.emplace(make_staged_maps(snapshot, request.stage, pool));
  }
  const ColourScale scale = staged ? scale_of_staged(request.style, *staged) : maps.scale_of_all();
  const bool has_bar = (staged || maps.has_one_scale()) && request.page.has(PagePart::bar);
  const float room = room_across(request.page);
  const bool is_narrow_bar = room > 0 && !(scale.clipped > 0);
  const float bar_room = has_bar ? (is_narrow_bar ? kNarrowBarRoom : kUsualBarRoom) : 0;
  const bool is_chosen = grid.arrangement && grid.arrangement->is_flowing;
  if (room > 0) grid.area.width = room - bar_room;
  if (!is_chosen) {
    const int columns = std::min(snapshot.heads(), kColumns);
    grid.tile = room > 0 ? tile_of_page(snapshot, grid, highest_grid(request.page), measure)
                         : std::clamp(std::floor(960 / static_cast<float>(columns)) - kTileGap, 72.0F, kLargestPageTile);
  }
  const PageWords words{title_of(snapshot, heads), sentence_of(snapshot)};
  const std::string notes = staged ? notes_of_stage(snapshot, request.stage) : notes_of(snapshot, request.style);
  const auto notes_with = [&](bool has_numbers) {
    const std::string arrangement = arrangement_notes(heads, request.measures, has_numbers);
    return arrangement.empty() ? notes : fmt::format("{} · {}", arrangement, notes);
  };
  const std::string kept = kept_notes(heads, request, maps);
  const float high = room > 0 && is_chosen ? Page(words, request.style, request.page, room, measure).room_below(notes_with(true), kept) : 0;
  const float width = is_chosen ? size_chosen_tiles(snapshot, grid, {room > 0 ? room - bar_room : 0, high}, measure)
                                : make_grid_layout(snapshot, grid, grid_label_width(snapshot, measure), measure).content_width;
  const CaptionWidths captions = caption_widths(snapshot, measure);
  const bool has_names = is_chosen || grid.tile >= captions.name;
  const bool has_numbers = is_chosen || room <= 0 || grid.tile >= captions.numbered;
  grid.area = {0, 0, width, kEndless};
  Page page(words, request.style, request.page, grid.area.width + bar_room, measure);
  if (!has_names) page.move_down(kHeadNumbers);
  grid.area.x = page.left();
  grid.area.y = page.top();
  const GridFigure figure = make_grid_figure(snapshot, grid, measure);
  page.add(figure.scene);
  if (!has_names) add_head_numbers(page, figure.layout);
  if (has_bar) add_bar(page, grid, figure, scale, room > 0, measure);
  page.move_down(figure.content_height);
  return page.finish(notes_with(has_numbers), kept);
}

/// Without measuring: a dialog asks in every frame.
std::string grid_caption(const Snapshot& snapshot, const FigureRequest& request) {
  const MeasuresRequest& measures = request.measures;
  const std::size_t all = snapshot.all_heads().size();
  std::string text = fmt::format("{}{} heads", measures.ranges.empty() ? "All " : "", all);
  if (request.stage != Stage::weights) text = fmt::format("{}: {}", name_of(request.stage), text);
  if (!request.only.empty()) text = fmt::format("{} of {} heads", request.only.size(), all);
  if (!measures.ranges.empty()) text += ", filtered by " + title_of_column(measures, measures.ranges.front().column);
  if (!measures.sorts.empty()) text += ", ordered by " + title_of_column(measures, measures.sorts.front().column);
  return text;
}

std::vector<ComparedHead> shown_heads(const Snapshot& snapshot, const FigureRequest& request) {
  return compared(arranged_heads(snapshot, request).rows);
}

std::vector<std::int64_t> layers_and_heads(const Snapshot& snapshot, const FigureRequest& request) {
  const bool are_all_by_layer = !is_flowing(request) && request.measures.ranges.empty();
  if (are_all_by_layer) return {snapshot.layers(), snapshot.heads()};
  return {static_cast<std::int64_t>(arranged_heads(snapshot, request).rows.size())};
}

/// The values that tiles carry, in their order.
NumberTable tint_table(const MeasuredHeads& heads, const HeadColumn& tint) {
  NumberTable table{.name = tint.id, .values = Matrix(1, static_cast<Index>(heads.rows.size()))};
  for (std::size_t place = 0; place < heads.rows.size(); ++place)
    table.values(0, static_cast<Index>(place)) = static_cast<float>(tint.values.of(heads.rows[place]));
  return table;
}

/// The small maps that are drawn, and what they carry.
std::vector<NumberTable> small_maps(const Snapshot& snapshot, const FigureRequest& request) {
  std::vector<NumberTable> tables;
  const MeasuredHeads heads = arranged_heads(snapshot, request);
  std::optional<ThreadPool> pool;
  std::map<int, std::vector<Matrix>> staged;  // of the layers with a head that is drawn
  const auto values_of = [&](HeadId head) {
    if (request.stage == Stage::weights) return *snapshot.summary(head).pooled.whole();
    if (!pool) pool.emplace();
    if (!staged.contains(head.layer)) staged[head.layer] = small_stage_values(snapshot, head.layer, request.stage, *pool);
    return staged[head.layer][static_cast<std::size_t>(head.head)];
  };
  for (const HeadId head : heads.rows) {
    if (snapshot.contains(head)) tables.push_back({fmt::format("{}.{}", head.layer, head.head), 0, false, true, values_of(head)});
  }
  if (const HeadColumn* tint = find_column(heads.columns, request.measures.tint)) tables.push_back(tint_table(heads, *tint));
  return tables;
}

}  // namespace

GridFigureRequest grid_of(const Snapshot& snapshot, const FigureRequest& request) {
  GridFigureRequest grid;
  constexpr HeadId kNone{-1, -1};  // a head of another run marks no tile
  grid.style = request.style;
  grid.brushed = request.measures.brushed;
  if (!request.only.empty()) grid.arrangement = GridArrangement{.is_flowing = true, .heads = request.only};
  if (request.marked.query || request.marked.key) {
    grid.marks = [&snapshot, marked = request.marked](int layer) {
      const MarkedTokens found = marked_in(marked, snapshot, snapshot, layer);
      return TileMarks{.pinned_query = found.query, .pinned_key = found.key};
    };
  }
  for (const ComparedHead& head : request.heads) grid.pinned.push_back(&run_of(head, snapshot) == &snapshot ? head.head : kNone);
  return grid;
}

constexpr FigureKind kGridFigure = {
    .name = "grid",
    .noun = "a grid",
    .what = "every head",
    .file_name = "heads",
    .needs = {.has_lengths = true,
              .marks_tokens = true,
              .lists_heads = true,
              .has_measures = true,
              .orders_heads = true,
              .tints_heads = true,
              .marks_heads = true,
              .has_bar = true},
    .caption = grid_caption,
    .scene = make_grid,
    .numbers = {.heads = shown_heads, .axes = layers_and_heads, .pictured = small_maps},
};

}  // namespace headlight
