#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/columns/arranged_heads.h"
#include "app/gui/columns/brush.h"
#include "app/gui/finding/unanswered.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/larger_map.h"
#include "app/gui/views/views.h"
#include "engine/core/numbers.h"
#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/grid/grid_figure.h"
#include "engine/figure/heads/arranged_grid.h"
#include "engine/figure/map_layout.h"

namespace headlight {
namespace {

constexpr float kHeader = 44;
constexpr float kRim = kOverviewCorner.x;

/// What a tile says under the pointer.
void draw_head_bubble(const Panel& panel, HeadId head, const Box& tile) {
  const Look& look = panel.look;
  if (!begin_bubble(look, tile)) return;
  ImGui::Dummy({look.px(200), 0});
  text_line(look, Type::strong, look.colours.text, head_title(*panel.snapshot, head));
  if (panel.view.pointed.cell) draw_cell_lines(panel, maps_of(panel, {head}).get(), {head}, *panel.view.pointed.cell);
  draw_measure_rows(look, panel.snapshot->summary(head), MeasurePlace::pointer);
  if (!panel.snapshot->is_dump()) {
    const bool is_own = has_mask_of_its_own(*panel.snapshot, head);
    number_row(look, is_own ? "its own mask" : "mask", elided(look, Type::number, mask_of_head(*panel.snapshot, head), look.px(220)));
  }
  text_line(look, Type::caption, look.colours.text_second, "click opens · ctrl-click pins");
  end_bubble();
}

void answer_pointer(Panel& panel, HeadId head) {
  if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (ImGui::GetIO().KeyCtrl) {
    toggle_pin(panel.draft, head);
    return;
  }
  panel.view.head = head;
  panel.view.view = View::head;
  panel.view.head_page.zoom = {};
}

/// What is pinned, and what is pointed at in the strip or in a map.
TileMarks tile_marks(const Panel& panel, int layer) {
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  TileMarks marks{.pinned_query = pinned_query_of(panel, layer), .pinned_key = {}};
  if (cross && cross->query != kNoToken) marks.hovered_query = cross->query;
  if (cross && cross->key != kNoToken) marks.hovered_key = cross->key;
  return marks;
}

/// Names the tiles for scripts and tests.
void name_tiles(const Panel& panel, const GridFigure& figure, const ScenePlace& place) {
  for (const auto& [head, tile] : figure.tiles) {
    const auto queries = static_cast<float>(panel.snapshot->queries(head.layer)),
               keys = static_cast<float>(panel.snapshot->keys(head.layer));
    const bool is_numbered = panel.snapshot->model->config.place(head.layer).stack == Stack::only;
    name_area("head " + (is_numbered ? short_name(*panel.snapshot, head) : short_name(head)), place.pixels(tile), {0, queries, 0, keys});
    if (has_mask_of_its_own(*panel.snapshot, head)) name_area("own mask of head " + short_name(head), place.pixels(tile));
  }
}

/// The head under the pointer, and its cell where tiles are large enough to tell one.
std::optional<HeadId> find_pointed(Panel& panel, const GridFigure& figure, Point pointer) {
  Pointed& pointed = panel.view.pointed;
  pointed.head = ImGui::IsWindowHovered() ? figure.head_at(pointer) : std::nullopt;
  if (!pointed.head) return std::nullopt;
  pointed.cell = figure.cell_at(*panel.snapshot, *pointed.head, pointer);
  pointed.layer = pointed.head->layer;
  return pointed.head;
}

/// The maps of the chosen stage, as far as they are made; null while the weights are shown, which are there at once.
std::shared_ptr<const StagedMaps> staged_here(const Panel& panel) {
  const Stage stage = panel.view.overview.stage;
  StageStudies& studies = panel.context.session.stages();
  if (stage == Stage::weights) {
    studies.rest();
    return nullptr;
  }
  const std::shared_ptr<const StagesFound> found = studies.ask({panel.snapshot, stage});
  return found ? std::shared_ptr<const StagedMaps>(found, &found->maps) : std::make_shared<const StagedMaps>(StagedMaps{stage, {}});
}

void draw_grid(Panel& panel, const std::optional<ArrangedHeads>& arranged, const Box& box) {
  const Look& look = panel.look;
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box seen = place.points(Box{box.x, box.y, box.width - look.px(12), box.height});
  GridFigureRequest request = grid_of(*panel.snapshot, shown_figure(panel, kGridFigure));
  request.area = {kOverviewCorner.x, kOverviewCorner.y, seen.width - 2 * kRim, seen.height - 2 * kRim};
  request.scroll = ImGui::GetScrollY() / look.scale;
  request.selected = panel.view.head;
  request.maps = &shown_maps(panel);
  const std::shared_ptr<const StagedMaps> staged = staged_here(panel);
  request.staged = staged.get();
  request.marks = [&](int layer) { return tile_marks(panel, layer); };
  if (arranged) request.arrangement = arranged_grid(arranged->heads, arranged->sort != nullptr, arranged->tint, arranged->tints);
  const MeasureText measure = panel.context.painter.measure();
  GridFigure figure = place_grid_figure(*panel.snapshot, request, measure);
  const float content = (figure.content_height + 2 * kRim) * look.scale;
  const bool is_scrolled = content > box.height;
  ImGui::Dummy({1, content + (is_scrolled ? panel.caches.notes_height : 0)});  // the last heads can be scrolled clear of the notes
  panel.view.overview.scroll = request.scroll;
  const std::optional<HeadId> under = find_pointed(panel, figure, place.points(ImGui::GetIO().MousePos));
  const LargerMap larger = place_larger_map(panel, figure.layout.spare, place);
  request.hovered = hovered_head(panel);
  draw_grid_figure(*panel.snapshot, request, measure, figure);
  figure.scene.width = request.area.width;
  figure.scene.height = request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "overview");
  name_tiles(panel, figure, place);
  draw_larger_map(panel, larger, place);
  if (!under) return;
  draw_head_bubble(panel, *under, place.pixels(figure.layout.box_of(*under)));
  answer_pointer(panel, *under);
}

constexpr float kRampWidth = 96;

/// What each head, or each layer, has at the top of its own colours.
std::string own_scales_text(const Style& style) {
  if (!ranks_cells(style)) return style.range == RangeKind::head ? "each head's largest" : "each layer's largest";
  const std::string_view whose = style.among == Among::head ? "each head" : "each layer";
  return style.scale == ScaleKind::rank ? fmt::format("rank in {}", whose) : fmt::format("{}'s percentile {:g}", whose, style.percentile);
}

/// The numbers, or words, at the ends of the colour bar.
std::pair<std::string, std::string> colour_bar_ends(const Panel& panel) {
  if (const std::shared_ptr<const StagedMaps> staged = staged_here(panel)) {
    const ColourScale scale = scale_of_staged(panel.draft.style, *staged);
    return {scale.kind == ScaleKind::log ? bar_number(scale.value_at(0), scale) : "0", fmt::format("{:.2g}", scale.high)};
  }
  ShownMaps& maps = shown_maps(panel);
  const ColourScale scale = maps.scale_of_all();
  std::string high = fmt::format("{:.2g}", scale.high);
  if (scale.clipped > 0 && maps.has_one_scale()) high += fmt::format(", {} clipped", percent_text(static_cast<double>(scale.clipped)));
  if (!maps.has_one_scale()) high = own_scales_text(panel.draft.style);
  return {scale.kind == ScaleKind::log ? bar_number(scale.value_at(0), scale) : "0", high};
}

/// With the gap at its left.
float colour_bar_width(const Panel& panel) {
  const Look& look = panel.look;
  const auto [low, high] = colour_bar_ends(panel);
  return text_width(look, Type::number, low) + text_width(look, Type::number, high) + look.px(kRampWidth + 2 * kUnit + kBetween);
}

/// What the colours mean, at the right of the header: "0", a ramp, and where it ends.
void draw_colour_bar(const Panel& panel, const Box& header) {
  const Look& look = panel.look;
  const auto [low, high] = colour_bar_ends(panel);
  const std::shared_ptr<const StagedMaps> staged = staged_here(panel);
  const ColourScale scale = staged ? scale_of_staged(panel.draft.style, *staged) : shown_maps(panel).scale_of_all();
  const float middle = header.y + header.height / 2, half = look.px(4), between = look.px(kUnit);
  float right = header.right();
  draw_text(look, right, middle, Type::number, look.colours.text_second, high, AlignX::right);
  right -= text_width(look, Type::number, high) + between;
  const float left = right - look.px(kRampWidth);
  draw_ramp(ramp(scale.map, scale.is_dark), {left, middle - half}, {right - left, 2 * half});
  draw_text(look, left - between, middle, Type::number, look.colours.text_second, low, AlignX::right);
  const float begin = left - between - text_width(look, Type::number, low);
  press_area("Colour bar", {begin, header.y}, {header.right() - begin, header.height});
  hint(look, "The colour of a weight. Display in the left rail changes it, and whether all maps end at the same weight.");
}

/// How to read the tiles and what a click does, part by part; in fewer words where there is little room.
std::vector<std::string> header_parts(const Panel& panel, const std::optional<ArrangedHeads>& arranged, bool is_brief) {
  const Snapshot& snapshot = *panel.snapshot;
  int heads = 0;
  bool has_brackets = false;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    heads += snapshot.heads(layer);
    has_brackets = has_brackets || has_groups(snapshot, layer);
  }
  std::vector<std::string> parts{fmt::format("{} head{}", heads, heads == 1 ? "" : "s"), "rows query, columns key",
                                 is_brief ? "number: spread 0 … 1" : "number: spread, 0 one token … 1 even"};
  if (arranged && arranged->tint != nullptr) parts.back() = "number and bar: " + arranged->tint->title;
  constexpr std::string_view kDot = " · ";
  const Stage stage = panel.view.overview.stage;
  const std::string badge = stage == Stage::weights ? badge_of(shown_maps(panel)) : fmt::format("maps: {}, derived", row_of(stage).label);
  for (std::size_t begin = 0; begin < badge.size();) {  // part by part, so that a long one is broken and not cut off
    const std::size_t end = std::min(badge.find(kDot, begin), badge.size());
    parts.push_back(badge.substr(begin, end - begin));
    begin = end + kDot.size();
  }
  const std::vector<MaskRule>& rules = snapshot.query.mask.rules;
  const bool has_dots = std::any_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind != Scope::Kind::all; });
  if (has_dots) parts.emplace_back("dot: a mask of its own");
  if (second_sentence(*snapshot.encoding)) parts.emplace_back("lines: where the second sentence begins");
  if (has_brackets) parts.emplace_back("brackets: heads that share a key and value");
  parts.emplace_back("click opens, ctrl-click pins");
  return parts;
}

