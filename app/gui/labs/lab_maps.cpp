// The labs that are shown as maps: the three attempts, dropout and the toy run.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

constexpr float kLabCard = 184;                       ///< least width of an attempt's card, in points
constexpr float kUsualCard = 320, kWidestCard = 640;  ///< wider than usual only while all cards are in sight
constexpr float kCardPadding = 12;
constexpr float kBetweenToyMaps = 24;  ///< with room for the ∅ of a row without keys
constexpr float kThreeMaps = 640;      ///< points for three maps in a line; with less the third goes below

/// One colour scale for the scores of all cards, one for the weights.
struct AttemptScales {
  ColourScale scores, weights;
};

/// The space that outputs live in, as a badge at the right of a card's heading.
void draw_space_badge(const Look& look, float right, float middle, const std::string& text) {
  const float width = formula_width(look, text) + look.px(16);
  const float half = look.px(9);
  ImGui::GetWindowDrawList()->AddRectFilled({right - width, middle - half}, {right, middle + half},
                                            to_imgui(mix(look.colours.panel, look.colours.value, 0.22F)), half);
  draw_formula(look, right - width + look.px(8), middle, look.colours.text, text);
}

/// One line of a card: a label, and a number at its right end.
void draw_card_line(const Look& look, const Box& card, float y, std::string_view label, const std::string& number) {
  const float inset = look.px(kCardPadding);
  draw_text(look, card.x + inset, y, Type::caption, look.colours.text_second, label);
  draw_text(look, card.right() - inset, y, Type::number, look.colours.text, number, AlignX::right);
}

float attempt_map_side(const Look& look, float width) {
  return std::floor((width - look.px(kUnit)) / 2);
}

/// A line per head: its scores and its weights.
void draw_attempt_maps(LabPage& page, const AttemptsFound& found, const AttemptsFound::Column& column, const AttemptScales& scales,
                       const Box& at) {
  const float between = page.look.px(kUnit);
  const float side = attempt_map_side(page.look, at.width);
  const float right = at.x + side + between;
  std::optional<LabPage::Tokens> tokens;
  if (page.shown->snapshot == page.panel.snapshot) tokens = LabPage::Tokens{true, 0, found.positions};
  for (std::size_t head = 0; head < column.heads.size(); ++head) {
    const std::string name = fmt::format("{} {}", attempt_form(column.attempt).name, head);
    const float y = at.y + (side + between) * static_cast<float>(head);
    page.plain_map(name + " scores", column.heads[head].scores, scales.scores, {at.x, y, side, side}, found.labels, found.positions,
                   tokens);
    page.plain_map(name, column.heads[head].weights, scales.weights, {right, y, side, side}, found.labels, found.positions, tokens);
  }
}

/// Height of the maps of a card, for its inner width.
float attempt_maps_height(const Look& look, std::size_t heads, float width) {
  const auto lines = static_cast<float>(heads);
  return attempt_map_side(look, width) * lines + look.px(kUnit) * (lines - 1);
}

constexpr float kAttemptHeader = 92;
constexpr float kAttemptFooter = 116;

void draw_attempt_card(LabPage& page, const AttemptsFound& found, const AttemptsFound::Column& column, const AttemptScales& scales,
                       const Box& card) {
  const Look& look = page.look;
  const AttemptForm& form = attempt_form(column.attempt);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({card.x, card.y}, {card.right(), card.bottom()}, to_imgui(look.colours.panel), look.px(kCorner));
  canvas.AddRect({card.x, card.y}, {card.right(), card.bottom()}, to_imgui(look.colours.line), look.px(kCorner));
  page.card(form.name, card);
  const float inset = look.px(kCardPadding);
  const float left = card.x + inset;
  draw_text(look, left, card.y + look.px(18), Type::strong, look.colours.text, form.name);
  draw_space_badge(look, card.right() - inset, card.y + look.px(18),
                   fmt::format("{} = {}", form.space == OutputSpace::input ? "D" : "d_v", column.output_width));
  draw_formula(look, left, card.y + look.px(42), look.colours.text_second, form.weights_formula);
  draw_formula(look, left, card.y + look.px(60), look.colours.text_second, output_formula(form, page.shown->settings.includes_self));
  const float side = card.width - 2 * inset;
  const float height = attempt_maps_height(look, column.heads.size(), side);
  const float captions = card.y + look.px(82);
  draw_text(look, left, captions, Type::caption, look.colours.text_second, "S / √d");
  draw_text(look, left + attempt_map_side(look, side) + look.px(kUnit), captions, Type::caption, look.colours.text_second, "A");
  draw_attempt_maps(page, found, column, scales, {left, card.y + look.px(kAttemptHeader), side, height});
  const float numbers = card.y + look.px(kAttemptHeader) + height + look.px(6);
  name_area(fmt::format("numbers of {}", form.name), {card.x + 1, numbers, card.width - 2, card.bottom() - 1 - numbers});
  float y = numbers + look.px(12);
  const auto line = [&](std::string_view label, const std::string& number) {
    draw_card_line(look, card, y, label, number);
    y += look.px(20);
  };
  const Asymmetry asymmetry = widest_asymmetry(column);
  line("‖S − Sᵀ‖ / ‖S‖", fmt::format("{:.2f}", asymmetry.relative_scores));
  line("max |S − Sᵀ|", asymmetry_text(asymmetry.scores));
  line("max |A − Aᵀ|", asymmetry_text(asymmetry.weights));
  line("scale 1/√d", fmt::format("1/√{}", column.scale_width));
  line("output width", output_width_text(column));
}

