#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/choices.h"
#include "engine/figure/map/colour.h"

namespace headlight {
namespace {

constexpr Index kMostShown = 256;  // rows and columns: with more, cells would be thinner than a pixel

/// The chosen tensor of the chosen layer; the first one if the model has no such name.
std::string chosen_tensor(const std::vector<ParameterShape>& shapes, const std::string& wanted) {
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const ParameterShape& shape) { return shape.name == wanted; });
  return found == shapes.end() ? shapes.front().name : found->name;
}

void draw_tensor_choice(const Panel& panel, ParameterChoice& choice, const std::vector<ParameterShape>& shapes) {
  const Look& look = panel.look;
  layer_slider(panel, begin_row(look, "Layer", nullptr, 36), "Layer of parameters", choice.layer);
  std::vector<std::string> labels;
  int chosen = 0;
  for (const ParameterShape& shape : shapes) {
    if (shape.name == choice.tensor) chosen = static_cast<int>(labels.size());
    labels.push_back(fmt::format("{}  [{}, {}]", shape.name.substr(shape.name.find('.', 6) + 1), shape.rows, shape.columns));
  }
  if (drop_down(look, begin_row(look, "Tensor", "Rows are inputs, columns outputs: y = x · W.", 36), "Tensor", labels, chosen)) {
    choice.tensor = shapes[static_cast<std::size_t>(chosen)].name;
    choice.cell = {0, 0};
  }
}

/// The tensor as coloured cells, zero in the middle of the scale. A press chooses a cell.
void draw_cells(const Panel& panel, ParameterChoice& choice, const MatrixView& values) {
  const Look& look = panel.look;
  const Index rows = std::min(values.rows(), kMostShown), columns = std::min(values.cols(), kMostShown);
  const float width = ImGui::GetContentRegionAvail().x;
  const float side =
      std::clamp(std::floor(std::min(width / static_cast<float>(columns), look.px(320) / static_cast<float>(rows))), 1.0F, look.px(24));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{side * static_cast<float>(columns), side * static_cast<float>(rows)};
  const float reach = std::max(values.cwiseAbs().maxCoeff(), 1e-12F);
  const ColourScale scale{ColourMap::coolwarm, panel.draft.style.theme == Theme::dark, ScaleKind::linear, 1, -reach, reach};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      const ImVec2 from{at.x + side * static_cast<float>(column), at.y + side * static_cast<float>(row)};
      list.AddRectFilled(from, {from.x + side, from.y + side}, to_imgui(scale.colour(values(row, column))));
    }
  }
  ImGui::InvisibleButton("Parameter cells", size);
  if (ImGui::IsItemActive() || ImGui::IsItemClicked()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    choice.cell = {std::clamp<Index>(static_cast<Index>((mouse.y - at.y) / side), 0, rows - 1),
                   std::clamp<Index>(static_cast<Index>((mouse.x - at.x) / side), 0, columns - 1)};
    choice.typed.clear();
  }
  const ImVec2 mark{at.x + side * static_cast<float>(choice.cell.key), at.y + side * static_cast<float>(choice.cell.query)};
  list.AddRect({mark.x - 1, mark.y - 1}, {mark.x + side + 1, mark.y + side + 1}, to_imgui(look.colours.text), 0, 0, look.px(1.5F));
  gap(look, kInside);
  std::string caption = fmt::format("blue −{:.3g} … red {:.3g} · drag to choose a cell", reach, reach);
  if (rows < values.rows() || columns < values.cols()) caption += fmt::format(" · the first {} × {} are shown", rows, columns);
  text_line(look, Type::caption, look.colours.text_second, caption);
}

std::optional<float> number_of(const std::string& text) {
  float value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void set_values(Panel& panel, ParameterChoice& choice, Index row, Index column, Index columns, float value) {
  ParameterEdit edit{.tensor = choice.tensor,
                     .row = static_cast<int>(row),
                     .column = static_cast<int>(column),
                     .rows = 1,
                     .columns = static_cast<int>(columns),
                     .values = std::vector<float>(static_cast<std::size_t>(columns), value)};
  apply_parameters(panel.draft.query.model.sandbox, edit);
  choice.typed.clear();
}

void draw_value(Panel& panel, ParameterChoice& choice, const MatrixView& values) {
  const Look& look = panel.look;
  const Row row = begin_row(look, fmt::format("Row {}, column {}", choice.cell.query, choice.cell.key), nullptr, 36);
  const std::string now = fmt::format("{:.6g}", values(choice.cell.query, choice.cell.key));
  const float box = look.px(120), between = look.px(kUnit);
  const float set_cell = button_width(look, "Set cell"), set_row = button_width(look, "Set row");
  float x = row.right - set_row;
  const std::optional<float> number = number_of(choice.typed);
  const float top = row.top + look.px(kInside);
  if (quiet_button(look, "Set row", {x, top}, {set_row, look.px(kRow)}, number.has_value())) {
    set_values(panel, choice, choice.cell.query, 0, values.cols(), *number);
  }
  hint(look, "Every number of this row.");
  x -= between + set_cell;
  if (quiet_button(look, "Set cell", {x, top}, {set_cell, look.px(kRow)}, number.has_value())) {
    set_values(panel, choice, choice.cell.query, choice.cell.key, 1, *number);
  }
  x -= between + box;
  text_box(look, "New value", now.c_str(), choice.typed, {x, top}, box, kRow);
}

}  // namespace

void draw_parameters_dialog(Panel& panel, ParameterChoice& choice) {
  bool& is_open = panel.view.dialogs.parameters;
  if (!panel.is_sandbox() || !panel.has_picture() || panel.snapshot->query.model.name != "sandbox") is_open = false;
  if (!begin_dialog(panel.look, "Parameters of the sandbox", 640, is_open)) return;
  if (ImGui::IsWindowAppearing()) choice.layer = panel.view.head.layer;
  choice.layer = std::clamp(choice.layer, 0, panel.snapshot->layers() - 1);
  std::vector<ParameterShape> shapes = parameter_shapes(*panel.snapshot->model, choice.layer);
  choice.tensor =
      fmt::format("layer.{}{}", choice.layer, choice.tensor.empty() ? ".q.weight" : choice.tensor.substr(choice.tensor.find('.', 6)));
  choice.tensor = chosen_tensor(shapes, choice.tensor);
  draw_tensor_choice(panel, choice, shapes);
  gap(panel.look, kUnit);
  if (choice.values_of != panel.snapshot->model || choice.values_name != choice.tensor) {
    choice.values = parameter_values(*panel.snapshot->model, choice.tensor);
    choice.values_of = panel.snapshot->model;
    choice.values_name = choice.tensor;
  }
  const Matrix& values = choice.values;
  choice.cell = {std::min(choice.cell.query, values.rows() - 1), std::min(choice.cell.key, values.cols() - 1)};
  draw_cells(panel, choice, values);
  draw_value(panel, choice, values);
  end_dialog(is_open);
}

}  // namespace headlight
