#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/selection/explained.h"
#include "app/gui/selection/menu_entries.h"
#include "app/gui/selection/selection.h"

namespace headlight {
namespace {

constexpr const char* kMenu = "Context menu";
constexpr const char* kExplanation = "Explanation";
constexpr float kExplanationWidth = 320;

/// What the menu's key is about: the cell under the pointer, else the token under it, else the pinned row, else the head.
MenuTarget target_of_key(const Panel& panel) {
  const ComparedHead head = inspected_head(panel);
  const Pointed& pointed = panel.view.pointed;
  if (pointed.pictured) {
    MenuTarget target{.kind = MenuKind::pictured, .head = head, .pictured = pointed.pictured->numbers};
    if (const auto& cell = pointed.pictured->cell) target.query = cell->query, target.key = cell->key;
    return target;
  }
  if (pointed.cell) return {MenuKind::cell, head, pointed.cell->query, pointed.cell->key};
  if (pointed.number) return {.kind = MenuKind::number, .head = head, .query = pointed.number->query, .number = pointed.number->number};
  const std::optional<TokenPlace> token = pointed.token ? pointed.token : panel.view.pinned_query;
  const int layer = head.head.layer;
  if (token && !pointed.head) {
    const bool is_query = token->side == query_side(*panel.snapshot, layer) && token->token < panel.snapshot->queries(layer);
    const bool is_key = token->side == key_side(*panel.snapshot, layer) && token->token < panel.snapshot->keys(layer);
    MenuTarget target{MenuKind::token, head};
    if (is_query) target.query = token->token;
    if (is_key) target.key = token->token;
    if (is_query || is_key) return target;
  }
  return {.kind = MenuKind::head, .head = pointed.head ? ComparedHead{*pointed.head} : head};
}

struct OfferedEntry {
  const MenuEntry* row;
  std::string label, note, refusal;
};

std::vector<OfferedEntry> offered(const Panel& panel, const MenuTarget& target) {
  std::vector<OfferedEntry> entries;
  for (const MenuEntry& row : menu_entries()) {
    std::string label = row.label(panel, target);
    if (label.empty()) continue;
    const bool has_note = row.note != nullptr;
    entries.push_back({&row, std::move(label), has_note ? row.note(panel, target) : "", row.refusal ? row.refusal(panel, target) : ""});
  }
  return entries;
}

float width_of(const Look& look, const std::vector<OfferedEntry>& entries, std::span<const Span> title) {
  float width = 0, titles = 0;
  for (const Span& span : title) titles += text_width(look, Type::caption, span.text);
  for (const OfferedEntry& entry : entries) {
    const float note = entry.note.empty() ? 0 : look.px(24) + text_width(look, Type::caption, entry.note);
    width = std::max(width, text_width(look, Type::body, entry.label) + note);
  }
  return std::ceil(std::max(width, titles)) + look.px(kUnit);
}

/// Draws an entry; one that cannot be chosen stays, says why, and can be reached by the keyboard too.
bool draw_entry(const Look& look, const OfferedEntry& entry, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_refused = !entry.refusal.empty();
  if (is_refused) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(look.colours.text_third));
  const ImGuiSelectableFlags flags = is_refused ? ImGuiSelectableFlags_NoAutoClosePopups : ImGuiSelectableFlags_None;
  const bool is_taken = list_entry(look, entry.label, false, width, kRow - 4, flags);
  if (is_refused) ImGui::PopStyleColor();
  if (is_refused) hint(look, entry.refusal.c_str());
  draw_text(look, at.x + width, at.y + look.px(kRow - 4) / 2, Type::caption,
            is_refused ? look.colours.text_third : look.colours.text_second, entry.note, AlignX::right);
  return is_taken && !is_refused;
}

/// Returns whether the target is to be explained.
bool draw_menu(Panel& panel) {
  const Look& look = panel.look;
  const MenuTarget target = panel.view.menu.shown;
  if (!begin_popup(kMenu)) return false;
  bool is_explained = false;
  if (!is_there(panel, target)) {
    ImGui::CloseCurrentPopup();
  } else {
    std::vector<Span> title = menu_title(panel, target);
    for (Span& span : title) span.type = Type::caption;
    const std::vector<OfferedEntry> entries = offered(panel, target);
    const float width = width_of(look, entries, title);
    paragraph(look, title, width);
    gap(look, kInside);
    for (const OfferedEntry& entry : entries) {
      if (entry.row->begins_group) {
        gap(look, kInside);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        canvas().AddLine(at, {at.x + width, at.y}, to_imgui(look.colours.line));
        gap(look, kInside + 1);
      }
      const bool is_taken = draw_entry(look, entry, width);
      if (&entry == &entries.front()) ImGui::SetItemDefaultFocus();
      if (!is_taken) continue;
      entry.row->act ? entry.row->act(panel, target) : void(is_explained = true);
    }
  }
  ImGui::EndPopup();
  return is_explained;
}

void draw_explanation(Panel& panel) {
  const Look& look = panel.look;
  ImGui::SetNextWindowSize({look.px(kExplanationWidth + 2 * kBetween), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(12)));
  const bool is_open = begin_popup(kExplanation);
  ImGui::PopStyleVar();
  if (!is_open) return;
  const MenuTarget& target = panel.view.menu.shown;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  if (!is_there(panel, target)) {
    ImGui::CloseCurrentPopup();
  } else {
    const std::vector<Explanation> words = explained(panel, target);
    for (const Explanation& each : words) {
      paragraph(look, spans_of(look.colours, each, look.colours.text), look.px(kExplanationWidth));
      gap(look, kUnit);
    }
    const Row row = begin_row(look, "");
    const float width = button_width(look, "Copy");
    if (quiet_button(look, "Copy", {row.right - width, row.top}, {width, look.px(kControl)})) copy_explanation(panel, words);
  }
  name_area("Explained", {top.x, top.y, look.px(kExplanationWidth), ImGui::GetCursorScreenPos().y - top.y});
  ImGui::EndPopup();
}

}  // namespace

void draw_context_menu(Panel& panel) {
  const Look& look = panel.look;
  ContextMenu& menu = panel.view.menu;
  if (panel.wants_menu && panel.has_picture() && !menu.asked) menu.asked = target_of_key(panel);
  begin_overlay("Context menus", {0, 0, 1, 1}, ImGuiWindowFlags_NoInputs);
  if (menu.asked) {
    menu.shown = *std::exchange(menu.asked, std::nullopt);
    ImGui::OpenPopup(kMenu);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  const bool is_explained = draw_menu(panel);
  ImGui::PopStyleVar();
  const bool is_key_pressed = panel.wants_explanation && panel.has_picture();
  if (is_key_pressed) menu.shown = target_of_key(panel);
  if (is_explained || is_key_pressed) ImGui::OpenPopup(kExplanation);
  draw_explanation(panel);
  menu.is_open = ImGui::IsPopupOpen(kMenu) || ImGui::IsPopupOpen(kExplanation);
  end_region();
}

}  // namespace headlight
