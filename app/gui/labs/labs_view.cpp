// The Labs view: a list of small experiments at the left, the chosen one at the right.
#include <span>

#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/labs/lab_table.h"
#include "app/gui/labs/labs.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

constexpr float kListWidth = 184;
constexpr float kListRow = 48;

void draw_lab_list(Panel& panel, const Box& box, std::span<const LabRow> labs) {
  const Look& look = panel.look;
  begin_region(look, "Lab list", box, Colour{0, 0, 0, 0}, {0, 0}, ImGuiWindowFlags_None);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float height = look.px(kListRow);
  const float left = box.x + look.px(kUnit);
  const float right = box.right() - look.px(kUnit);
  float top = ImGui::GetCursorScreenPos().y + look.px(kBetween);
  for (const LabRow& entry : labs) {
    const Press press = press_area(entry.title, {left, top}, {right - left, height});
    if (press.is_clicked) panel.view.labs.lab = entry.lab;
    const bool is_chosen = panel.view.labs.lab == entry.lab;
    if (is_chosen) {
      fill(look, {left, top}, {right, top + height}, mix(look.colours.raised, look.colours.line, 0.4F));
    }
    const float text = left + look.px(kUnit);
    const Colour colour = is_chosen || press.is_hovered ? look.colours.text : look.colours.text_second;
    draw_text(look, text, top + look.px(16), Type::body, colour, entry.title);
    draw_text(look, text, top + look.px(34), Type::caption, look.colours.text_second,
              elided(look, Type::caption, entry.about, right - text - look.px(kUnit)));
    top += height + look.px(kInside);
  }
  ImGui::Dummy({1, top - ImGui::GetCursorScreenPos().y});
  canvas.AddLine({box.right() - 1, box.y}, {box.right() - 1, box.bottom()}, to_imgui(look.colours.line));
  end_region();
}

}  // namespace

std::optional<Absence> absence_of_labs(const Panel& panel) {
  if (!panel.snapshot->is_dump()) return std::nullopt;
  return Absence{
      nullptr,
      "The experiments need a model: its queries, keys and values. These maps come from a file, which has none. Open a model, or "
      "the sandbox."};
}

void draw_labs_view(Panel& panel, const Box& box, std::span<const LabRow> labs) {
  const Look& look = panel.look;
  const bool has_list = !panel.context.session.lessons().is_taken();  // a lesson says which lab, and needs its room
  const float list = has_list ? look.px(kListWidth) : 0;
  if (has_list) draw_lab_list(panel, {box.x, box.y, list, box.height}, labs);
  const Box content{box.x + list, box.y, box.width - list, box.height};
  const std::shared_ptr<const LabResult> result = panel.context.session.labs().ask(shown_lab(panel));
  begin_region(look, "Lab", content, Colour{0, 0, 0, 0}, {24, kBetween}, ImGuiWindowFlags_None);
  LabPage page(panel, content);
  if (result) page.shown = &result->request;
  for (const LabRow& row : labs) {
    if (row.lab == panel.view.labs.lab) row.draw(page, result ? &result->found : nullptr);
  }
  gap(look, kBetween);
  page.finish();
  end_region();
}

}  // namespace headlight
