#include "app/gui/views/measures/column_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/gui/columns/shown_columns.h"
#include "app/gui/commands/matching.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/measures/column_settings.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kList = 540, kListHeight = 560, kWithout = 148;
constexpr float kBelowList = 160, kLeastList = 96;  ///< what the scores of one's own take, and the least that is left for the list
constexpr float kMostOfStudy = 320;                 ///< of a list of a study's columns
constexpr const char* kPopup = "choice of columns";

bool is_in_table(const MeasuresPage& page, const std::string& id) {
  const std::vector<std::string> ids = measures_in_table(page);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// A measure, and the same without the first token beside it.
void draw_measure(Panel& panel, const Measure& measure) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const std::string id(measure.id);
  const std::string without = std::string(measure.id) + "-without-first-token";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(kControl), right = look.px(kWithout);
  ImGui::Dummy({width, height});
  const bool has_without = measure.of_row != nullptr && is_measure(without) && measure.id != "first-token";
  const std::string title = title_of(measure_request(id, "column"));
  const float room = has_without ? width - right - look.px(kUnit) : width;
  if (draw_tick(look, "show " + id, title, is_in_table(page, id), {at.x, at.y, room, height})) toggle_measure(page, id);
  const std::string meaning(measure.meaning);
  hint(look, meaning.c_str());
  if (!has_without) return;
  if (draw_tick(look, "show " + without, "without first token", is_in_table(page, without), {at.x + width - right, at.y, right, height}))
    toggle_measure(page, without);
  hint(look,
       "The same with the first token taken out of every row, which then shares out 1 again. Half of what many heads attend to is that "
       "token.");
}

/// A column of the table is this measure, whatever its parameter and the keys that are left out.
bool is_column(const MeasuresPage& page, const Measure& measure) {
  const std::vector<std::string> ids = measures_in_table(page);
  return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return measure_request(id, "column").measure == &measure; });
}

bool is_offered(const MeasuresPage& page, const Measure& measure) {
  const bool has_parameter = parameter_of(measure) != nullptr;
  if (!has_parameter && !is_measure(std::string(measure.id))) return false;
  if (!page.searched.empty()) return match(page.searched, measure.title, measure.meaning).has_value();
  switch (page.offered) {
    case OfferedMeasures::all:
      return true;
    case OfferedMeasures::in_table:
      return is_column(page, measure);
    case OfferedMeasures::with_parameter:
      break;
  }
  return has_parameter;
}

/// All of them, those that are columns, or those that ask for a number or for keys: these are the last of a long list.
void draw_offered(Panel& panel) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const std::array<std::string, 3> labels{"all", "in the table", "with a parameter"};
  int chosen = static_cast<int>(page.offered);
  const Row row = begin_row(look, "Show", "Those with a parameter ask for a distance, an offset, keys or spans: type it and press Add.");
  if (!segmented(look, row, "Offered measures", labels, chosen)) return;
  page.offered = static_cast<OfferedMeasures>(chosen);
  page.searched.clear();
}

void draw_measures(Panel& panel) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({look.px(kList), look.px(kControl + kUnit)});
  send_typing_to_next_box(page.searched);
  text_box(look, "Search columns", "Search measures", page.searched, at, look.px(kList) - look.px(90));
  keep_caret_behind_typing();
  if (quiet_button(look, "Usual", {at.x + look.px(kList) - look.px(82), at.y}, {look.px(82), look.px(kControl)})) page.columns.clear();
  draw_offered(panel);
  // As high as its rows, as long as all that is below it is in sight.
  const float below = look.px(kBelowList + kControl * static_cast<float>(page.imports.size()));
  const float room = ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - below;
  const float most = std::clamp(room, look.px(kLeastList), look.px(kListHeight));
  ImGui::SetNextWindowSizeConstraints({look.px(kList), look.px(kControl)}, {look.px(kList), most});
  ImGui::BeginChild("measures", {look.px(kList), 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY,
                    ImGuiWindowFlags_NoBackground);
  int shown = 0;
  for (const Measure& measure : all_measures()) {
    if (!is_offered(page, measure)) continue;
    if (parameter_of(measure) != nullptr) {
      draw_measure_with_parameter(panel, measure);
    } else {
      draw_measure(panel, measure);
    }
    ++shown;
  }
  if (shown == 0) text_line(look, Type::body, look.colours.text_second, "No measure has these words.");
  ImGui::EndChild();
}