/// The parts with a dot between them, broken into lines between two parts.
std::vector<std::string> lines_of(const Look& look, const std::vector<std::string>& parts, float width) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    const std::string longer = lines.empty() ? part : lines.back() + " · " + part;
    if (lines.empty() || text_width(look, Type::body, longer) > width) {
      lines.push_back(part);
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

/// In one line where its words fit, else with fewer words, else on as many lines as they need.
std::vector<std::string> header_lines(const Panel& panel, const std::optional<ArrangedHeads>& arranged, float width) {
  std::vector<std::string> lines = lines_of(panel.look, header_parts(panel, arranged, false), width);
  return lines.size() == 1 ? lines : lines_of(panel.look, header_parts(panel, arranged, true), width);
}

/// The order or the numbers are of what is asked, and no head has any.
bool has_unanswered_order(const Panel& panel, const ArrangedHeads& arranged) {
  const auto is_asked = [](const HeadColumn* column) { return column != nullptr && column->origin == ColumnOrigin::question; };
  return (is_asked(arranged.sort) || is_asked(arranged.tint)) && !why_unanswered(panel).empty();
}

/// What is ordered and left out, and the way back.
void draw_arrangement(Panel& panel, const ArrangedHeads& arranged, const Box& line) {
  const Look& look = panel.look;
  const HeadArrangement& arrangement = panel.view.overview.arrangement;
  std::string text = arrangement_text(arranged, arrangement);
  if (text.empty()) text = arranged.tint != nullptr ? "by layer, with the values of " + arranged.tint->title : "measuring …";
  constexpr const char* kReset = "Reset";
  const float button = text_width(look, Type::caption, kReset) + 2 * look.px(kUnit);
  const Box words{line.x, line.y, line.width - button, line.height};
  float end = line.x;
  if (has_unanswered_order(panel, arranged)) {
    end = draw_unanswered(panel, words);
  } else {
    text = elided(look, Type::body, text, words.width);
    draw_text(look, line.x, line.y + line.height / 2, Type::body, look.colours.accent, text);
    end += text_width(look, Type::body, text);
  }
  const float right = end + button;
  const bool is_reset = word_button(look, kReset, kReset, right, line).is_clicked;
  hint(look, "All heads again, by layer and head, with their spread.");
  if (is_reset) arrange_overview(panel, {});
}

/// The heads of the layers that a run has so far.
std::vector<HeadId> heads_there(const Snapshot& part) {
  std::vector<HeadId> heads = part.all_heads();
  std::erase_if(heads, [&](HeadId head) { return part.summary(head).pooled.size() == 0; });
  return heads;
}

}  // namespace

