#include "app/gui/shell/layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr float kLeastViews = 560;                               // points of width that rails leave to the views
constexpr float kLessonShare = 0.28F, kPresentedLesson = 0.36F;  // of the width
constexpr float kPresenting = 1.6F;                              // times the usual size
constexpr float kLeastDrawerShare = 3;                           // the drawer takes at most one part in so many of the room for views
constexpr float kFewestPoints[2] = {800, 500};

bool is_open(Fold fold, bool by_room) {
  return fold == Fold::by_room ? by_room : fold == Fold::open;
}

/// Places the parts one after another, in pixels.
class Divider {
 public:
  Divider(float width, float height, float scale, const Shell& shell, RailNeeds needs)
      : width_(width), height_(height), scale_(scale), shell_(shell), needs_(needs), is_narrow_(width < px(kFoldBelow)) {}

  Layout divide() {
    place_bars();
    place_lesson();
    place_left_rail();
    place_inspector();
    const float left = layout_.left_rail.right() + (layout_.left == RailForm::away ? 0 : 1);
    const float right = has_right_rail() ? layout_.inspector.x - 1 : width_;
    const float bottom = has_drawer() ? layout_.inspector.y - 1 : bottom_;
    const float side = px(kTabs);
    const float left_side = needs_.has_left && !shell_.is_presenting ? side : 0;
    const float right_side = needs_.has_right && !shell_.is_presenting ? side : 0;
    layout_.left_switch = {left, top_, left_side, px(kTabs)};
    layout_.right_switch = {right - right_side, top_, right_side, px(kTabs)};
    layout_.tabs = {layout_.left_switch.right(), top_, layout_.right_switch.x - layout_.left_switch.right(), px(kTabs)};
    layout_.centre = {left, layout_.tabs.bottom(), right - left, std::max(0.0F, bottom - layout_.tabs.bottom())};
    return layout_;
  }

 private:
  float px(float points) const { return std::round(points * scale_); }
  bool has_right_rail() const { return !layout_.is_drawer && layout_.right != RailForm::away; }
  bool has_drawer() const { return layout_.is_drawer && layout_.right != RailForm::away; }

  void place_bars() {
    const float status = shell_.is_presenting ? 0 : px(kStatus);
    layout_.top_bar = {0, 0, width_, px(kTopBar)};
    layout_.status = {0, height_ - status, width_, status};
    layout_.strip = {0, layout_.status.y - px(kStrip), width_, px(kStrip)};
    top_ = layout_.top_bar.bottom() + 1;
    bottom_ = layout_.strip.y;
  }

  void place_lesson() {
    const float share = shell_.is_presenting ? kPresentedLesson : kLessonShare;
    const float width = needs_.has_lesson ? std::round(std::clamp(width_ * share, px(kLeastLesson), px(kMostLesson))) : 0;
    layout_.lesson = {0, top_, width, bottom_ - top_};
    start_ = width > 0 ? width + 1 : 0;
  }

  void place_left_rail() {
    const bool is_away = shell_.is_presenting || !needs_.has_left;
    const float most = width_ - start_ - px(kLeastViews);
    const float wanted = px(std::clamp(shell_.left_width, kLeastLeftRail, kMostLeftRail));
    const bool has_room = wanted <= most;
    layout_.left = is_away                                                               ? RailForm::away
                   : is_open(shell_.left, !is_narrow_ && !needs_.has_lesson) && has_room ? RailForm::open
                                                                                         : RailForm::folded;
    const float width = layout_.left == RailForm::away ? 0 : layout_.left == RailForm::open ? wanted : px(kStub);
    layout_.left_rail = {start_, top_, width, bottom_ - top_};
  }

  void place_inspector() {
    layout_.is_drawer = is_narrow_;
    const bool is_away = shell_.is_presenting || !needs_.has_right;
    const bool has_room = !needs_.has_lesson && (!is_narrow_ || height_ >= px(kFoldDrawerBelow));
    layout_.right = is_away ? RailForm::away : is_open(shell_.right, has_room) ? RailForm::open : RailForm::folded;
    is_narrow_ ? place_drawer() : place_right_rail();
  }

  void place_right_rail() {
    const float by_room = width_ > px(kWidenAbove) ? kWideRightRail : kRightRail;
    const float points = shell_.right_width > 0 ? std::clamp(shell_.right_width, kLeastRightRail, kMostRightRail) : by_room;
    const float most = width_ - layout_.left_rail.right() - px(kLeastViews);
    const float open = std::max(px(kRightStub), std::min(px(points), most));
    const float rail = layout_.right == RailForm::away ? 0 : layout_.right == RailForm::open ? open : px(kRightStub);
    layout_.inspector = {width_ - rail, top_, rail, bottom_ - top_};
  }

  void place_drawer() {
    const float left = layout_.left_rail.right() + (layout_.left == RailForm::away ? 0 : 1);
    const float wanted = px(shell_.drawer_height > 0 ? std::max(shell_.drawer_height, kLeastDrawer) : kDrawer);
    const float most = std::max(px(kDrawerLine), (bottom_ - top_ - px(kTabs)) / kLeastDrawerShare);
    const float open = shell_.drawer_height > 0 ? std::min(wanted, (bottom_ - top_) * 0.6F) : std::min(wanted, most);
    const float height = layout_.right == RailForm::away ? 0 : layout_.right == RailForm::open ? std::round(open) : px(kDrawerLine);
    layout_.inspector = {left, bottom_ - height, width_ - left, height};
  }

  float width_, height_, scale_;
  const Shell& shell_;
  RailNeeds needs_;
  bool is_narrow_;
  float top_ = 0, bottom_ = 0;
  float start_ = 0;  // where the left rail begins
  Layout layout_ = {};
};

}  // namespace

Layout make_layout(float width, float height, float scale, const Shell& shell, RailNeeds needs) {
  return Divider(width, height, scale, shell, needs).divide();
}

float scale_of(const Shell& shell, float monitor, float width, float height) {
  const float wanted = monitor * shell.zoom * (shell.is_presenting ? kPresenting : 1);
  const float most = std::min(width / kFewestPoints[0], height / kFewestPoints[1]);
  return wanted <= monitor ? wanted : std::max(monitor, std::min(wanted, most));
}

}  // namespace headlight
