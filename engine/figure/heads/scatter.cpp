#include "engine/figure/heads/scatter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/figure/figure_parts.h"
#include "engine/measures/columns/column_spread.h"

namespace headlight {
namespace {

constexpr float kLeft = 64, kBelow = 44, kAbove = 28, kTickGap = 6;
constexpr float kPoint = 3.5F, kLeastPoint = 2, kMostPoint = 9, kBesidePoint = 4;
constexpr LabelStyle kTick{FontFace::mono, kCaptionSize}, kAxis{FontFace::ui_bold, kCaptionSize};

struct ScatterPoint {
  HeadId head;
  Point at;
  float radius = kPoint;
};

bool cover(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

class ScatterDrawing {
 public:
  ScatterDrawing(const ScatterRequest& request, const MeasureText& measure)
      : request_(request),
        measure_(measure),
        colours_(palette(request.theme)),
        x_(spread_of(*request.across, request.all)),
        y_(spread_of(*request.up, request.all)) {
    const Box& area = request.area;
    field_ = {area.x + kLeft, area.y + kAbove, std::max(1.0F, area.width - kLeft - 8), std::max(1.0F, area.height - kAbove - kBelow)};
  }

  Scatter draw() {
    place_points();
    draw_grid();
    draw_axis_names();
    for (const bool is_marked : {false, true}) {  // brushed ones lie above
      for (const ScatterPoint& point : points_) {
        if (is_brushed(point.head) == is_marked) draw_point(point, is_marked);
      }
    }
    draw_names();
    return {std::move(scene_), left_out_};
  }

 private:
  bool is_brushed(HeadId head) const { return std::binary_search(request_.brushed.begin(), request_.brushed.end(), head); }

  void text(Point at, std::string words, LabelStyle style, Colour colour, AlignX align, float degrees = 0) {
    scene_.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align, AlignY::middle, degrees});
  }

  Point place(double across, double up) const {
    constexpr float kRimShare = 0.03F;  // so that points at the ends are whole
    const auto along = [](double share) { return kRimShare + (1 - 2 * kRimShare) * static_cast<float>(share); };
    return {field_.x + field_.width * along(x_.place(across)), field_.bottom() - field_.height * along(y_.place(up))};
  }

  void place_points() {
    const ColumnSpread sizes = request_.size ? spread_of(*request_.size, request_.all) : ColumnSpread{};
    for (const HeadId head : request_.heads) {
      const double across = request_.across->values.of(head), up = request_.up->values.of(head);
      const double size = request_.size ? request_.size->values.of(head) : 0;
      if (!std::isfinite(across) || !std::isfinite(up) || !std::isfinite(size)) {
        ++left_out_;
        continue;
      }
      // The area tells the value.
      const float radius = request_.size ? std::max(kLeastPoint, kMostPoint * std::sqrt(static_cast<float>(sizes.place(size)))) : kPoint;
      points_.push_back({head, place(across, up), radius});
    }
  }

  void draw_grid() {
    constexpr float kTickAcross = 72, kTickUp = 48;
    const auto line = [&](Point from, Point to) { scene_.items.emplace_back(SceneLine{from, to, colours_.line, 1}); };
    for (const double tick : round_ticks(x_.low, x_.high, static_cast<int>(field_.width / kTickAcross))) {
      const float x = place(tick, y_.low).x;
      line({x, field_.y}, {x, field_.bottom()});
      text({x, field_.bottom() + kTickGap + kCaptionSize / 2}, fmt::format("{:.4g}", tick), kTick, colours_.text_second, AlignX::centre);
    }
    for (const double tick : round_ticks(y_.low, y_.high, static_cast<int>(field_.height / kTickUp))) {
      const float y = place(x_.low, tick).y;
      line({field_.x, y}, {field_.right(), y});
      text({field_.x - kTickGap, y}, fmt::format("{:.4g}", tick), kTick, colours_.text_second, AlignX::right);
    }
    scene_.items.emplace_back(SceneBox{.box = field_, .stroke = colours_.line});
  }

  void draw_axis_names() {
    const auto name_of = [](const HeadColumn& column) { return column.title + (column.unit.empty() ? "" : " (" + column.unit + ")"); };
    text({field_.right(), request_.area.bottom() - kCaptionSize / 2}, shortened(name_of(*request_.across), field_.width, kAxis, measure_),
         kAxis, colours_.text, AlignX::right);
    text({field_.x, request_.area.y + kCaptionSize / 2}, shortened(name_of(*request_.up), field_.width, kAxis, measure_), kAxis,
         colours_.text, AlignX::left);
  }

  void draw_point(const ScatterPoint& point, bool is_marked) {
    Colour colour = is_marked ? colours_.accent : mix(colours_.panel, colours_.text_second, 0.75F);
    colour.alpha = 217;
    const Box box{point.at.x - point.radius, point.at.y - point.radius, 2 * point.radius, 2 * point.radius};
    scene_.items.emplace_back(SceneBox{.box = box, .fill = colour, .radius = point.radius});
    std::string words = "head " + request_.name(point.head);
    for (const auto& column : {request_.across, request_.up, request_.size}) {
      if (column)
        words += fmt::format("{} {} {}", words.find(':') == std::string::npos ? ":" : ",", column->title, column->values.of(point.head));
    }
    scene_.spots.push_back({.box = box, .words = std::move(words)});
  }

  /// Beside the points, where no other name and no point is.
  void draw_names() {
    std::vector<Box> taken;
    for (const ScatterPoint& point : points_) {
      if (!request_.brushed.empty() && !is_brushed(point.head)) continue;
      const std::string name = request_.name(point.head);
      const float width = measure_(name, kTick.face, kTick.size), beside = point.radius + kBesidePoint;
      const bool is_left = point.at.x + beside + width > field_.right();
      const Box box{is_left ? point.at.x - beside - width : point.at.x + beside, point.at.y - kCaptionPitch / 2, width, kCaptionPitch};
      if (box.y < field_.y || box.bottom() > field_.bottom() || box.x < field_.x) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) { return cover(box, other); })) continue;
      const auto lies_under = [&](const ScatterPoint& other) {
        return other.head != point.head &&
               cover(box, {other.at.x - other.radius, other.at.y - other.radius, 2 * other.radius, 2 * other.radius});
      };
      if (!is_brushed(point.head) && std::any_of(points_.begin(), points_.end(), lies_under)) continue;
      taken.push_back(box);
      text({box.x, point.at.y}, name, kTick, is_brushed(point.head) ? colours_.text : colours_.text_second, AlignX::left);
    }
  }

  const ScatterRequest& request_;
  const MeasureText& measure_;
  const Palette& colours_;
  ColumnSpread x_, y_;
  Box field_;
  std::vector<ScatterPoint> points_;
  std::size_t left_out_ = 0;
  Scene scene_;
};

}  // namespace

std::vector<double> round_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span) || most < 1) return ticks;
  double step = std::pow(10.0, std::floor(std::log10(span / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (span / (step * factor) > most) continue;
    step *= factor;
    break;
  }
  for (double number = std::ceil(low / step - 1e-9); number * step <= high + step * 1e-9; ++number)
    ticks.push_back(number == 0 ? 0 : number * step);  // not -0
  return ticks;
}

Scatter make_scatter(const ScatterRequest& request, const MeasureText& measure) {
  return ScatterDrawing(request, measure).draw();
}

}  // namespace headlight