bool shows_first_layers(const Panel& panel) {
  if (!panel.part || panel.part->is_empty()) return false;
  return !panel.has_picture() || (panel.view.view == View::overview && panel.snapshot->model != panel.part->model);
}

void draw_first_layers(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const Snapshot& part = *panel.part;
  const float margin = look.px(24), header = look.px(kHeader), rim = look.px(kRim);
  GridFigureRequest request;
  request.arrangement = GridArrangement{.heads = heads_there(part)};
  request.style = panel.draft.style;
  if (request.style.among == Among::model) request.style.among = Among::layer;  // the model's is known with its last layer
  request.maps = &panel.caches.pictures.shown(panel.part, request.style);
  begin_region(look, "First layers", box, Colour{0, 0, 0, 0}, {0, 0});
  const int done = static_cast<int>(request.arrangement->heads.size()) / std::max(1, part.heads(0));
  const std::string text = fmt::format("{} of {} layers · {} …", done, part.layers(), panel.status.step);
  draw_text(look, box.x + margin, box.y + header / 2, Type::body, look.colours.text_second, text);
  const ScenePlace place{{box.x + margin - rim, box.y + header}, look.scale};
  const Box seen = place.points(Box{box.x, box.y, box.width - 2 * margin, box.height - header});
  request.area = {kOverviewCorner.x, kOverviewCorner.y, seen.width, seen.height - 2 * kRim};
  GridFigure figure = make_grid_figure(part, request, panel.context.painter.measure());
  figure.scene.width = request.area.width;
  figure.scene.height = request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "overview");
  end_region();
}

