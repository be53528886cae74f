#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/gui/bars/bars.h"
#include "app/gui/bars/strip_chips.h"
#include "app/gui/finding/asking.h"
#include "app/gui/joined/joined_map.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/core/error.h"
#include "engine/figure/axes.h"
#include "engine/text/words.h"

namespace headlight {
namespace {

constexpr float kChipHeight = 28, kLowChipHeight = 24;
constexpr float kChipPadding = 10;
constexpr float kBetweenChips = 5;
constexpr float kWidestName = 160;
constexpr float kPositionLine = 14;  ///< under the chips of a long text

float chip_width(const Look& look, const std::string& name) {
  return std::min(text_width(look, Type::body, name), look.px(kWidestName)) + 2 * look.px(kChipPadding);
}

bool has_positions(const TokenNames& names) {
  return shows_positions(std::ssize(names.axis));
}

/// Lower where positions are written below them.
float chip_height(const Look& look, const TokenNames& names) {
  return look.px(has_positions(names) ? kLowChipHeight : kChipHeight);
}

/// Where every chip begins, and the end of the last: measured once per text and scale.
const StripLayout& measured(const Panel& panel, const TokenNames& names, StripLayout& layout) {
  const Look& look = panel.look;
  if (layout.snapshot == panel.snapshot && layout.scale == look.scale && layout.font == look.fonts.ui) return layout;
  layout = {panel.snapshot, look.scale, look.fonts.ui, {0}};
  const float least = has_positions(names) ? text_width(look, Type::number, std::to_string(names.axis.size())) : 0;
  for (const std::string& name : names.axis) {
    layout.edges.push_back(layout.edges.back() + std::max(least, chip_width(look, name)) + look.px(kBetweenChips));
  }
  return layout;
}

/// One text of the strip, and whether its tokens are queries, keys or both in the layer being looked at.
struct StripText {
  const Encoding& encoding;
  const TokenNames& names;
  const StripLayout& layout;
  Side side = Side::text;
  bool has_queries = true, has_keys = true;
};

/// The queries' text, then the keys' text if it is another one.
std::vector<StripText> texts_of(const Panel& panel, int layer, StripLayouts& layouts) {
  const Snapshot& snapshot = *panel.snapshot;
  const Pictures& pictures = panel.caches.pictures;
  const Side queries = query_side(snapshot, layer), keys = key_side(snapshot, layer);
  std::vector<StripText> texts;
  const auto add = [&](const Encoding& encoding, const TokenNames& names, Side side, bool has_queries, bool has_keys) {
    texts.push_back({encoding, names, measured(panel, names, layouts[static_cast<std::size_t>(side)]), side, has_queries, has_keys});
  };
  add(snapshot.query_tokens(layer), pictures.query_names(layer), queries, true, queries == keys);
  if (queries != keys) add(snapshot.key_tokens(layer), pictures.key_names(layer), keys, false, true);
  return texts;
}

/// The word that a token is a part of; empty for a whole one.
std::string word_around(const Encoding& encoding, Index token) {
  const std::vector<std::uint32_t> words = words_of_tokens(encoding);
  const auto [begin, end] = std::equal_range(words.begin(), words.end(), words[static_cast<std::size_t>(token)]);
  if (end - begin < 2) return {};
  const Token& first = encoding.tokens[static_cast<std::size_t>(begin - words.begin())];
  const Token& last = encoding.tokens[static_cast<std::size_t>(end - words.begin()) - 1];
  const std::string& text = first.sequence == 0 ? encoding.text : encoding.text_pair;
  const std::string word = text.substr(first.bytes.begin, last.bytes.end - first.bytes.begin);
  return printable(word.substr(std::min(word.find_first_not_of(' '), word.size())), 60);
}

/// "token 5 · id 341 · Ġstreet": the token as the vocabulary spells it.
std::string about_token(const Encoding& encoding, Index token) {
  const Token& known = encoding.tokens.at(static_cast<std::size_t>(token));
  std::string about = fmt::format("token {} · id {} · {}", token, known.id, printable(known.text, 60));
  if (const std::string word = word_around(encoding, token); !word.empty()) about += fmt::format("\nPart of “{}”.", word);
  if (known.is_typed_special) {
    about += "\nTyped, and read as the special token. To read it as plain text, switch off “Typed <…> is special” under Block.";
  }
  return about;
}

struct Chip {
  Index token = 0;
  float left = 0, top = 0, width = 0;
};

/// Whether the cell under the pointer is between tokens of the text in the strip: one of the map before may be of another text.
bool is_pointed_text_shown(const Panel& panel) {
  const Pointed& pointed = panel.view.pointed;
  return !pointed.map || has_same_tokens(*panel.snapshot, run_of(*pointed.map, *panel.snapshot), pointed.layer);
}

/// The mark of a token: as a query where it is one, else as a key. What the pointer is over counts in this frame.
void draw_chip_marks(const Panel& panel, int layer, const StripText& text, const Chip& chip, bool is_hovered) {
  const Look& look = panel.look;
  const Box box{chip.left, chip.top, chip.width, chip_height(look, text.names)};
  const Pointed& pointed = panel.view.pointed;
  is_hovered = is_hovered || pointed.token == TokenPlace{text.side, chip.token};
  const bool has_cell = pointed.cell && is_pointed_text_shown(panel);
  const Cell cell = has_cell ? carried_over(*panel.snapshot, *pointed.cell, pointed.layer, layer) : Cell{kNoToken, kNoToken};
  const bool is_pinned = text.has_queries && pinned_query_of(panel, layer) == chip.token;
  const bool is_query = text.has_queries && (cell.query == chip.token || is_hovered);
  const bool is_key = text.has_keys && (cell.key == chip.token || is_hovered);
  const AskedToken asked = asked_token(panel, layer, {text.side, chip.token});
  const bool is_framing_key = is_hovered && panel.view.finding.query.has_value();  // the next press makes it one
  const Mark mark = is_pinned || asked.is_query || asked.is_key ? Mark::pinned : is_query || is_key ? Mark::hovered : Mark::none;
  const bool is_amber = is_pinned || asked.is_query || (is_query && !asked.is_key && !is_framing_key);
  draw_mark(look, box, is_amber ? look.colours.query : look.colours.key, mark);
}

void draw_chip(Panel& panel, int layer, const StripText& text, const Chip& chip, std::optional<float> weight) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const auto [token, left, top, width] = chip;
  const float height = chip_height(look, text.names);
  const std::string label = fmt::format("{}token {}", text.has_queries ? "" : "key ", token);
  const Index stop = text.has_queries ? pinned_query_of(panel, layer).value_or(0) : 0;
  const Press press = press_area_in_list(label.c_str(), {left, top}, {width, height}, token == stop);
  if (press.is_hovered) hint(look, about_token(text.encoding, token).c_str());
  const TokenPlace place{text.side, token};
  if (press.is_hovered) view.pointed.token = place;
  if (press.is_hovered && is_right_click()) ask_token_menu(panel, place);
  if (press.is_clicked && view.finding.drawing == FindingPage::Drawing::relation) {
    press_for_relation(panel, layer, place, text.has_queries, text.has_keys);
  } else if (press.is_clicked && text.has_queries) {
    toggle_pinned_query(panel, layer, token);
    view.revealed = view.pinned_query;  // it is under the pointer
  }
  const Colour ground = tinted(look.colours.raised, look.colours.key, weight.value_or(0));
  fill(look, {left, top}, {left + width, top + height}, ground);
  draw_chip_marks(panel, layer, text, chip, press.is_hovered);
  if (text.names.labels[static_cast<std::size_t>(token)].has_leading_blank) {
    draw_text(look, left + look.px(kChipPadding) / 2, top + height / 2, Type::body, look.colours.text, "·", AlignX::centre);
  }
  draw_text(look, left + width / 2, top + height / 2, Type::body, look.colours.text,
            elided(look, Type::body, text.names[token], look.px(kWidestName)), AlignX::centre);
  if (!has_positions(text.names)) return;
  draw_text(look, left + width / 2, top + height + look.px(kPositionLine) / 2 + 1, Type::number, look.colours.text_second,
            std::to_string(token), AlignX::centre);
}

/// The row whose weights tint the chips: the pinned one, else the one under the pointer.
std::optional<Index> tinting_query(const Panel& panel, int layer) {
  if (panel.context.session.lessons().hides_weights()) return std::nullopt;  // it is what a lesson asks for
  if (const std::optional<Index> pinned = pinned_query_of(panel, layer)) return pinned;
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  return cross && cross->query != kNoToken ? std::optional(cross->query) : std::nullopt;
}

/// Scrolls to the row that has just been pinned, where it is out of sight.
void reveal_pin(Panel& panel, int layer, const StripText& text, float width) {
  const std::optional<Index> pinned = pinned_query_of(panel, layer);
  if (!text.has_queries || panel.view.revealed == panel.view.pinned_query) return;
  if (panel.view.pinned_query && !pinned) return;  // the text that has this token is not there yet
  panel.view.revealed = panel.view.pinned_query;
  if (!pinned) return;
  const auto at = static_cast<std::size_t>(*pinned);
  const float left = text.layout.edges[at], right = text.layout.edges[at + 1];
  const float scroll = ImGui::GetScrollX();
  if (left >= scroll && right <= scroll + width) return;
  ImGui::SetScrollX(std::max(0.0F, std::round((left + right - width) / 2)));
}

/// In the middle of the strip; with positions below them a little higher, above the scroll bar.
float chips_top(const Look& look, const StripText& text, const Box& box) {
  const float height = chip_height(look, text.names) + (has_positions(text.names) ? look.px(kPositionLine) : 0);
  const float bar = text.layout.edges.back() > box.width && has_positions(text.names) ? ImGui::GetStyle().ScrollbarSize : 0;
  return box.y + std::max(1.0F, std::round((box.height - bar - height) / 2));
}

/// A weight as the maps show it; none of a hidden key.
std::optional<float> shown_weight(const Style& style, const RowLeft& left, float weight, Index key) {
  if (!left.is_known) return weight;
  if (left.hides(key)) return std::nullopt;
  if (style.hiding == Hiding::raw) return weight;
  return left.rest < kLeastLeft ? std::nullopt : std::optional(static_cast<float>(static_cast<double>(weight) / left.rest));
}

/// Weights of a row that tint the chips, as the maps show them.
using Tint = std::function<std::optional<float>(Index key)>;

/// None: the head's maps are not made yet, or are of other tokens.
Tint tint_of(const Panel& panel, const ComparedHead& head, Index query) {
  const Snapshot& run = run_of(head, *panel.snapshot);
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
  if (!maps || !has_same_tokens(*panel.snapshot, run, head.head.layer) || query >= maps->weights.rows()) return {};
  const RowLeft left_of = left_of_row(run, panel.draft.style, head.head, *maps, query);
  return [maps, left_of, query, style = &panel.draft.style](Index key) {
    return shown_weight(*style, left_of, maps->weights(query, key), key);
  };
}

/// The same of several heads' maps as one.
Tint tint_of(const std::optional<JoinedMap>& joined, Index query) {
  if (!joined || !joined->is_current) return {};
  return [joined, query](Index key) { return joined->shown_value({query, key}); };
}

/// Only the chips that can be seen are drawn, however long the text is.
void draw_chips(Panel& panel, const ComparedHead& head, std::optional<Index> query, const StripText& text, const Box& box) {
  const Look& look = panel.look;
  const StripLayout& layout = text.layout;
  Tint tint;
  if (query && text.has_keys) tint = shows_joined_map(panel) ? tint_of(joined_map(panel), *query) : tint_of(panel, head, *query);
  reveal_pin(panel, head.head.layer, text, box.width);
  const float scroll = ImGui::GetScrollX();
  const auto first = std::upper_bound(layout.edges.begin(), layout.edges.end(), scroll);
  const float left = box.x - scroll;
  const float top = chips_top(look, text, box);
  for (auto edge = first == layout.edges.begin() ? first : first - 1; edge + 1 < layout.edges.end() && *edge < scroll + box.width; ++edge) {
    const auto token = static_cast<Index>(edge - layout.edges.begin());
    const std::optional<float> weight = tint ? tint(token) : std::nullopt;
    const Chip chip{token, left + *edge, top, *(edge + 1) - *edge - look.px(kBetweenChips)};
    draw_chip(panel, head.head.layer, text, chip, weight);
  }
  ImGui::Dummy({layout.edges.back(), 1});
}

/// "decoder" or "encoder", where a model has both.
std::string side_name(const Panel& panel, const StripText& text) {
  if (!panel.snapshot->decoder_encoding) return {};
  return text.side == Side::decoder ? "decoder" : "encoder";
}

float side_width(const Panel& panel, const StripText& text) {
  const std::string name = side_name(panel, text);
  return name.empty() ? 0 : text_width(panel.look, Type::body, name) + panel.look.px(12);
}

/// The text's name, in the colour of its axis if it is on one axis only. Returns the rest of the box.
Box draw_side(const Panel& panel, const StripText& text, const Box& box) {
  const Palette& colours = panel.look.colours;
  const Colour colour = text.has_queries && text.has_keys ? colours.text_second : text.has_queries ? colours.query : colours.key;
  draw_text(panel.look, box.x, box.y + box.height / 2, Type::body, colour, side_name(panel, text));
  const float taken = side_width(panel, text);
  return {box.x + taken, box.y, box.width - taken, box.height};
}

/// Widths of the parts of the strip. Short texts take what they need; if they do not fit, the first leaves the second at least half.
std::vector<float> shares(const Panel& panel, const std::vector<StripText>& texts, float width) {
  if (texts.size() == 1) return {width};
  const auto wanted = [&](const StripText& text) { return std::ceil(side_width(panel, text) + text.layout.edges.back()) + 1; };
  const float between = panel.look.px(kBetween);
  const float first = std::min(wanted(texts.front()) + between, std::max(width / 2, width - wanted(texts.back())));
  return {first, width - first};
}

}  // namespace

