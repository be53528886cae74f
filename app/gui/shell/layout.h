// Where everything is, for a window of any size: computed from numbers alone, so that tests try every size.
//
// The views come first. In a narrow window the left rail folds to a stub of names and the inspector becomes a drawer under the views; in a
// low one the drawer folds to a line. What a person has opened or folded stays so, as long as the views keep their least width.
#pragma once

#include "app/gui/kit/theme.h"
#include "app/gui/state/shell.h"

namespace headlight {

/// In pixels. Regions are whole pixels apart, with a line of one pixel between them.
struct Layout {
  Box top_bar, lesson, left_rail, left_switch, tabs, right_switch, centre, inspector, strip, status;
  RailForm left = RailForm::open, right = RailForm::open;
  bool is_drawer = false;  ///< the inspector lies under the views
};

/// What the shown view has use for.
struct RailNeeds {
  bool has_left = true, has_right = true;
  bool has_lesson = false;  ///< a lesson stands left of everything; rails fold unless a person opened them
};
Layout make_layout(float width, float height, float scale, const Shell& shell = {}, RailNeeds needs = {});

inline constexpr float kLeastLesson = 272, kMostLesson = 420;
inline constexpr float kLeastLeftRail = 216, kMostLeftRail = 480;
inline constexpr float kLeastRightRail = 240, kMostRightRail = 640;
inline constexpr float kLeastDrawer = 96;
inline constexpr float kLeastZoom = 0.75F, kMostZoom = 3;

/// Pixels per point for a window of so many pixels: the monitor's scale, times what a person has set, times what presenting adds. What is
/// added stops where less than 800 × 500 points would be left.
float scale_of(const Shell& shell, float monitor, float width, float height);

}  // namespace headlight
