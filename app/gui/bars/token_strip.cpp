#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/bars/bars.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/core/error.h"
#include "engine/text/words.h"

namespace headlight {
namespace {

constexpr float kChipHeight = 28;
constexpr float kChipPadding = 10;
constexpr float kBetweenChips = 5;
constexpr float kWidestName = 160;

float chip_width(const Look& look, const std::string& name) {
  return std::min(text_width(look, Type::body, name), look.px(kWidestName)) + 2 * look.px(kChipPadding);
}

/// Where every chip begins, and the end of the last: measured once per text and scale.
const StripLayout& measured(const Panel& panel, const TokenNames& names, StripLayout& layout) {
  const Look& look = panel.look;
  if (layout.snapshot == panel.snapshot && layout.scale == look.scale) return layout;
  layout = {panel.snapshot, look.scale, {0}};
  for (const std::string& name : names.axis) {
    layout.edges.push_back(layout.edges.back() + chip_width(look, name) + look.px(kBetweenChips));
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

void draw_chip(Panel& panel, int layer, const StripText& text, const Chip& chip, std::optional<float> weight) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const auto [token, left, top, width] = chip;
  const float height = look.px(kChipHeight);
  const std::string label = fmt::format("{}token {}", text.has_queries ? "" : "key ", token);
  const Press press = press_area(label.c_str(), {left, top}, {width, height});
  if (press.is_hovered) hint(look, about_token(text.encoding, token).c_str());
  const TokenPlace place{text.side, token};
  if (press.is_hovered) view.pointed.token = place;
  if (press.is_clicked && text.has_queries) toggle_pinned_query(panel, layer, token);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 to{left + width, top + height};
  const float tint = weight ? std::clamp(*weight, 0.0F, 1.0F) * 0.62F : 0.0F;
  canvas.AddRectFilled({left, top}, to, to_imgui(mix(look.colours.raised, look.colours.key, tint)), look.px(kCorner));
  const std::optional<Cell> hovered = view.pointed.cell && is_pointed_text_shown(panel)
                                          ? std::optional(carried_over(*panel.snapshot, *view.pointed.cell, view.pointed.layer, layer))
                                          : std::nullopt;
  const bool is_pinned = view.pinned_query == place;
  const bool is_query = text.has_queries && (is_pinned || (hovered && hovered->query == token) || press.is_hovered);
  const bool is_key = text.has_keys && ((hovered && hovered->key == token) || press.is_hovered);
  if (is_query || is_key) {
    canvas.AddRect({left, top}, to, to_imgui(is_query ? look.colours.query : look.colours.key), look.px(kCorner), 0,
                   std::max(1.0F, look.scale * 1.2F));
  }
  if (text.names.labels[static_cast<std::size_t>(token)].has_leading_blank) {
    draw_text(look, left + look.px(kChipPadding) / 2, top + height / 2, Type::body, look.colours.text_third, "·", AlignX::centre);
  }
  draw_text(look, left + width / 2, top + height / 2, Type::body, look.colours.text,
            elided(look, Type::body, text.names[token], look.px(kWidestName)), AlignX::centre);
}

/// The chip that names the pinned row; pressing it unpins the row. Returns its left edge.
float draw_pin(Panel& panel, int layer, const Box& box) {
  const Look& look = panel.look;
  const std::optional<Index> pinned = pinned_query_of(panel, layer);
  float right = box.right() - look.px(kBetween);
  if (!pinned) return right;
  const std::string name = elided(look, Type::body, panel.caches.pictures.query_names(layer)[*pinned], look.px(100));
  const float height = look.px(kChipHeight);
  const float top = box.y + std::round((box.height - height) / 2);
  const float gap_width = look.px(kInside + 2);
  const float width = text_width(look, Type::body, name) + text_width(look, Type::body, "pinned") + text_width(look, Type::body, "Esc") +
                      2 * gap_width + 2 * look.px(12);
  const float left = right - width;
  const Press press = press_area("Release pin", {left, top}, {width, height});
  if (press.is_clicked) panel.view.pinned_query.reset();
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({left, top}, {right, top + height}, to_imgui(press.is_hovered ? look.colours.line : look.colours.raised),
                       look.px(kCorner));
  canvas.AddRect({left, top}, {right, top + height}, to_imgui(look.colours.line), look.px(kCorner));
  float x = left + look.px(12);
  const float middle = top + height / 2;
  draw_text(look, x, middle, Type::body, look.colours.query, name);
  x += text_width(look, Type::body, name) + gap_width;
  draw_text(look, x, middle, Type::body, look.colours.text, "pinned");
  draw_text(look, right - look.px(12), middle, Type::body, look.colours.text_second, "Esc", AlignX::right);
  return left - look.px(kBetween);
}

/// The row whose weights tint the chips: the pinned one, else the one under the pointer.
std::optional<Index> tinting_query(const Panel& panel, int layer) {
  if (const std::optional<Index> pinned = pinned_query_of(panel, layer)) return pinned;
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  return cross && cross->query != kNoToken ? std::optional(cross->query) : std::nullopt;
}

/// Only the chips that can be seen are drawn, however long the text is.
void draw_chips(Panel& panel, const ComparedHead& head, std::optional<Index> query, const StripText& text, const Box& box) {
  const Look& look = panel.look;
  const StripLayout& layout = text.layout;
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
  const bool is_of_text = has_same_tokens(*panel.snapshot, run_of(head, *panel.snapshot), head.head.layer);
  if (!maps || !text.has_keys || !is_of_text || (query && *query >= maps->weights.rows())) query.reset();
  const float scroll = ImGui::GetScrollX();
  const auto first = std::upper_bound(layout.edges.begin(), layout.edges.end(), scroll);
  const float left = box.x - scroll;
  const float top = box.y + std::round((box.height - look.px(kChipHeight)) / 2);
  for (auto edge = first == layout.edges.begin() ? first : first - 1; edge + 1 < layout.edges.end() && *edge < scroll + box.width; ++edge) {
    const auto token = static_cast<Index>(edge - layout.edges.begin());
    const std::optional<float> weight = query ? std::optional(maps->weights(*query, token)) : std::nullopt;
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
  const float right = draw_pin(panel, layer, box);
  const std::optional<Index> query = tinting_query(panel, layer);
  panel.view.pointed.token.reset();
  const std::vector<StripText> texts = texts_of(panel, layer, layouts);
  float left = box.x + look.px(kBetween);
  const std::vector<float> widths = shares(panel, texts, right - left);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const float gap_width = i + 1 < texts.size() ? look.px(kBetween) : 0;
    const Box chips = draw_side(panel, texts[i], {left, box.y, widths[i] - gap_width, box.height});
    left += widths[i];
    ImGui::SetCursorScreenPos({chips.x, chips.y + 1});
    ImGui::BeginChild(i == 0 ? "chips" : "key chips", {std::max(1.0F, chips.width), chips.height - 2}, 0,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
    const float wheel = ImGui::GetIO().MouseWheel;
    if (ImGui::IsWindowHovered() && wheel != 0) ImGui::SetScrollX(ImGui::GetScrollX() - wheel * look.px(80));
    draw_chips(panel, head, query, texts[i], chips);
    ImGui::EndChild();
  }
  end_region();
}

}  // namespace headlight
