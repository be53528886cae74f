#include "app/gui/views/measures/head_squares.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/columns/brush.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"

namespace headlight {
namespace {

constexpr float kSquaresTitle = 24, kMostSide = 26, kLeastSide = 3;

/// Of all layers, in pixels.
float side_of_squares(const Panel& panel, const Box& field) {
  const Snapshot& snapshot = *panel.snapshot;
  const float across = field.width / static_cast<float>(std::max(1, snapshot.heads()));
  const float down = field.height / static_cast<float>(std::max(1, snapshot.layers()));
  const Look& look = panel.look;
  return std::floor(std::clamp(std::min(across, down), look.px(kLeastSide), look.px(kMostSide)));
}

void draw_square_of(Panel& panel, const HeadColumn& column, const ColumnSpread& spread, HeadId head, const Box& box) {
  const Look& look = panel.look;
  const float gap = box.width >= look.px(8) ? look.px(1) : 0;
  const ImVec2 from{box.x + gap, box.y + gap}, to{box.right() - gap, box.bottom() - gap};
  const double place = spread.place(column.values.of(head));
  if (std::isnan(place)) {
    outline(look, from, to, look.colours.line, 2);
  } else {
    fill(look, from, to, mix(look.colours.raised, look.colours.key, static_cast<float>(place)), 2);
  }
  const bool is_hovered = hovered_head(panel) == head;
  if (is_brushed(panel, head) || is_hovered) outline(look, from, to, is_hovered ? look.colours.text : look.colours.accent, 2);
}

/// The head under the pointer; a click brushes it.
void answer_squares(Panel& panel, const Box& field, float side) {
  const Press press =
      press_area("Squares of heads", {field.x, field.y}, {field.width, side * static_cast<float>(panel.snapshot->layers())});
  if (!press.is_hovered) return;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const HeadId head{static_cast<int>((pointer.y - field.y) / side), static_cast<int>((pointer.x - field.x) / side)};
  if (!panel.snapshot->contains(head)) return;
  panel.view.pointed.head = head;
  if (press.is_clicked) brush_by_click(panel.view, head, panel.snapshot->all_heads());
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
  if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
}

}  // namespace

void draw_head_squares(Panel& panel, const ShownColumns& shown, const Box& box) {
  const HeadColumn* column = explained_column(panel.view.measures, shown);
  if (column == nullptr) return;
  const Look& look = panel.look;
  const Snapshot& snapshot = *panel.snapshot;
  begin_region(look, "Heads as squares", box, Colour{0, 0, 0, 0}, {0, 0});
  draw_text(look, box.x, box.y + look.px(kSquaresTitle / 2), Type::caption, look.colours.text_second,
            elided(look, Type::caption, column->title + ", by layer and head", box.width));
  float names = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer)
    names = std::max(names, text_width(look, Type::caption, snapshot.layer_name(layer)));
  names = std::ceil(names) + look.px(kUnit);
  const Box field{box.x + names, box.y + look.px(kSquaresTitle), box.width - names, box.height - look.px(kSquaresTitle)};
  const float side = side_of_squares(panel, field);
  answer_squares(panel, field, side);
  const ColumnSpread spread = spread_of(*column, snapshot.all_heads());
  const int step = std::max(1, static_cast<int>(std::ceil(look.px(14) / side)));
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const float y = field.y + side * static_cast<float>(layer);
    if (y + side > box.bottom()) break;
    if (layer % step == 0) {
      draw_text(look, field.x - look.px(kUnit), y + side / 2, Type::caption, look.colours.text_second, snapshot.layer_name(layer),
                AlignX::right);
    }
    for (int head = 0; head < snapshot.heads(layer); ++head) {
      draw_square_of(panel, *column, spread, {layer, head}, {field.x + side * static_cast<float>(head), y, side, side});
    }
  }
  end_region();
}

}  // namespace headlight
