#include "engine/figure/effects/effect_grid.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"

namespace headlight {
namespace {

constexpr float kGridBetween = 32, kGridGap = 10, kWidestCell = 44, kAfterGrid = 20, kBarWidth = 8, kGridShare = 0.6F, kLabelLine = 18;
constexpr double kClippedShare = 0.02;  ///< of the cells may lie outside the colours, which is said
constexpr int kGridDigits = 3;

/// Where the grid is.
struct GridPlace {
  float left = 0, top = 0, cell = 0, right = 0, bottom = 0;
  int layers = 0, heads = 0;
  float bar_height() const { return std::max(bottom - top, 4 * kLabelLine); }
  float end(bool has_bar) const { return std::max(bottom + kLabelLine, has_bar ? top + bar_height() : 0); }
};

class EffectPen {
 public:
  EffectPen(const EffectGridRequest& request, const MeasureText& measure)
      : request_(request), pen_(request.theme, measure), colours_(pen_.colours()), reach_(effect_reach(request.effects.values)) {}

  bool has_both() const { return request_.width >= kBothEffectsWidth; }

  float grid_height() const { return place_grid({0, 0, grid_width(), 0}).end(request_.has_bar); }

  EffectFigure draw() {
    const Point at = request_.at;
    const GridPlace grid = place_grid({at.x, at.y, grid_width(), 0});
    draw_labels(grid, at.x);
    for (std::size_t place = 0; place < request_.effects.heads.size(); ++place) draw_cell(grid, place);
    if (request_.has_bar) draw_bar(grid);
    const float after_grid = grid.end(request_.has_bar);
    const float beside = at.x + grid_width() + kGridBetween;
    const Box list =
        has_both() ? Box{beside, at.y, at.x + request_.width - beside, 0} : Box{at.x, after_grid + kAfterGrid, request_.width, 0};
    const float end = request_.listed > 0 ? draw_ranking(list) : after_grid;
    return {pen_.take(), std::max(after_grid, end) - at.y};
  }

 private:
  float grid_width() const { return has_both() ? std::round(request_.width * kGridShare) - kGridBetween / 2 : request_.width; }
  bool is_gate() const { return request_.effects.is_of_gate(); }
  std::string value_text(double value) const {
    return is_gate() ? number_text(value, kGridDigits) : signed_number_text(value, kGridDigits);
  }

  /// "layer" stands above the labels of the layers, and "head" before those of the heads.
  GridPlace place_grid(const Box& box) const {
    GridPlace grid;
    float labels = std::max(pen_.width_of("layer", kRowWords), pen_.width_of("head", kRowWords));
    for (const std::string& label : request_.layers) labels = std::max(labels, pen_.width_of(label, kRowNumber));
    for (const HeadId head : request_.effects.heads) grid.heads = std::max(grid.heads, head.head + 1);
    grid.layers = static_cast<int>(request_.layers.size());
    grid.left = box.x + labels + kGridGap;
    grid.top = box.y + kLabelLine;
    const float bar = request_.has_bar ? kGridGap + kBarWidth + kGridGap / 2 + widest_end() : 0;
    const float room = box.width - labels - kGridGap - bar;
    grid.cell = std::max(1.0F, std::min(kWidestCell, std::floor(room / static_cast<float>(std::max(1, grid.heads)))));
    grid.right = grid.left + grid.cell * static_cast<float>(grid.heads);
    grid.bottom = grid.top + grid.cell * static_cast<float>(grid.layers);
    return grid;
  }

  float widest_end() const {
    float width = 0;
    for (const std::string& end : {end_text(reach_), end_text(-reach_)}) width = std::max(width, pen_.width_of(end, kRowNumber));
    return width;
  }
  /// "+0.5": as many digits as it has.
  static std::string end_text(double value) {
    const std::string digits = fmt::format("{:.3g}", std::abs(value));
    return value < 0 ? "−" + digits : value > 0 ? "+" + digits : "0";
  }

