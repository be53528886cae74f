// Sliders (widgets.h): dragged, or moved by ← and → where they have the keyboard.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

/// The part of a slider's row that the track takes, and the value's place to its right.
struct Track {
  float left, right;
};
Track draw_track(const Look& look, const Row& row, float share, bool is_active, std::string_view text, float room = kSliderNumber) {
  const float numbers = look.px(room);
  const Track track{row.left + look.px(kControlColumn) - look.px(kBetween), row.right - numbers};
  const float y = std::round(row.middle());
  const float x = track.left + share * (track.right - track.left);
  const float half = look.px(2) / 2 + 0.5F;
  canvas().AddRectFilled({track.left, y - half}, {track.right, y + half}, to_imgui(look.colours.line), half);
  canvas().AddRectFilled({track.left, y - half}, {x, y + half}, to_imgui(look.colours.accent), half);
  canvas().AddCircleFilled({x, y}, look.scale * (is_active ? 7.0F : 6.0F), to_imgui(look.colours.text), 24);
  draw_text(look, row.right, row.middle(), Type::number, look.colours.text, text, AlignX::right);
  return track;
}

/// The share of the track under the pointer while it is dragged.
std::optional<float> dragged_share(const Look& look, const Row& row, const Press& press, float room = kSliderNumber) {
  if (!press.is_held || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return std::nullopt;  // Enter holds it too, but has no position on it
  const float left = row.left + look.px(kControlColumn) - look.px(kBetween);
  const float right = row.right - look.px(room);
  return std::clamp((ImGui::GetIO().MousePos.x - left) / std::max(1.0F, right - left), 0.0F, 1.0F);
}

struct TrackPress {
  Press press;
  int steps = 0;  ///< by ← and → while the track has the keyboard
};

/// ← and → of the slider that has the keyboard: they move it, and not the keyboard.
int arrow_steps() {
  if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return 0;
  int steps = 0;
  for (const auto& [key, step] : {std::pair(ImGuiKey_LeftArrow, -1), std::pair(ImGuiKey_RightArrow, 1)}) {
    ImGui::SetKeyOwner(key, ImGui::GetItemID());
    if (ImGui::IsKeyPressed(key) && !ImGui::GetIO().KeyCtrl) steps += step;
  }
  return steps;
}

TrackPress press_track(const Look& look, const Row& row, const char* name) {
  const float left = row.left + look.px(kControlColumn) - look.px(kBetween) - look.px(kUnit);
  const Press press = press_area(name, {left, row.top}, {row.right - left, row.height});
  const int steps = arrow_steps();
  if (!press.is_held) hint(look, row.help);
  return {press, steps};
}

}  // namespace

bool slider(const Look& look, const Row& row, const char* name, float& value, float low, float high, float home, std::string_view text) {
  constexpr float kSteps = 50;  // by arrows, over the whole track
  const auto [press, steps] = press_track(look, row, name);
  const float before = value;
  if (const std::optional<float> share = dragged_share(look, row, press)) value = low + *share * (high - low);
  if (press.is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) value = home;
  if (steps != 0) value = std::clamp(value + static_cast<float>(steps) * (high - low) / kSteps, low, high);
  draw_track(look, row, std::clamp((value - low) / (high - low), 0.0F, 1.0F), press.is_held, text);
  return value != before;
}

bool slider(const Look& look, const Row& row, const char* name, int& value, int low, int high, std::string_view text, float room) {
  const auto [press, by_arrows] = press_track(look, row, name);
  const int before = value;
  const auto steps = static_cast<float>(std::max(1, high - low));
  if (const std::optional<float> share = dragged_share(look, row, press, room)) {
    value = std::min(high, low + static_cast<int>(std::lround(*share * static_cast<float>(high - low))));
  }
  if (by_arrows != 0) value = std::clamp(value + by_arrows, low, high);
  draw_track(look, row, static_cast<float>(value - low) / steps, press.is_held, text.empty() ? std::to_string(value) : text, room);
  return value != before;
}

}  // namespace headlight
