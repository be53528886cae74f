#include "engine/figure/effects/curves_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"
#include "engine/figure/heads/scatter.h"

namespace headlight {
namespace {

constexpr float kUsualShape = 0.6F;  ///< height of a plot that has no stated one, as a share of its width
constexpr float kTickGap = 6, kAcrossTicks = 40, kUpTicks = 40, kPoint = 2.5F, kLineWidth = 1.5F, kKey = 24, kBesideKey = 8, kRim = 4;

class CurvesPen {
 public:
  CurvesPen(const CurvesFigureRequest& request, const MeasureText& measure)
      : request_(request), pen_(request.theme, measure), colours_(pen_.colours()) {
    low_ = high_ = request.start;
    for (const EffectCurve& curve : request.curves) {
      steps_ = std::max(steps_, curve.values.size());
      for (const double value : curve.values) {
        if (!std::isfinite(value)) continue;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
  }

  EffectFigure draw() {
    const Point at = request_.at;
    float y = at.y;
    for (const EffectCurve& curve : request_.curves) {
      draw_key(curve, y);
      y += kEffectRow;
    }
    y += kEffectRow;  // the name of the axis is above it
    place_field(y);
    draw_grid();
    for (const EffectCurve& curve : request_.curves) draw_curve(curve);
    return {pen_.take(), field_.bottom() + kTickGap + 2 * kEffectRow - at.y};
  }

 private:
  Colour colour_of(const EffectCurve& curve) const { return curve.is_exact ? colours_.query : colours_.key; }

  void draw_key(const EffectCurve& curve, float y) {
    const float x = request_.at.x, middle = y + kEffectRow / 2;
    pen_.line({x, middle}, {x + kKey, middle}, colour_of(curve), kLineWidth);
    draw_point({x + kKey / 2, middle}, curve);
    const float left = x + kKey + kBesideKey;
    pen_.text({left, middle}, pen_.fitted(curve.name, request_.at.x + request_.width - left, kRowWords), kRowWords, colours_.text);
  }

  void place_field(float top) {
    const double span = high_ - low_;
    const std::vector<double> ticks = round_ticks(low_, high_, 4);
    float labels = pen_.width_of(number_text(request_.start, 3), kRowNumber);
    for (const double tick : ticks) labels = std::max(labels, pen_.width_of(tick_text(tick), kRowNumber));
    const float left = request_.at.x + labels + kTickGap, below = kTickGap + 2 * kEffectRow;
    const float width = std::max(1.0F, request_.at.x + request_.width - left - kRim);
    const float height = request_.height > 0 ? request_.at.y + request_.height - top - below : std::round(width * kUsualShape);
    field_ = {left, top, width, std::max(height, 48.0F)};
    if (span <= 0) low_ -= 0.5, high_ += 0.5;
  }

  static std::string tick_text(double value) {
    const std::string digits = fmt::format("{:.4g}", std::abs(value));
    return (value < 0 ? "−" : "") + digits;
  }

  Point place(std::size_t step, double value) const {
    const double across = steps_ == 0 ? 0 : static_cast<double>(step) / static_cast<double>(steps_);
    const double up = (value - low_) / (high_ - low_);
    return {field_.x + kRim + static_cast<float>(across) * (field_.width - 2 * kRim),
            field_.bottom() - kRim - static_cast<float>(up) * (field_.height - 2 * kRim)};
  }

  void draw_grid() {
    for (const double tick : round_ticks(low_, high_, static_cast<int>(field_.height / kUpTicks))) {
      const float y = place(0, tick).y;
      pen_.line({field_.x, y}, {field_.right(), y}, colours_.line);
      pen_.text({field_.x - kTickGap, y}, tick_text(tick), kRowNumber, colours_.text_second, AlignX::right);
    }
    const float foot = field_.bottom() + kTickGap + kEffectRow / 2;
    for (const double tick : round_ticks(0, static_cast<double>(steps_), static_cast<int>(field_.width / kAcrossTicks))) {
      if (tick != std::floor(tick)) continue;
      const float x = place(static_cast<std::size_t>(tick), low_).x;
      pen_.line({x, field_.bottom()}, {x, field_.bottom() + kTickGap / 2}, colours_.text_second);
      pen_.text({x, foot}, fmt::format("{:g}", tick), kRowNumber, colours_.text_second, AlignX::centre);
    }
    pen_.frame(field_, colours_.line, 1, 0);
    pen_.text({request_.at.x, field_.y - kEffectRow / 2}, pen_.fitted(request_.up, request_.width, kRowStrong), kRowStrong, colours_.text);
    pen_.text({field_.right(), foot + kEffectRow}, pen_.fitted(request_.across, field_.width, kRowStrong), kRowStrong, colours_.text,
              AlignX::right);
    const float start = place(0, request_.start).y;
    pen_.line({field_.x, start}, {field_.right(), start}, colours_.text_third, 1);
  }

  void draw_curve(const EffectCurve& curve) {
    Point before = place(0, request_.start);
    for (std::size_t step = 0; step < curve.values.size(); ++step) {
      if (!std::isfinite(curve.values[step])) continue;
      const Point here = place(step + 1, curve.values[step]);
      pen_.line(before, here, colour_of(curve), kLineWidth);
      before = here;
    }
    for (std::size_t step = 0; step < curve.values.size(); ++step) {
      if (!std::isfinite(curve.values[step])) continue;
      const Point here = place(step + 1, curve.values[step]);
      draw_point(here, curve);
      constexpr float kReach = 5;
      pen_.say({here.x - kReach, here.y - kReach, 2 * kReach, 2 * kReach}, curve.said[step]);
    }
  }

  void draw_point(Point at, const EffectCurve& curve) {
    const Box box{at.x - kPoint, at.y - kPoint, 2 * kPoint, 2 * kPoint};
    pen_.fill(box, curve.is_exact ? colours_.panel : colour_of(curve), kPoint);
    if (curve.is_exact) pen_.frame(box, colour_of(curve), 1, kPoint);
  }

  const CurvesFigureRequest& request_;
  RowPen pen_;
  const Palette& colours_;
  Box field_;
  std::size_t steps_ = 0;
  double low_ = 0, high_ = 1;
};

}  // namespace

EffectFigure make_curves_figure(const CurvesFigureRequest& request, const MeasureText& measure) {
  return CurvesPen(request, measure).draw();
}

}  // namespace headlight
