#include <fmt/core.h>

#include <algorithm>

#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/views.h"
#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/pictures.h"

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

/// What is pinned, and what is pointed at in the strip.
TileMarks tile_marks(const Panel& panel, int layer) {
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  TileMarks marks{.pinned_query = pinned_query_of(panel, layer)};
  if (cross && cross->query != kNoToken) marks.hovered_query = cross->query;
  if (cross && cross->key != kNoToken) marks.hovered_key = cross->key;
  return marks;
}

void draw_grid(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box seen = place.points(Box{box.x, box.y, box.width - look.px(12), box.height});
  GridFigureRequest request = grid_of(*panel.snapshot, shown_figure(panel, kGridFigure));
  request.area = {kOverviewCorner.x, kOverviewCorner.y, seen.width - 2 * kRim, seen.height - 2 * kRim};
  request.scroll = ImGui::GetScrollY() / look.scale;
  request.selected = panel.view.head;
  request.hovered = hovered_head(panel);
  request.pictures = panel.caches.pictures.overview();
  request.marks = [&](int layer) { return tile_marks(panel, layer); };
  GridFigure figure = make_grid_figure(*panel.snapshot, request, panel.context.painter.measure());
  const float content = (figure.content_height + 2 * kRim) * look.scale;
  const bool is_scrolled = content > box.height;
  ImGui::Dummy({1, content + (is_scrolled ? panel.caches.notes_height : 0)});  // the last heads can be scrolled clear of the notes
  panel.view.overview.scroll = request.scroll;
  figure.scene.width = request.area.width;
  figure.scene.height = request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "overview");
  for (const auto& [head, tile] : figure.tiles) {
    const auto queries = static_cast<float>(panel.snapshot->queries(head.layer)),
               keys = static_cast<float>(panel.snapshot->keys(head.layer));
    const bool is_numbered = panel.snapshot->model->config.place(head.layer).stack == Stack::only;
    name_area("head " + (is_numbered ? short_name(*panel.snapshot, head) : short_name(head)), place.pixels(tile), {0, queries, 0, keys});
    if (has_mask_of_its_own(*panel.snapshot, head)) name_area("own mask of head " + short_name(head), place.pixels(tile));
  }
  std::optional<HeadId> under;
  if (ImGui::IsWindowHovered()) under = figure.head_at(place.points(ImGui::GetIO().MousePos));
  panel.view.pointed.head = under;
  if (!under) return;
  draw_head_bubble(panel, *under, place.pixels(figure.layout.box_of(*under)));
  answer_pointer(panel, *under);
}

/// What the colours mean, at the right of the header: "0", a ramp, and where it ends. Returns its left edge.
float draw_colour_bar(const Panel& panel, const Box& header) {
  const Look& look = panel.look;
  const ColourScale scale = scale_of_head(*panel.snapshot, panel.draft.style, {});
  std::string high = fmt::format("{:.2g}", scale.high);
  if (panel.draft.style.range == RangeKind::head) high = "each head's largest";
  if (panel.draft.style.range == RangeKind::layer) high = "each layer's largest";
  const std::string low = scale.kind == ScaleKind::log ? bar_number(scale.value_at(0), scale) : "0";
  const float middle = header.y + header.height / 2, half = look.px(4), between = look.px(kUnit);
  float right = header.right();
  draw_text(look, right, middle, Type::number, look.colours.text_second, high, AlignX::right);
  right -= text_width(look, Type::number, high) + between;
  const float left = right - look.px(96);
  draw_ramp(ramp(scale.map, scale.is_dark), {left, middle - half}, {right - left, 2 * half});
  draw_text(look, left - between, middle, Type::number, look.colours.text_second, low, AlignX::right);
  const float begin = left - between - text_width(look, Type::number, low);
  press_area("Colour bar", {begin, header.y}, {header.right() - begin, header.height});
  hint(look, "The colour of a weight. Display in the left rail changes it, and whether all maps end at the same weight.");
  return begin - look.px(kBetween);
}

/// How to read the tiles, the most important first: what does not fit is cut off.
std::string header_text(const Panel& panel) {
  const Snapshot& snapshot = *panel.snapshot;
  int heads = 0;
  bool has_brackets = false;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    heads += snapshot.heads(layer);
    has_brackets = has_brackets || has_groups(snapshot, layer);
  }
  const std::string badge = badge_of(snapshot, panel.draft.style);
  const std::vector<MaskRule>& rules = snapshot.query.mask.rules;
  const bool has_dots = std::any_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind != Scope::Kind::all; });
  return fmt::format("{} head{}{} · rows query, columns key · number: spread, 0 one token … 1 even{}{}{} · click opens, ctrl-click pins",
                     heads, heads == 1 ? "" : "s", badge.empty() ? "" : " · " + badge, has_dots ? " · dot: a mask of its own" : "",
                     second_sentence(*snapshot.encoding) ? " · lines: where the second sentence begins" : "",
                     has_brackets ? " · brackets: heads that share a key and value" : "");
}

}  // namespace

void draw_overview(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const float margin = look.px(24);
  const float header = look.px(kHeader);
  begin_region(look, "Overview header", {box.x, box.y, box.width, header}, Colour{0, 0, 0, 0}, {0, 0});
  const std::string title = header_text(panel);
  const float room = draw_colour_bar(panel, {box.x + margin, box.y, box.width - 2 * margin, header}) - box.x - margin;
  draw_text(look, box.x + margin, box.y + header / 2, Type::body, look.colours.text_second, elided(look, Type::body, title, room));
  press_area("About the numbers", {box.x + margin, box.y}, {room, header});
  hint(look,
       "A small map per head: the stronger a cell's colour, the more its row's token attends to its column's. The number is the entropy "
       "of a row divided by the most it could be, averaged over rows. 0: every query looks at one token. 1: evenly at all tokens.");
  end_region();
  const float rim = look.px(kRim);
  const Box grid{box.x + margin - rim, box.y + header, box.width - 2 * margin + look.px(12) + 2 * rim, box.height - header};
  begin_region(look, "Overview grid", grid, Colour{0, 0, 0, 0}, {0, 0}, ImGuiWindowFlags_None);
  draw_grid(panel, grid);
  end_region();
}

}  // namespace headlight
