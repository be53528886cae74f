#include <fmt/core.h>

#include <algorithm>

#include "app/gui/focus.h"
#include "app/gui/items.h"

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
void measure_chips(Panel& panel) {
  const Look& look = panel.look;
  StripLayout& layout = panel.view.strip;
  if (layout.snapshot == panel.snapshot && layout.scale == look.scale) return;
  layout = {panel.snapshot, look.scale, {0}};
  for (const std::string& name : panel.view.pictures.axis_labels()) {
    layout.edges.push_back(layout.edges.back() + chip_width(look, name) + look.px(kBetweenChips));
  }
}

/// "token 5 · id 341 · Ġstreet", as the model has it.
std::string about_token(const Snapshot& snapshot, Index token) {
  const Token& known = snapshot.encoding->tokens.at(static_cast<std::size_t>(token));
  return fmt::format("token {} · id {} · {}", token, known.id, printable(known.text, 60));
}

void draw_chip(Panel& panel, Index token, float left, float top, float width, std::optional<float> weight) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const float height = look.px(kChipHeight);
  const Press press = press_area(fmt::format("token {}", token).c_str(), {left, top}, {width, height});
  hint(look, about_token(*panel.snapshot, token).c_str());
  if (press.is_hovered) view.hovered_token = token;
  const bool is_pinned = pinned_query_of(panel) == token;
  if (press.is_clicked) view.pinned_query = is_pinned ? std::nullopt : std::optional(token);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 to{left + width, top + height};
  const float tint = weight ? std::clamp(*weight, 0.0F, 1.0F) * 0.62F : 0.0F;
  canvas.AddRectFilled({left, top}, to, to_imgui(mix(look.colours.raised, look.colours.key, tint)), look.px(kCorner));
  const bool is_query = is_pinned || (view.hovered && view.hovered->query == token) || press.is_hovered;
  const bool is_key = view.hovered && view.hovered->key == token;
  if (is_query || is_key) {
    canvas.AddRect({left, top}, to, to_imgui(is_query ? look.colours.query : look.colours.key), look.px(kCorner), 0,
                   std::max(1.0F, look.scale * 1.2F));
  }
  const std::string& name = view.pictures.axis_labels()[static_cast<std::size_t>(token)];
  if (view.pictures.labels()[static_cast<std::size_t>(token)].has_leading_blank) {
    draw_text(look, left + look.px(kChipPadding) / 2, top + height / 2, Type::body, look.colours.text_third, "·", AlignX::centre);
  }
  draw_text(look, left + width / 2, top + height / 2, Type::body, look.colours.text, elided(look, Type::body, name, look.px(kWidestName)),
            AlignX::centre);
}

/// The chip that says which row is kept, and lets it go. Returns its left edge.
float draw_pin(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const std::optional<Index> pinned = pinned_query_of(panel);
  float right = box.right() - look.px(kBetween);
  if (!pinned) return right;
  const std::string name = elided(look, Type::body, panel.view.pictures.axis_labels()[static_cast<std::size_t>(*pinned)], look.px(100));
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

/// Only the chips that can be seen are drawn, however long the text is.
void draw_chips(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const StripLayout& layout = panel.view.strip;
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, inspected_head(panel));
  std::optional<Index> query = pinned_query_of(panel);
  if (!query && panel.view.hovered) query = panel.view.hovered->query;
  if (!query) query = panel.view.hovered_token;
  if (query && (!maps || *query >= maps->weights.rows())) query.reset();
  panel.view.hovered_token.reset();
  const float scroll = ImGui::GetScrollX();
  const auto first = std::upper_bound(layout.edges.begin(), layout.edges.end(), scroll);
  const float left = box.x - scroll;
  const float top = box.y + std::round((box.height - look.px(kChipHeight)) / 2);
  for (auto edge = first == layout.edges.begin() ? first : first - 1; edge + 1 < layout.edges.end() && *edge < scroll + box.width; ++edge) {
    const auto token = static_cast<Index>(edge - layout.edges.begin());
    const std::optional<float> weight = query ? std::optional(maps->weights(*query, token)) : std::nullopt;
    draw_chip(panel, token, left + *edge, top, *(edge + 1) - *edge - look.px(kBetweenChips), weight);
  }
  ImGui::Dummy({layout.edges.back(), 1});
}

}  // namespace

void draw_token_strip(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Token strip", box, look.colours.panel, {0, 0});
  ImGui::GetWindowDrawList()->AddLine({box.x, box.y}, {box.right(), box.y}, to_imgui(look.colours.line));
  if (!panel.has_picture()) {
    panel.view.hovered_token.reset();
    draw_text(look, box.x + look.px(kBetween), box.y + box.height / 2, Type::body, look.colours.text_second,
              "The sentence as tokens stands here.");
    end_region();
    return;
  }
  const float right = draw_pin(panel, box);
  measure_chips(panel);
  const Box chips{box.x + look.px(kBetween), box.y, right - box.x - look.px(kBetween), box.height};
  ImGui::SetCursorScreenPos({chips.x, chips.y + 1});
  ImGui::BeginChild("chips", {std::max(1.0F, chips.width), chips.height - 2}, 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  const float wheel = ImGui::GetIO().MouseWheel;
  if (ImGui::IsWindowHovered() && wheel != 0) ImGui::SetScrollX(ImGui::GetScrollX() - wheel * look.px(80));
  draw_chips(panel, chips);
  ImGui::EndChild();
  end_region();
}

}  // namespace headlight
