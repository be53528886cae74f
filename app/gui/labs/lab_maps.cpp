// The labs that are shown as maps: dropout and the toy run.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

constexpr float kBetweenToyMaps = 24;  ///< with room for the ∅ of a row without keys
constexpr float kThreeMaps = 640;      ///< points for three maps in a line; with less the third goes below

void draw_toy_maps(LabPage& page, const ToyFound& found) {
  const Look& look = page.look;
  const float between = look.px(kBetweenToyMaps);
  const float width = std::floor(std::min(look.px(150), (page.width() - between * (kToyHeads - 1)) / kToyHeads));
  const float height = std::floor(width * kToyQueries / kToyKeys);
  const float line = look.px(kNumberRow);
  for (std::size_t item = 0; item < kToyItems; ++item) {
    text_line(look, Type::strong, look.colours.text, toy_item_text(*page.shown, item));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t head = 0; head < kToyHeads; ++head) {
      const float x = at.x + (width + between) * static_cast<float>(head);
      draw_text(look, x, at.y + line / 2, Type::caption, look.colours.text_second, fmt::format("head {}", head));
      page.plain_map(fmt::format("toy {}.{}", item, head), found.maps[item][head], page.weight_scale(1), {x, at.y + line, width, height},
                     {}, {}, LabPage::Tokens{});
    }
    ImGui::Dummy({page.width(), line + height + look.px(12)});
  }
}

}  // namespace

void draw_dropout_lab(LabPage& page, const DropoutFound* found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  page.heading("Dropout",
               "Sampled here on purpose, never used by the model. In training each weight is set to zero with probability p and the others "
               "are divided by 1\u00A0−\u00A0p. Rows then no longer sum to 1, only on average.");
  slider(look, page.control_row("p", "The probability with which a weight is dropped."), "Dropout p", settings.dropout, 0, kMostDropout,
         0.1F, fmt::format("{:.2f}", settings.dropout));
  stepper(look, page.control_row("Sample", "Which sample: the seed of the random numbers."), "Sample", settings.dropout_seed, 1, 9999);
  if (found == nullptr) return draw_waiting(page);
  const std::string name = short_name(*page.shown->snapshot, page.shown->head);
  page.caption(dropout_note(*found, *page.shown));
  page.legend(page.weight_scale(found->largest), fmt::format("head {} · one scale for all maps", name));
  const float between = look.px(kBetween);
  const float room = page.width();
  const int columns = room < look.px(kThreeMaps) ? 2 : 3;
  const float side = std::floor(std::min(look.px(440), (room - between * static_cast<float>(columns - 1)) / static_cast<float>(columns)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float bottom = at.y;
  const bool is_shown_text = page.shown->snapshot == page.panel.snapshot && page.shown->head == page.panel.view.head;
  const auto put = [&](int place, const char* map_name, const std::shared_ptr<const MapPicture>& picture, const std::string& title) {
    const Box box{at.x + (side + between) * static_cast<float>(place % columns), place < columns ? at.y + look.px(kUnit) : bottom, side,
                  side};
    LabPage::Axes axes{found->queries, found->keys, found->titles};
    if (is_shown_text) axes.tokens = LabPage::Tokens{true, page.shown->head.layer};
    return page.labelled_map(map_name, picture, page.weight_scale(found->largest), box, axes, title).bottom() + look.px(kUnit);
  };
  const float first = put(0, "dropout before", found->before, "Before");
  put(1, "dropout after", found->after, fmt::format("After, sample {}", page.shown->settings.dropout_seed));
  bottom = first;
  const float last = put(2, "dropout mean", found->mean, fmt::format("Mean of {}", kDropoutSamples));
  ImGui::Dummy({room, std::max(look.px(kUnit), last - at.y) + look.px(kUnit)});
  draw_lab_table(page, "Row sums", row_sums_table(*found));
  if (const std::string note = row_sums_note(*found); !note.empty()) page.caption(note);
}

void draw_toy_lab(LabPage& page, const ToyFound* found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  page.heading("Toy run",
               "The multi-head example of Dive into Deep Learning, section 10.3: 2 items, 4 queries, 6 keys, width 100, 5 heads, no bias. "
               "If all inputs are 1, all keys are alike, so every head shares each row evenly among the valid keys.");
  const std::array<std::string, 2> inputs{"ones", "random"};
  int input = settings.is_toy_random ? 1 : 0;
  if (segmented(look, page.control_row("Inputs", "Ones: all keys alike. Random: heads differ."), "Inputs", inputs, input)) {
    settings.is_toy_random = input == 1;
  }
  for (std::size_t item = 0; item < kToyItems; ++item) {
    const std::string label = fmt::format("Valid length, item {}", item);
    stepper(look, page.control_row(label.c_str(), "Keys from here on are padding and left out. At 0 every row is all zeros (∅)."),
            label.c_str(), settings.toy_lengths[item], 0, kToyKeys);
  }
  if (found == nullptr) return draw_waiting(page);
  page.legend(page.weight_scale(1), "rows query, columns key · hatched: left out");
  gap(look, kUnit);
  draw_toy_maps(page, *found);
  draw_lab_table(page, "Toy rows", toy_table(*found, page.width() >= look.px(700)));
  page.caption(toy_note(*found));
}

}  // namespace headlight