void draw_token_strip(Panel& panel, const Box& box, StripLayouts& layouts) {
  const Look& look = panel.look;
  begin_region(look, "Token strip", box, look.colours.panel, {0, 0});
  ImGui::GetWindowDrawList()->AddLine({box.x, box.y}, {box.right(), box.y}, to_imgui(look.colours.line));
  if (!panel.has_picture()) {
    panel.view.pointed.token.reset();
    draw_text(look, box.x + look.px(kBetween), box.y + box.height / 2, Type::body, look.colours.text_second,
              "The sentence's tokens appear here.");
    end_region();
    return;
  }
  const ComparedHead head = inspected_head(panel);
  const int layer = head.head.layer;
  const float right = draw_strip_chips(panel, layer, box);
  const std::optional<Index> query = tinting_query(panel, layer);
  panel.view.pointed.token = std::exchange(panel.view.pointed.listed, std::nullopt);
  const std::vector<StripText> texts = texts_of(panel, layer, layouts);
  float left = box.x + look.px(kBetween);
  const std::vector<float> widths = shares(panel, texts, right - left);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const float gap_width = i + 1 < texts.size() ? look.px(kBetween) : 0;
    const Box chips = draw_side(panel, texts[i], {left, box.y, widths[i] - gap_width, box.height});
    left += widths[i];
    ImGui::SetCursorScreenPos({chips.x, chips.y + 1});
    ImGui::BeginChild(i == 0 ? "chips" : "key chips", {std::max(1.0F, chips.width), chips.height - 2}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
    const float wheel = ImGui::GetIO().MouseWheel;
    if (ImGui::IsWindowHovered() && wheel != 0) ImGui::SetScrollX(ImGui::GetScrollX() - wheel * look.px(80));
    draw_chips(panel, head, query, texts[i], chips);
    ImGui::EndChild();
  }
  end_region();
}

}  // namespace headlight
