// The dialog that says what the shown model is.
#include "app/session/model_card.h"

#include <algorithm>
#include <cmath>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"

namespace headlight {
namespace {

constexpr float kLabelWidth = 128;
constexpr float kWidth = 760;

/// A label, and a value that may need several lines.
void draw_card_row(const Look& look, const CardRow& card, float width) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float label = look.px(kLabelWidth);
  ImGui::SetCursorScreenPos({start.x + label, start.y});
  ImGui::BeginGroup();
  paragraph(look, Type::body, look.colours.text, card.value, width - label);
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y;
  draw_text(look, start.x, start.y + look.px(kLine) / 2, Type::body, look.colours.text_second, card.label);
  if (!card.help.empty()) {
    press_area(card.label.c_str(), start, {width, bottom - start.y});
    hint(look, card.help.c_str());
  }
  ImGui::SetCursorScreenPos({start.x, bottom + look.px(2)});
  ImGui::Dummy({0, 0});
}

/// Draws a section in a column of its own. Returns its lower end.
float draw_section(const Look& look, const CardSection& section, ImVec2 at, float width) {
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginGroup();
  text_line(look, Type::heading, look.colours.text_second, section.title);
  gap(look, kInside);
  for (const CardRow& row : section.rows) draw_card_row(look, row, width);
  ImGui::EndGroup();
  return ImGui::GetItemRectMax().y;
}

/// Sizes and parts side by side, the weights below both, because their values are long.
void draw_sections(const Look& look, const std::array<CardSection, 3>& sections) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float whole = ImGui::GetContentRegionAvail().x;
  const float between = look.px(24);
  const float left_width = std::round((whole - between) * 0.44F);
  const float right = start.x + left_width + between;
  const float bottom = std::max(draw_section(look, sections[0], start, left_width),
                                draw_section(look, sections[1], {right, start.y}, start.x + whole - right));
  draw_section(look, sections[2], {start.x, bottom + look.px(12)}, whole);
}

}  // namespace

void draw_model_card(Panel& panel, ShownCard& card) {
  const Look& look = panel.look;
  if (!panel.snapshot) panel.view.dialogs.model_card = false;
  if (!begin_dialog(look, "About this model", kWidth, panel.view.dialogs.model_card)) return;
  const Model& model = *panel.snapshot->model;
  paragraph(look, Type::title, look.colours.text, model.name);
  text_line(look, Type::body, look.colours.text_second, model.config.family);
  if (panel.snapshot->is_dump()) {
    gap(look, kUnit);
    paragraph(look, Type::body, look.colours.text,
              "Attention maps that another program wrote: there are no weights, so nothing can be run or edited.");
    gap(look, kUnit);
    for (const CardRow& row : dump_card(*panel.snapshot).rows) draw_card_row(look, row, ImGui::GetContentRegionAvail().x);
  } else {
    if (card.model != panel.snapshot->model) card = {panel.snapshot->model, model_card(model)};
    gap(look, 12);
    draw_sections(look, card.sections);
  }
  if (!model.notices.empty()) {
    gap(look, 12);
    text_line(look, Type::heading, look.colours.text_second, "Noticed on opening");
    gap(look, kInside);
    for (const std::string& notice : model.notices) paragraph(look, Type::body, look.colours.text, notice);
  }
  end_dialog(panel.view.dialogs.model_card);
}

}  // namespace headlight
