// The labs that are shown as tables: mask conventions, the scale, and what heads cost.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

/// They show the layer's own values until another is chosen, and again when its own value is chosen.
void draw_cost_controls(LabPage& page, const CostFound& found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  const bool own_bias = found.own.bias_parameters > 0;
  bool has_bias = settings.has_bias.value_or(own_bias);
  if (on_off(look, page.control_row("Bias", "Biases of the q, k, v and output layers: those of this layer, or all four where it has none."),
             "Bias", has_bias)) {
    settings.has_bias = has_bias == own_bias ? std::nullopt : std::optional(has_bias);
  }
  const int own_group = found.own.heads_per_kv_head;
  std::vector<int> sizes{1, 2, 4};
  const int wanted = settings.heads_per_kv_head.value_or(own_group);
  for (const int more : {own_group, wanted}) {
    if (more != 0 && std::find(sizes.begin(), sizes.end(), more) == sizes.end()) sizes.push_back(more);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.push_back(0);
  std::vector<std::string> names;
  for (const int size : sizes) names.push_back(size == 0 ? "all" : size == 1 ? "1 head" : std::to_string(size));
  auto chosen = static_cast<int>(std::find(sizes.begin(), sizes.end(), wanted) - sizes.begin());
  if (segmented(
          look,
          page.control_row("A key/value head serves",
                           "Grouped-query attention: several heads read the same keys and values. Fewer key/value heads, smaller cache."),
          "Group", names, chosen)) {
    const int size = sizes[static_cast<std::size_t>(chosen)];
    settings.heads_per_kv_head = size == own_group ? std::nullopt : std::optional(size);
  }
}

}  // namespace

void draw_fills_lab(LabPage& page, const FillsFound* found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  page.heading("Mask conventions",
               "How programs leave a key out of a row, and what becomes of the row. Most write a very low number over the score; what that "
               "does depends on the precision. Headlight leaves masked keys out of the sum.");
  const std::array<std::string, 2> rows{"1, 2, 3 all masked", "this head’s row"};
  int row = settings.is_all_masked ? 0 : 1;
  if (segmented(
          look,
          page.control_row(
              "Row",
              "Three scores without an allowed key, or the pinned query’s row of the head being looked at (the middle one without a pin)."),
          "Row", rows, row)) {
    settings.is_all_masked = row == 0;
  }
  if (found == nullptr) return draw_waiting(page);
  for (const std::string& note : fills_notes(*found, *page.shown, true)) page.caption(note);
  gap(look, kUnit);
  draw_lab_table(page, "Convention", fills_table(*found, page.width() > look.px(640)));
}

void draw_scaling_lab(LabPage& page, const ScalingFound* found) {
  page.heading(
      "Why scores are divided by √d",
      "If the numbers in q and k are independent with variance 1, q·k has variance d. Large scores push the softmax to one key, where "
      "its slope (the Jacobian’s norm) is nearly 0 and nothing is learned. Dividing by √d keeps the variance at 1 for any width.");
  if (found == nullptr) return draw_waiting(page);
  draw_lab_table(page, "Scale", scaling_table(*found, *page.shown));
  page.caption(scaling_note(*found));
}

void draw_cost_lab(LabPage& page, const CostFound* found) {
  const Look& look = page.look;
  page.heading(
      "What heads cost",
      "The attention layer being looked at, by the number of its heads. Heads that share d_model cost the same however many there are; "
      "heads of a fixed width each cost parameters, operations and cache.");
  if (found == nullptr) return draw_waiting(page);
  draw_cost_controls(page, *found);
  for (const std::string& note : cost_notes(*found, *page.shown)) page.caption(note);
  gap(look, 12);
  text_line(look, Type::strong, look.colours.text, "Width d_model / heads");
  draw_lab_table(page, "Shared width", cost_table(*found, false));
  gap(look, kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text_line(look, Type::strong, look.colours.text, fmt::format("Fixed width, {} as in this layer", found->own.d_head));
  draw_lab_table(page, "Fixed width", cost_table(*found, true));
  const float around = look.px(kInside);  // for the light of a lesson
  page.card("fixed width", {at.x - 2 * around, at.y - around, std::min(page.width(), look.px(kWidestTable)) + 4 * around,
                            ImGui::GetCursorScreenPos().y - at.y + around});
}

}  // namespace headlight
