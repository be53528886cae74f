// The lab of the three attempts at a head: a card each, with its formulas, maps and numbers.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

constexpr float kLabCard = 184;                      ///< least width of a card, in points
constexpr float kUsualCard = 320, kAroundMaps = 80;  ///< wider only for larger maps
constexpr float kLeastMap = 64, kMuchLarger = 1.1F;  ///< rather scroll than see smaller ones; rather beside each other than a little larger
constexpr float kCardPadding = 12, kBetweenCards = 12;
constexpr float kAttemptHeader = 92, kAttemptFooter = 116, kMapCaption = 20;

/// One colour scale for the scores of all cards, one for the weights.
struct AttemptScales {
  ColourScale scores, weights;
};

/// The space that outputs live in, as a badge at the right of a card's heading.
void draw_space_badge(const Look& look, float right, float middle, const std::string& text) {
  const float width = formula_width(look, text) + look.px(16);
  const float half = look.px(9);
  fill_rounded(look.fonts, canvas(), {right - width, middle - half}, {right, middle + half},
               to_imgui(mix(look.colours.panel, look.colours.value, 0.22F)), half);
  draw_formula(look, right - width + look.px(8), middle, look.colours.text, text);
}

/// One line of a card: a label, and a number at its right end.
void draw_card_line(const Look& look, const Box& card, float y, std::string_view label, const std::string& number) {
  const float inset = look.px(kCardPadding);
  draw_text(look, card.x + inset, y, Type::caption, look.colours.text_second, label);
  draw_text(look, card.right() - inset, y, Type::number, look.colours.text, number, AlignX::right);
}

/// How the cards are laid out, in pixels.
struct AttemptCards {
  int columns = 1, lines = 1;
  bool is_stacked = false;  ///< A below S, and the heads side by side; else A beside S, and a line per head
  float side = 0;           ///< of a map
  float width = 0, height = 0;
};

/// Maps in a line of a card, and lines of maps.
struct MapGrid {
  float across = 1, down = 1;
};
MapGrid grid_of(bool is_stacked, std::size_t heads) {
  const auto count = static_cast<float>(heads);
  return is_stacked ? MapGrid{count, 2} : MapGrid{2, count};
}

float height_without_maps(const Look& look, bool is_stacked, MapGrid grid) {
  return look.px(kAttemptHeader + kAttemptFooter + (is_stacked ? kMapCaption : 0)) + look.px(kUnit) * (grid.down - 1);
}