/// A study has the measures that it was asked for; the last one that is shown stays.
void draw_study_measures(Panel& panel) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const HeadColumns& columns = panel.context.session.columns().source(page.source)->columns;
  ImGui::BeginChild("columns of the study",
                    {look.px(kList), std::min(look.px(kControl) * static_cast<float>(columns.size()), look.px(kMostOfStudy))});
  for (const auto& column : columns) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_shown = !page.hidden_of_study.contains(column->id);
    ImGui::Dummy({look.px(kList), look.px(kControl)});
    if (!draw_tick(look, "show " + column->id, column->title, is_shown, {at.x, at.y, look.px(kList), look.px(kControl)})) continue;
    if (!is_shown) page.hidden_of_study.erase(column->id);
    if (is_shown && page.hidden_of_study.size() + 1 < columns.size()) page.hidden_of_study.insert(column->id);
  }
  ImGui::EndChild();
  paragraph(look, Type::caption, look.colours.text_second,
            "These were measured over the texts. For other measures, measure the texts again.", look.px(kList));
  gap(look, kInside);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = button_width(look, "Measure others …");
  ImGui::Dummy({look.px(kList), look.px(kControl)});
  if (!quiet_button(look, "Measure others …", at, {width, look.px(kControl)})) return;
  panel.view.dialogs.corpus = true;
  ImGui::CloseCurrentPopup();
}

void draw_imports(Panel& panel) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  text_line(look, Type::strong, look.colours.text, "Scores of your own");
  paragraph(
      look, Type::caption, look.colours.text_second,
      "A CSV file with columns layer, head and one for each score, as headlight heads writes it. Type its path, or drop it on the window.",
      look.px(kList));
  gap(look, kInside);
  std::string forgotten;
  for (const std::string& path : page.imports) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({look.px(kList), look.px(kControl)});
    const float middle = at.y + look.px(kControl) / 2;
    const std::string name = printable(std::filesystem::path(path).filename().string(), 60);
    draw_text(look, at.x, middle, Type::body, look.colours.text, elided_middle(look, Type::body, name, look.px(kList - 32)));
    if (close_button(look, ("remove " + name).c_str(), {at.x + look.px(kList - 12), middle})) forgotten = path;
    hint(look, "Remove the columns of this file.");
  }
  if (!forgotten.empty()) forget_scores(page, forgotten);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float button = button_width(look, "Import");
  ImGui::Dummy({look.px(kList), look.px(kControl)});
  text_box(look, "Path of scores", "scores.csv", page.typed_path, at, look.px(kList) - button - look.px(kUnit));
  const ImVec2 corner{at.x + look.px(kList) - button, at.y};
  if (quiet_button(look, "Import", corner, {button, look.px(kControl)}, !page.typed_path.empty())) {
    import_scores(page, page.typed_path);
    page.typed_path.clear();
  }
}

/// With those of questions and of imported files.
std::size_t columns_in_table(const Panel& panel) {
  const ColumnShelf& shelf = panel.context.session.columns();
  const MeasuresPage& page = panel.view.measures;
  const ColumnSource* source = shelf.source(page.source);
  const auto is_shown = [&](const auto& column) { return !page.hidden_of_study.contains(column->id); };
  const std::size_t measured = source == nullptr
                                   ? measures_in_table(page).size()
                                   : static_cast<std::size_t>(std::count_if(source->columns.begin(), source->columns.end(), is_shown));
  return measured + shelf.grouped().size();
}

}  // namespace

bool draw_tick(const Look& look, const std::string& name, std::string_view label, bool is_on, const Box& box) {
  const Press press = press_area(name.c_str(), {box.x, box.y}, {box.width, box.height});
  const float side = look.px(14), middle = box.y + box.height / 2;
  const ImVec2 from{box.x, middle - side / 2}, to{box.x + side, middle + side / 2};
  if (press.is_hovered) fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.raised, 4);
  fill(look, from, to, is_on ? look.colours.accent : look.colours.ground, 3);
  outline(look, from, to, is_on ? look.colours.accent : look.colours.text_third, 3);
  if (is_on) {
    const ImU32 ink = to_imgui(look.colours.ground);
    canvas().AddLine({from.x + side * 0.22F, middle}, {from.x + side * 0.42F, middle + side * 0.22F}, ink, look.scale * 1.6F);
    canvas().AddLine({from.x + side * 0.42F, middle + side * 0.22F}, {from.x + side * 0.8F, middle - side * 0.25F}, ink, look.scale * 1.6F);
  }
  const float left = to.x + look.px(kUnit);
  draw_text(look, left, middle, Type::body, is_on ? look.colours.text : look.colours.text_second,
            elided(look, Type::body, label, box.right() - left));
  return press.is_clicked;
}

float draw_column_choice(Panel& panel, float right, float middle) {
  const Look& look = panel.look;
  const bool is_of_text = panel.context.session.columns().source(panel.view.measures.source) == nullptr;
  const std::string label = fmt::format("Columns {}", columns_in_table(panel));
  const float width = drop_down_width(look, label), height = look.px(kControl);
  const bool is_wanted = std::exchange(panel.view.measures.wants_choice, false);
  if (drop_button(look, "Columns", right, middle, label) || is_wanted) ImGui::OpenPopup(kPopup);
  hint(look, "Which measures are columns of the table, and files of your own scores.");
  ImGui::SetNextWindowPos({right, middle + height / 2}, ImGuiCond_Appearing, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(12)));
  if (begin_popup(kPopup)) {
    is_of_text ? draw_measures(panel) : draw_study_measures(panel);
    gap(look, kUnit);
    draw_imports(panel);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return right - width;
}

}  // namespace headlight