  void draw_labels(const GridPlace& grid, float left) {
    const float middle = grid.top - kLabelLine / 2, foot = grid.bottom + kLabelLine / 2;
    pen_.text({grid.left - kGridGap, middle}, pen_.fitted("layer", grid.left - kGridGap - left, kRowWords), kRowWords, colours_.text_second,
              AlignX::right);
    pen_.text({grid.left - kGridGap, foot}, "head", kRowWords, colours_.text_second, AlignX::right);
    const Index down = label_stride(grid.cell, kCaptionPitch);
    for (Index layer = 0; layer < grid.layers; layer += down) {
      pen_.text({grid.left - kGridGap, grid.top + grid.cell * (static_cast<float>(layer) + 0.5F)},
                request_.layers[static_cast<std::size_t>(layer)], kRowNumber, colours_.text_second, AlignX::right);
    }
    const float widest = pen_.width_of(std::to_string(std::max(0, grid.heads - 1)), kRowNumber) + 4;
    const Index across = label_stride(grid.cell, widest);
    for (Index head = 0; head < grid.heads; head += across) {
      pen_.text({grid.left + grid.cell * (static_cast<float>(head) + 0.5F), foot}, std::to_string(head), kRowNumber, colours_.text_second,
                AlignX::centre);
    }
  }

  void draw_cell(const GridPlace& grid, std::size_t place) {
    const HeadId head = request_.effects.heads[place];
    const double value = request_.effects.values[place];
    const float space = grid.cell >= 12 ? 2.0F : grid.cell >= 6 ? 1.0F : 0.0F, side = grid.cell - space;
    const Box box{grid.left + grid.cell * static_cast<float>(head.head), grid.top + grid.cell * static_cast<float>(head.layer), side, side};
    const Colour colour = effect_scale(reach_, request_.theme).colour(static_cast<float>(value));
    pen_.fill(box, colour, side >= 12 ? 2.0F : 0.0F);
    const bool is_off = request_.is_off(head);
    if (is_off) pen_.frame(box, colours_.text, 1, side >= 12 ? 2.0F : 0.0F);
    if (std::isfinite(value) && std::abs(value) >= 0.3 * reach_) {
      const std::string number = number_for_cell(static_cast<float>(value), side, side, kRowNumber, pen_.measure());
      pen_.text({box.x + side / 2, box.y + side / 2}, number, kRowNumber, ink_on(colour), AlignX::centre);
    }
    pen_.say(box, said(place) + (is_off ? "; it is switched off already" : ""));
  }

  std::string said(std::size_t place) const {
    const std::string name = request_.name(request_.effects.heads[place]);
    const double value = request_.effects.values[place];
    if (!std::isfinite(value)) return name + ": no value";
    if (request_.over_texts != nullptr) {
      const std::string number = is_gate() ? fmt::format("gradient {}", value) : fmt::format("{:+}", value);
      return fmt::format("{}: {} on average, standard error {}, n = {}", name, number, error_text(place),
                         request_.over_texts->counts[place]);
    }
    if (is_gate()) return fmt::format("{}: gradient {}", name, value);
    return fmt::format("{}: {:+}; the target would be {}", name, value, request_.effects.unchanged + value);
  }

  /// Of the mean over texts; NaN: there is none.
  double error_of(std::size_t place) const { return request_.over_texts == nullptr ? std::nan("") : request_.over_texts->errors[place]; }
  std::string error_text(std::size_t place) const {
    return std::isfinite(error_of(place)) ? fmt::format("{}", error_of(place)) : "none of one text";
  }

  /// The largest size of the listed values with their errors, so that both end beside the numbers.
  double reach_of_list(std::span<const std::size_t> listed) const {
    double reach = 0;
    for (const std::size_t place : listed) {
      const double error = std::isfinite(error_of(place)) ? error_of(place) : 0;
      reach = std::max(reach, std::abs(request_.effects.values[place]) + error);
    }
    return reach > 0 ? reach : 1;
  }

  /// The standard error at both sides of a bar's end.
  void draw_error(float end, float middle, float error) {
    const float half = kEffectRow / 6;
    pen_.line({end - error, middle}, {end + error, middle}, colours_.text);
    for (const float x : {end - error, end + error}) pen_.line({x, middle - half}, {x, middle + half}, colours_.text);
  }