/// Cards in `columns` columns, whose maps are as large as width and height allow.
AttemptCards cards_in(const Look& look, int columns, int count, std::size_t heads, bool is_stacked, ImVec2 room) {
  const float between = look.px(kBetweenCards);
  AttemptCards cards{.columns = columns, .lines = (count + columns - 1) / columns, .is_stacked = is_stacked};
  const MapGrid grid = grid_of(is_stacked, heads);
  const float widest = std::floor((room.x - between * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const float highest = std::floor(room.y / static_cast<float>(cards.lines) - between);
  const float gaps = look.px(kUnit) * (grid.across - 1), padding = 2 * look.px(kCardPadding);
  const float rest = height_without_maps(look, is_stacked, grid);
  cards.side = std::floor(std::min((widest - padding - gaps) / grid.across, (highest - rest) / grid.down));
  cards.width = std::min(widest, std::max(look.px(kUsualCard), cards.side * grid.across + gaps + padding + look.px(kAroundMaps)));
  cards.height = rest + cards.side * grid.down;
  return cards;
}

/// All cards in sight with the largest maps; where these would be tiny, larger ones on a page that scrolls.
AttemptCards lay_out_attempts(const Look& look, int count, std::size_t heads, ImVec2 room) {
  const auto fits = [&](int columns) {
    const float between = look.px(kBetweenCards);
    return (room.x + between) / static_cast<float>(columns) >= look.px(kLabCard) + between;
  };
  AttemptCards best;
  for (const int columns : {count, 2, 1}) {
    if (columns > 1 && !fits(columns)) continue;
    for (const bool is_stacked : {false, true}) {
      const AttemptCards cards = cards_in(look, columns, count, heads, is_stacked, room);
      if (cards.side > kMuchLarger * best.side) best = cards;
    }
  }
  if (best.side >= look.px(kLeastMap)) return best;
  const int columns = fits(count) ? count : fits(2) ? 2 : 1;
  constexpr float kAnyHeight = 1e5F;
  const float most = static_cast<float>(columns) * look.px(kUsualCard + kBetweenCards) - look.px(kBetweenCards);
  return cards_in(look, columns, count, heads, false, {std::min(room.x, most), kAnyHeight});
}

/// The scores and the weights of each head, with a caption over the first of both.
void draw_attempt_maps(LabPage& page, const AttemptsFound& found, const AttemptsFound::Column& column, const AttemptScales& scales,
                       const AttemptCards& cards, ImVec2 at) {
  const Look& look = page.look;
  const float step = cards.side + look.px(kUnit);
  const ImVec2 next_head = cards.is_stacked ? ImVec2{step, 0} : ImVec2{0, step};
  const ImVec2 weights = cards.is_stacked ? ImVec2{0, step + look.px(kMapCaption)} : ImVec2{step, 0};
  std::optional<LabPage::Tokens> tokens;
  if (page.shown->snapshot == page.panel.snapshot) tokens = LabPage::Tokens{true, 0, found.positions};
  const auto caption = [&](ImVec2 corner, const char* text) {
    draw_text(look, corner.x, corner.y - look.px(10), Type::caption, look.colours.text_second, text);
  };
  caption(at, "S / √d");
  caption({at.x + weights.x, at.y + weights.y}, "A");
  for (std::size_t head = 0; head < column.heads.size(); ++head) {
    const std::string name = fmt::format("{} {}", attempt_form(column.attempt).name, head);
    const auto count = static_cast<float>(head);
    const Box box{at.x + count * next_head.x, at.y + count * next_head.y, cards.side, cards.side};
    const Box below{box.x + weights.x, box.y + weights.y, cards.side, cards.side};
    page.plain_map(name + " scores", column.heads[head].scores, scales.scores, box, found.labels, found.positions, tokens);
    page.plain_map(name, column.heads[head].weights, scales.weights, below, found.labels, found.positions, tokens);
  }
}

void draw_attempt_card(LabPage& page, const AttemptsFound& found, const AttemptsFound::Column& column, const AttemptScales& scales,
                       const AttemptCards& cards, const Box& card) {
  const Look& look = page.look;
  const AttemptForm& form = attempt_form(column.attempt);
  fill(look, {card.x, card.y}, {card.right(), card.bottom()}, look.colours.panel);
  outline(look, {card.x, card.y}, {card.right(), card.bottom()}, look.colours.line);
  page.card(form.name, card);
  const float inset = look.px(kCardPadding);
  const float left = card.x + inset;
  draw_text(look, left, card.y + look.px(18), Type::strong, look.colours.text, form.name);
  draw_space_badge(look, card.right() - inset, card.y + look.px(18),
                   fmt::format("{} = {}", form.space == OutputSpace::input ? "D" : "d_v", column.output_width));
  draw_formula(look, left, card.y + look.px(42), look.colours.text_second, form.weights_formula);
  draw_formula(look, left, card.y + look.px(60), look.colours.text_second, output_formula(form, page.shown->settings.includes_self));
  const MapGrid grid = grid_of(cards.is_stacked, column.heads.size());
  const float maps_width = cards.side * grid.across + look.px(kUnit) * (grid.across - 1);
  const float maps = std::round(card.x + (card.width - maps_width) / 2);
  draw_attempt_maps(page, found, column, scales, cards, {maps, card.y + look.px(kAttemptHeader)});
  const float numbers = card.bottom() - look.px(kAttemptFooter - kInside);
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

void draw_attempt_cards(LabPage& page, const AttemptsFound& found, const AttemptScales& scales) {
  const Look& look = page.look;
  const float between = look.px(kBetweenCards);
  const float seen = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - look.px(2 * kBetween);  // below the cards: the end of the page
  const auto count = static_cast<int>(found.columns.size());
  const AttemptCards cards = lay_out_attempts(look, count, found.columns.front().heads.size(), {page.width(), seen});
  const ImVec2 start = ImGui::GetCursorScreenPos();
  for (int place = 0; place < count; ++place) {
    const auto x = static_cast<float>(place % cards.columns), y = static_cast<float>(place / cards.columns);
    draw_attempt_card(page, found, found.columns[static_cast<std::size_t>(place)], scales, cards,
                      {start.x + x * (cards.width + between), start.y + y * (cards.height + between), cards.width, cards.height});
  }
  ImGui::Dummy({page.width(), static_cast<float>(cards.lines) * (cards.height + between)});
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

}  // namespace headlight