void rest_overview(Panel& panel) {
  panel.view.pointed.head.reset();
  panel.context.session.stages().rest();
}

void draw_overview(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const float margin = look.px(24), line = look.px(kLine);
  const float first = look.px(kHeader);
  const float width = box.width - 2 * margin;
  std::optional<ArrangedHeads> arranged;
  if (is_arranged(panel.view.overview.arrangement)) arranged = arranged_heads(panel, panel.view.overview.arrangement);
  const float room = width - colour_bar_width(panel);
  const std::vector<std::string> lines = header_lines(panel, arranged, room);
  const float words = first + static_cast<float>(lines.size() - 1) * line, header = words + (arranged ? look.px(kRow) : 0);
  begin_region(look, "Overview header", {box.x, box.y, box.width, header}, Colour{0, 0, 0, 0}, {0, 0});
  draw_colour_bar(panel, {box.x + margin, box.y, width, first});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float middle = box.y + first / 2 + static_cast<float>(i) * line;
    draw_text(look, box.x + margin, middle, Type::body, look.colours.text_second, elided(look, Type::body, lines[i], room));
  }
  press_area("About the numbers", {box.x + margin, box.y}, {room, words});
  hint(look,
       "A small map per head: the stronger a cell's colour, the more its row's token attends to its column's. The number is the entropy "
       "of a row divided by the most it could be, averaged over rows. 0: every query looks at one token. 1: evenly at all tokens.");
  if (arranged) draw_arrangement(panel, *arranged, {box.x + margin, box.y + words - look.px(kInside), width, look.px(kRow)});
  end_region();
  const float rim = look.px(kRim);
  const Box grid{box.x + margin - rim, box.y + header, width + look.px(12) + 2 * rim, box.height - header};
  begin_region(look, "Overview grid", grid, Colour{0, 0, 0, 0}, {0, 0}, ImGuiWindowFlags_None);
  draw_grid(panel, arranged, grid);
  end_region();
}

}  // namespace headlight