  /// At the right of the grid, 0 in its middle.
  void draw_bar(const GridPlace& grid) {
    const float left = grid.right + kGridGap, height = grid.bar_height();
    pen_.ramp({left, grid.top, kBarWidth, height}, effect_scale(reach_, request_.theme));
    const float words = left + kBarWidth + kGridGap / 2;
    for (const double share : {1.0, 0.0, -1.0}) {
      const float y = grid.top + height * static_cast<float>(1 - share) / 2;
      const float inside = std::clamp(y, grid.top + kCaptionSize / 2, grid.top + height - kCaptionSize / 2);
      pen_.text({words, inside}, end_text(reach_ * share), kRowNumber, colours_.text_second);
    }
  }

  /// Returns where it ends.
  float draw_ranking(const Box& box) {
    const std::vector<std::size_t> order = places_by_size(request_.effects.values);
    float y = box.y, names = pen_.width_of("head", kRowWords), numbers = 0;
    pen_.text({box.x, y + kEffectRow / 2},
              pen_.fitted(is_gate() ? "Largest gradients" : "Largest changes of the target", box.width, kRowStrong), kRowStrong,
              colours_.text);
    y += kEffectRow;
    const std::size_t count = std::min(order.size(), request_.listed);
    for (std::size_t rank = 0; rank < count; ++rank) {
      names = std::max(names, pen_.width_of(request_.name(request_.effects.heads[order[rank]]), kRowNumber));
      numbers = std::max(numbers, pen_.width_of(value_text(request_.effects.values[order[rank]]), kRowNumber));
    }
    const double largest = reach_of_list(std::span(order).first(count));
    const float left = box.x + names + kGridGap, right = box.right() - numbers - kGridGap;
    const float zero = is_gate() ? left : (left + right) / 2, half = is_gate() ? right - left : (right - left) / 2;
    for (std::size_t rank = 0; rank < count; ++rank, y += kEffectRow) {
      const HeadId head = request_.effects.heads[order[rank]];
      const double value = request_.effects.values[order[rank]], error = error_of(order[rank]);
      const float middle = y + kEffectRow / 2, end = zero + static_cast<float>(value / largest) * half;
      pen_.text({box.x, middle}, request_.name(head), kRowNumber, colours_.text);
      pen_.line({zero, y}, {zero, y + kEffectRow}, colours_.line);
      pen_.bar(zero, end, middle, value);
      if (std::isfinite(error)) draw_error(end, middle, static_cast<float>(error / largest) * half);
      pen_.text({box.right(), middle}, value_text(value), kRowNumber, colours_.text, AlignX::right);
      pen_.say({box.x, y, box.width, kEffectRow}, said(order[rank]));
    }
    return y;
  }

  const EffectGridRequest& request_;
  RowPen pen_;
  const Palette& colours_;
  double reach_;
};

}  // namespace

std::size_t ranked_within(const EffectGridRequest& request, float height, const MeasureText& measure) {
  if (height <= 0) return kUsualRanked;
  const EffectPen pen(request, measure);
  const float room = height - kEffectRow - (pen.has_both() ? 0 : pen.grid_height() + kAfterGrid);
  const auto rows = static_cast<std::size_t>(std::max(0.0F, room / kEffectRow));
  return std::clamp(rows, kFewestRanked, kUsualRanked);
}

double effect_reach(const std::vector<double>& values) {
  const std::vector<std::size_t> order = places_by_size(values);
  if (order.empty()) return 1;
  const auto beyond = static_cast<std::size_t>(kClippedShare * static_cast<double>(order.size()));
  const double size = std::max(std::abs(values[order[beyond]]), 1e-6);
  const double decade = std::pow(10, std::floor(std::log10(size)));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0}) {
    if (size <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return size;
}

std::size_t count_beyond(const std::vector<double>& values, double reach) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double value) { return std::abs(value) > reach; }));
}

EffectFigure make_effect_grid(const EffectGridRequest& request, const MeasureText& measure) {
  return EffectPen(request, measure).draw();
}

}  // namespace headlight
