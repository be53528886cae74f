// The command palette: one box that finds whatever the program can do or show.
#include <imgui_internal.h>

#include <algorithm>

#include "app/gui/commands/commands.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/dialogs/palette_offers.h"
#include "app/gui/kit/items.h"

namespace headlight {
namespace {

constexpr float kPaletteWidth = 640, kBoxHeight = 36;
constexpr int kOffersShown = 11;
constexpr std::size_t kMostOffers = 60, kMostRecent = 8;

bool begin_palette(const Look& look, bool is_open) {
  constexpr const char* kName = "Command palette";
  if (!is_open) return false;
  if (!ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float edge = look.px(kBetween), width = std::min(look.px(kPaletteWidth), display.x - 2 * edge);
  ImGui::SetNextWindowPos({display.x / 2, look.px(kTopBar + kUnit)}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.px(10));
  const bool is_drawn = ImGui::BeginPopupModal(
      kName, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  return is_drawn;
}

/// The name, with the letters that were typed in the accent.
float draw_name(const Look& look, const RankedOffer& ranked, std::string_view shown, float left, float middle, Colour colour) {
  const auto& letters = ranked.match.letters;
  float x = left;
  for (std::size_t begin = 0; begin < shown.size();) {
    const bool is_typed = std::binary_search(letters.begin(), letters.end(), begin);
    std::size_t end = begin + 1;
    while (end < shown.size() && std::binary_search(letters.begin(), letters.end(), end) == is_typed) ++end;
    const std::string_view run = shown.substr(begin, end - begin);
    draw_text(look, x, middle, Type::body, is_typed ? look.colours.accent : colour, run);
    x += text_width(look, Type::body, run);
    begin = end;
  }
  return x;
}

/// One line: its name, what it is or why it cannot be chosen, its keys. Returns whether it was pressed.
bool draw_offer(const Look& look, const RankedOffer& ranked, int place, bool is_chosen) {
  const Offer& offer = ranked.offer;
  const Row row = begin_row(look, "");
  ImGui::PushID(place);  // two may have one name
  const Press press = press_area(offer.name.c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  ImGui::PopID();
  if (is_chosen || press.is_hovered) {
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.AddRectFilled({row.left, row.top}, {row.right, row.top + row.height},
                         to_imgui(is_chosen ? look.colours.line : look.colours.raised), look.px(kCorner));
  }
  const float inset = look.px(kUnit);
  const bool can = offer.why_not.empty();
  float right = row.right - inset;
  if (!offer.keys.empty()) {
    draw_text(look, right, row.middle(), Type::number, look.colours.text_second, offer.keys, AlignX::right);
    right -= text_width(look, Type::number, offer.keys) + look.px(kBetween);
  }
  const float room = right - row.left - inset;
  const std::string name = elided(look, Type::body, offer.name, room);
  const float end = draw_name(look, ranked, name, row.left + inset, row.middle(), can ? look.colours.text : look.colours.text_second);
  std::string what = can ? offer.note : offer.why_not;
  if (ranked.is_recent && can && what.empty()) what = "recent";
  const float left = right - end - look.px(kBetween);
  if (left > look.px(40))
    draw_text(look, right, row.middle(), Type::caption, look.colours.text_second, elided(look, Type::caption, what, left), AlignX::right);
  return press.is_clicked;
}

/// Arrows, page keys, and whether Enter was pressed.
bool answer_keys(CommandPalette& palette, int count) {
  const auto step = [&](ImGuiKey key, int by) {
    if (ImGui::IsKeyPressed(key, true)) palette.chosen += by;
  };
  step(ImGuiKey_DownArrow, 1);
  step(ImGuiKey_UpArrow, -1);
  step(ImGuiKey_PageDown, kOffersShown - 1);
  step(ImGuiKey_PageUp, 1 - kOffersShown);
  palette.chosen = std::clamp(palette.chosen, 0, std::max(0, count - 1));
  return ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

/// Keeps the chosen line in sight when the keyboard moves it.
void scroll_to(const Look& look, int place) {
  const float top = static_cast<float>(place) * look.px(kRow), height = ImGui::GetWindowHeight();
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
  if (top + look.px(kRow) > ImGui::GetScrollY() + height) ImGui::SetScrollY(top + look.px(kRow) - height);
}

/// Returns the line that was pressed.
std::optional<std::size_t> draw_offers(const Look& look, const std::vector<RankedOffer>& offers, const CommandPalette& palette,
                                       bool has_moved) {
  std::optional<std::size_t> pressed;
  const float fitting = std::floor((ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - look.px(56)) / look.px(kRow));
  const float rows = std::clamp(std::min(static_cast<float>(offers.size()), fitting), 1.0F, static_cast<float>(kOffersShown));
  ImGui::BeginChild("offers", {0, rows * look.px(kRow)}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // the arrows move the chosen line, and typing stays in the box
  if (has_moved) scroll_to(look, palette.chosen);
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (draw_offer(look, offers[i], static_cast<int>(i), static_cast<int>(i) == palette.chosen)) pressed = i;
  }
  if (offers.empty())
    text_line(look, Type::body, look.colours.text_second, "Nothing fits. Try a word of a command, a head such as 2.1, or a token.");
  ImGui::PopItemFlag();
  ImGui::EndChild();
  return pressed;
}

void take(Panel& panel, CommandPalette& palette, const Offer& offer) {
  if (!offer.why_not.empty()) return;
  palette.act = offer.act;
  panel.view.dialogs.palette = false;
  if (!offer.is_remembered) return;
  std::vector<std::string>& recent = panel.view.recent_commands;
  std::erase(recent, offer.name);
  recent.insert(recent.begin(), offer.name);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

void draw_box(const Look& look, CommandPalette& palette) {
  const Row row = begin_row(look, "", nullptr, kBoxHeight);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  send_typing_to_next_box(palette.typed);
  const bool has_changed = text_box(look, "Palette", "Do something, or go to a head (2.1), a token, a model, an example", palette.typed,
                                    {row.left, row.top}, row.right - row.left, kBoxHeight);
  keep_caret_behind_typing();
  if (has_changed) palette.chosen = 0;
}

}  // namespace

void take_from_palette(Panel& panel, CommandPalette& palette) {
  // The popup has closed by then and its box let the keyboard go: what is done counts as an edit of its own, not as typing.
  if (!palette.act || ImGui::GetIO().WantTextInput) return;
  std::exchange(palette.act, nullptr)(panel);
}

void draw_palette(Panel& panel, DialogStates& dialogs) {
  CommandPalette& palette = dialogs.palette;
  bool& is_open = panel.view.dialogs.palette;
  if (is_open && !std::exchange(palette.was_open, is_open)) palette.typed.clear(), palette.chosen = 0;
  palette.was_open = is_open;
  const Look& look = panel.look;
  if (!begin_palette(look, is_open)) return;
  const bool is_appearing = ImGui::IsWindowAppearing();
  const bool is_given_up = ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !is_appearing;
  draw_box(look, palette);
  const std::vector<RankedOffer> offers = ranked_offers(panel, {palette.typed, dialogs}, kMostOffers);
  const int before = palette.chosen;
  const bool is_entered = answer_keys(palette, static_cast<int>(offers.size())) && !is_appearing;
  gap(look, kUnit);
  const std::optional<std::size_t> pressed = draw_offers(look, offers, palette, palette.chosen != before);
  gap(look, kInside);
  text_line(look, Type::caption, look.colours.text_second, "↑ ↓ choose · Enter does it · Esc closes");
  if (pressed) palette.chosen = static_cast<int>(*pressed);
  if ((pressed || is_entered) && !offers.empty()) take(panel, palette, offers[static_cast<std::size_t>(palette.chosen)].offer);
  const bool is_beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_appearing &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (is_given_up || is_beside) is_open = false;
  if (!is_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace headlight