/// The width of a card that is so high.
float attempt_card_width(const Look& look, std::size_t heads, float height) {
  const auto lines = static_cast<float>(heads);
  const float maps = height - look.px(kAttemptHeader + kAttemptFooter) - look.px(kUnit) * (lines - 1);
  return 2 * maps / lines + look.px(kUnit + 2 * kCardPadding);
}

void draw_attempt_cards(LabPage& page, const AttemptsFound& found, const AttemptScales& scales) {
  const Look& look = page.look;
  const float between = look.px(12);
  const auto count = static_cast<int>(found.columns.size());
  int columns = std::clamp(static_cast<int>((page.width() + between) / (look.px(kLabCard) + between)), 1, count);
  if (columns == 3) columns = 2;  // four cards: in one line or in two
  const float room = (page.width() - between * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const int seen_lines = (count + columns - 1) / columns;
  const float seen = (ImGui::GetWindowHeight() - ImGui::GetCursorPosY()) / static_cast<float>(seen_lines) - between;
  const float most =
      std::clamp(attempt_card_width(look, found.columns.front().heads.size(), seen), look.px(kUsualCard), look.px(kWidestCard));
  const float width = std::floor(std::min(room, most));
  const float maps = attempt_maps_height(look, found.columns.front().heads.size(), width - 2 * look.px(kCardPadding));
  const float height = look.px(kAttemptHeader + kAttemptFooter) + maps;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  for (int place = 0; place < count; ++place) {
    const auto x = static_cast<float>(place % columns);
    const int line = place / columns;
    const auto y = static_cast<float>(line);
    draw_attempt_card(page, found, found.columns[static_cast<std::size_t>(place)], scales,
                      {start.x + x * (width + between), start.y + y * (height + between), width, height});
  }
  const auto lines = static_cast<float>(seen_lines);
  ImGui::Dummy({page.width(), lines * (height + between)});
}

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

void draw_attempts_lab(LabPage& page, const AttemptsFound* found) {
  LabSettings& settings = page.panel.view.labs;
  page.heading(
      "Three attempts at a head",
      "The same token vectors, scaled to length √D, through four formulas: without a matrix, with one W for both sides, with W_Q and W_K, "
      "and with W_V besides. The matrices are random: look at shapes and symmetry, not at meaning.");
  on_off(page.look,
         page.control_row("Token sees itself", "Whether a token may attend to itself (j = i). The sums of the source leave it out."),
         "Include self", settings.includes_self);
  stepper(page.look, page.control_row("Heads K", "Each head has matrices of its own; their outputs are joined side by side."), "Heads K",
          settings.attempt_heads, 1, kMostAttemptHeads);
  if (found == nullptr) return draw_waiting(page);
  if (found->tokens == 0) return page.caption("The text has no token of its own to look at: type a word.");
  const AttemptScales scales{page.signed_scale(largest_of(*found, &AttemptsFound::Head::scores)),
                             page.weight_scale(largest_of(*found, &AttemptsFound::Head::weights))};
  page.legend(scales.scores, "scores S / √d · rows query, columns key");
  page.legend(scales.weights, "weights A · one scale for all cards");
  if (const std::string note = attempts_note(*found, settings.attempt_heads); !note.empty()) page.caption(note);
  gap(page.look, kUnit);
  draw_attempt_cards(page, *found, scales);
}

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
