#include "app/gui/views/measures/column_settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/gui/columns/shown_columns.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/measures/column_choice.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kBox = 132, kIndent = 16, kSettings = 240;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void add(MeasuresPage& page, const Measure& measure, const AskedColumn& asked) {
  const std::vector<std::string> ids = measures_in_table(page);
  if (std::find(ids.begin(), ids.end(), asked.id) == ids.end()) toggle_measure(page, asked.id);
  page.explained = asked.id;
  page.typed_new.erase(std::string(measure.id));
}

/// The columns of the table that are this measure, each with another parameter.
void draw_added(Panel& panel, const Measure& measure) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  for (const std::string& id : measures_in_table(page)) {
    const MeasureRequest request = measure_request(id, "column");
    if (request.measure != &measure) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, indent = look.px(kIndent);
    ImGui::Dummy({width, look.px(kControl)});
    if (draw_tick(look, "show " + id, title_of(request), true, {at.x + indent, at.y, width - indent, look.px(kControl)}))
      toggle_measure(page, id);
  }
}

/// A caption and a box under it. Returns whether Enter was pressed in it.
bool draw_setting(const Look& look, const char* name, std::string_view caption, const char* placeholder, std::string& text) {
  text_line(look, Type::caption, look.colours.text_second, caption);
  gap(look, kInside);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({look.px(kSettings), look.px(kControl)});
  text_box(look, name, placeholder, text, at, look.px(kSettings));
  const bool is_returned = is_entered();
  gap(look, kInside);
  return is_returned;
}

}  // namespace

AskedColumn asked_column(const Measure& measure, std::string_view parameter, std::string_view without) {
  const auto id_of = [&](std::string_view left_out) -> std::string {
    try {
      return measure_request(measure_id(measure, trimmed(parameter), left_out), "column").id;
    } catch (const Error&) {
      return {};
    }
  };
  if (id_of({}).empty()) {
    const MeasureParameter* row = parameter_of(measure);
    return {.id = {}, .problem = row == nullptr ? std::string() : fmt::format("{}: {}, such as {}", row->name, row->form, row->example)};
  }
  const std::string id = id_of(trimmed(without));
  return {.id = id, .problem = id.empty() ? "Left out: first-token, special, punctuation, positions such as 3, joined by +" : ""};
}

void draw_measure_with_parameter(Panel& panel, const Measure& measure) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const MeasureParameter& parameter = *parameter_of(measure);
  const std::string name(measure.id), placeholder(parameter.name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(kControl), button = button_width(look, "Add");
  const float box = at.x + width - button - look.px(kUnit + kBox);
  ImGui::Dummy({width, height});
  press_area(("measure " + name).c_str(), at, {box - at.x - look.px(kUnit), height});
  const std::string help = fmt::format("{} {}: {}, such as {}.", measure.meaning, parameter.name, parameter.form, parameter.example);
  hint(look, help.c_str());
  draw_text(look, at.x, at.y + height / 2, Type::body, look.colours.text_second,
            elided(look, Type::body, measure.title, box - at.x - look.px(kUnit)));
  std::string& typed = page.typed_new[name];
  text_box(look, ("parameter of " + name).c_str(), placeholder.c_str(), typed, {box, at.y}, look.px(kBox));
  const bool is_returned = is_entered(), is_empty = trimmed(typed).empty();
  hint(look, help.c_str());
  const AskedColumn asked = is_empty ? AskedColumn{} : asked_column(measure, typed);
  ImGui::PushID(name.c_str());
  const bool is_pressed = quiet_button(look, "Add", {at.x + width - button, at.y}, {button, height}, !asked.id.empty()) || is_returned;
  ImGui::PopID();
  if (!is_empty && asked.id.empty()) paragraph(look, Type::caption, look.colours.bad, asked.problem, width);
  if (is_pressed && !asked.id.empty()) add(page, measure, asked);
  draw_added(panel, measure);
}

void draw_column_settings(Panel& panel, const HeadColumn& column) {
  if (!column.request || column.origin != ColumnOrigin::text || !panel.view.measures.source.empty()) return;
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const Measure& measure = *column.request->measure;
  const MeasureParameter* parameter = parameter_of(measure);
  const bool can_leave_out = measure.of_row != nullptr && measure.id != kHiddenMass;
  if (parameter == nullptr && !can_leave_out) return;
  if (ImGui::IsWindowAppearing()) {
    page.typed_parameter = parameter_text(*column.request);
    page.typed_without = column.request->without ? key_set_text(*column.request->without) : std::string();
  }
  bool is_set = false;
  if (parameter != nullptr)
    is_set = draw_setting(look, "Parameter", parameter->name, std::string(parameter->example).c_str(), page.typed_parameter);
  if (can_leave_out) is_set = draw_setting(look, "Left out", "Keys left out of every row", "none", page.typed_without) || is_set;
  const AskedColumn asked = asked_column(measure, page.typed_parameter, page.typed_without);
  const bool is_other = !asked.id.empty() && asked.id != column.id;
  if (asked.id.empty()) paragraph(look, Type::caption, look.colours.bad, asked.problem, look.px(kSettings));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({look.px(kSettings), look.px(kControl)});
  is_set = quiet_button(look, "Measure this", at, {look.px(kSettings), look.px(kControl)}, is_other) || is_set;
  gap(look, kUnit);
  if (!is_set || !is_other) return;
  replace_measure(panel.view, column.id, asked.id);
  ImGui::CloseCurrentPopup();
}

}  // namespace headlight
