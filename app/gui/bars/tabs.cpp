#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/gui/bars/bars.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"

namespace headlight {
namespace {

/// `count`: how much waits behind the tab; empty: not said.
float draw_tab(Panel& panel, const std::string& label, View view, float left, const Box& box, const std::string& count = {}) {
  const Look& look = panel.look;
  const float label_width = text_width(look, Type::body, label);
  const float width = label_width + look.px(24) + (count.empty() ? 0 : text_width(look, Type::number, count) + look.px(kUnit));
  const float height = look.px(kRow);
  const float top = box.y + std::round((box.height - height) / 2);
  const Press press = press_area(label.c_str(), {left, top}, {width, height});
  const bool is_chosen = panel.view.view == view;
  if (press.is_clicked) panel.view.view = view;
  if (is_chosen) {
    ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {left + width, top + height},
                                              to_imgui(mix(look.colours.raised, look.colours.line, 0.4F)), look.px(kCorner));
  }
  const Colour colour = is_chosen || press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, left + look.px(12), top + height / 2, Type::body, colour, label);
  draw_text(look, left + width - look.px(12), top + height / 2, Type::number, look.colours.text_second, count, AlignX::right);
  return left + width + look.px(kInside);
}

void draw_menu(Panel& panel, Row row) {
  ViewState& view = panel.view;
  if (view.view == View::head && panel.is_dump()) return;  // there is no step but the weights
  if (view.view == View::head) {
    row.help =
        "The step of the computation that the map shows: scores, scaled, the mask itself, final scores of what it allows, and the weights "
        "that softmax makes of them.";
    const std::array<std::string, kStages.size()> stages{"scores", "scaled scores", "mask", "masked scores", "weights"};
    auto stage = static_cast<int>(std::find(kStages.begin(), kStages.end(), view.stage) - kStages.begin());
    if (drop_down(panel.look, row, "Stage", stages, stage)) view.stage = kStages[static_cast<std::size_t>(stage)];
  } else if (view.view == View::compare) {
    row.help = "Shared: a colour means the same weight on every card. Own: each card's colours end at its own largest weight.";
    const std::array<std::string, 2> scales{"shared scale", "own scale"};
    int scale = view.has_shared_scale ? 0 : 1;
    if (drop_down(panel.look, row, "Card scale", scales, scale)) view.has_shared_scale = scale == 0;
  }
}

/// Maps are edited that the model does not go on with: no view may be read without knowing it.
void draw_effect_badge(const Panel& panel, float left, const Box& box) {
  const Look& look = panel.look;
  const Query& query = panel.draft.query;
  if (query.mask_reach != MaskReach::this_head || query.mask.rules.empty()) return;
  constexpr const char* kWord = "mask edits: not passed on";
  const float middle = box.y + box.height / 2;
  const float width = draw_badge(look, left, middle, kWord, look.colours.query);
  press_area("Effect badge", {left, middle - look.px(9)}, {width, look.px(18)});
  hint(look, "Edited maps are shown as edited; what follows them in the model was computed with its own mask.");
}

}  // namespace

void draw_tabs(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Tabs", box, Colour{0, 0, 0, 0}, {0, 0});
  float left = box.x + look.px(kBetween);
  left = draw_tab(panel, "Overview", View::overview, left, box);
  left = draw_tab(panel, "Head", View::head, left, box);
  const std::size_t pins = panel.draft.pins.size();
  left = draw_tab(panel, "Compare", View::compare, left, box, pins > 0 ? std::to_string(pins) : std::string());
  left = draw_tab(panel, "Output", View::output, left, box);
  left = draw_tab(panel, "Labs", View::lab, left, box);
  draw_effect_badge(panel, left + look.px(kUnit), box);
  draw_menu(panel, {box.x, box.right() - look.px(24), box.y, box.height, box.x});
  ImGui::GetWindowDrawList()->AddLine({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, to_imgui(look.colours.line));
  end_region();
}

}  // namespace headlight
