// The sizes that everything in the window is laid out with, in points (× scale = pixels).
#pragma once

#include <imgui.h>

#include <cmath>

#include "app/gui/kit/fonts.h"
#include "engine/figure/style.h"

namespace headlight {

inline constexpr float kUnit = 8;      ///< the one spacing unit
inline constexpr float kInside = 4;    ///< inside a group
inline constexpr float kBetween = 16;  ///< between groups, and from the edge of a panel to what it holds
inline constexpr float kCorner = 6;
inline constexpr float kRow = 28;       ///< a label and its control
inline constexpr float kTitleRow = 24;  ///< the title of a section
inline constexpr float kNumberRow = 24;
inline constexpr float kLine = 20;     ///< a line of running text
inline constexpr float kControl = 24;  ///< height of a control

inline constexpr float kTopBar = 48;
inline constexpr float kTabs = 40;
inline constexpr float kStrip = 56;
inline constexpr float kStatus = 28;
inline constexpr float kLeftRail = 264;
inline constexpr float kRightRail = 296;
inline constexpr float kWideRightRail = 400;
inline constexpr float kStub = 40;              ///< width of the left rail when it is folded
inline constexpr float kRightStub = 28;         ///< and of the right one
inline constexpr float kDrawer = 142;           ///< height of the inspector when it lies under the views
inline constexpr float kDrawerLine = 28;        ///< and folded
inline constexpr float kFoldBelow = 1200;       ///< window width under which the left rail folds and the inspector becomes a drawer
inline constexpr float kFoldDrawerBelow = 640;  ///< window height under which the drawer starts folded
inline constexpr float kWidenAbove = 2200;      ///< window width over which the right rail widens
inline constexpr float kControlColumn = 120;    ///< from the left of a rail to its sliders and boxes

enum class Type : std::uint8_t { title, body, strong, caption, heading, number };

/// How things look in one frame: what widgets need, and nothing about documents.
struct Look {
  const Palette& colours;
  const Fonts& fonts;
  float scale = 1;          ///< pixels per point
  bool shows_hints = true;  ///< tooltips and bubbles: false from a click until the pointer moves away, as they would cover what it changes

  float px(float points) const { return std::round(points * scale); }
  FontFace face(Type type) const;
  ImFont* font(Type type) const { return fonts.of(face(type)); }
  float points(Type type) const;  ///< size of a type
};

ImU32 to_imgui(Colour colour);
ImVec4 to_imgui_vector(Colour colour);
/// `colour` at a share of its opacity.
Colour faded(Colour colour, float share);

/// Colours, spacing and corners of Dear ImGui for a theme and scale.
void apply_theme(Theme theme, float scale);

}  // namespace headlight
