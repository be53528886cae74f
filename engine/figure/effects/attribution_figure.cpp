#include "engine/figure/effects/attribution_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"

namespace headlight {
namespace {

constexpr float kPartBetween = 32, kPartGap = 12, kLeftShare = 0.56F, kLabelShare = 0.46F, kAfterBars = 20;
constexpr int kPartDigits = 3;

std::string change_text(double value) {
  return signed_number_text(value, kPartDigits);
}

class AttributionPen {
 public:
  AttributionPen(const AttributionFigureRequest& request, const MeasureText& measure)
      : request_(request), pen_(request.theme, measure), colours_(pen_.colours()) {}

  EffectFigure draw() {
    const bool has_both = are_beside(request_.width, request_.height);
    const Point at = request_.at;
    const float left = has_both ? std::round(request_.width * kLeftShare) - kPartBetween / 2 : request_.width;
    const float after_bars = draw_bars({at.x, at.y, left, 0});
    const float beside = at.x + left + kPartBetween;
    const Box sources = has_both ? Box{beside, at.y, at.x + request_.width - beside, 0} : Box{at.x, after_bars + kAfterBars, left, 0};
    const float end = draw_sources(sources);
    return {pen_.take(), std::max(after_bars, end) - at.y};
  }

 private:
  /// Where the bars are.
  struct Scale {
    double low = 0, high = 0;
    float label_right = 0, left = 0, width = 0;
    float x(double value) const { return high > low ? left + static_cast<float>((value - low) / (high - low)) * width : left; }
  };

  Scale scale_in(const Box& box) const {
    Scale scale;
    double sum = 0;
    float labels = pen_.width_of("sum = logit", kRowStrong), numbers = pen_.width_of(number_text(request_.logit, kPartDigits), kRowNumber);
    for (const LogitBar& bar : request_.bars) {
      sum += bar.value;
      scale.low = std::min(scale.low, sum), scale.high = std::max(scale.high, sum);
      labels = std::max(labels, pen_.width_of(bar.label, kRowWords));
      numbers = std::max(numbers, pen_.width_of(change_text(bar.value), kRowNumber));
    }
    scale.label_right = box.x + std::min(labels, box.width * kLabelShare);
    scale.left = scale.label_right + kPartGap;
    scale.width = std::max(1.0F, box.right() - numbers - kPartGap - scale.left);
    return scale;
  }

  /// Returns where they end.
  float draw_bars(const Box& box) {
    const Scale scale = scale_in(box);
    float y = box.y;
    double at = 0;
    const float zero = scale.x(0), bottom = box.y + kEffectRow * static_cast<float>(request_.bars.size() + 1);
    pen_.line({zero, box.y}, {zero, bottom}, colours_.line);
    for (std::size_t place = 0; place < request_.bars.size(); ++place, y += kEffectRow) {
      const LogitBar& bar = request_.bars[place];
      const float middle = y + kEffectRow / 2, end = scale.x(at + bar.value);
      if (place > 0) pen_.line({scale.x(at), middle - kEffectRow}, {scale.x(at), middle}, colours_.text_third);
      pen_.text({scale.label_right, middle}, pen_.fitted(bar.label, scale.label_right - box.x, kRowWords), kRowWords, colours_.text,
                AlignX::right);
      pen_.bar(scale.x(at), end, middle, bar.value);
      pen_.text({box.right(), middle}, change_text(bar.value), kRowNumber, colours_.text, AlignX::right);
      at += bar.value;
      pen_.say({box.x, y, box.width, kEffectRow}, fmt::format("{}: {:+}; the sum so far {}. {}", bar.label, bar.value, at, bar.help));
    }
    return draw_sum(box, scale, at, y);
  }

  float draw_sum(const Box& box, const Scale& scale, double sum, float y) {
    const float middle = y + kEffectRow / 2;
    pen_.line({box.x, y}, {box.right(), y}, colours_.line);
    pen_.text({scale.label_right, middle}, "sum = logit", kRowStrong, colours_.text, AlignX::right);
    const float from = scale.x(0), to = scale.x(sum);
    constexpr float kHalf = 5;
    pen_.fill({std::min(from, to), middle - kHalf, std::max(1.0F, std::abs(to - from)), 2 * kHalf}, colours_.text, 1);
    pen_.text({box.right(), middle}, number_text(request_.logit, kPartDigits), kRowNumber, colours_.text, AlignX::right);
    pen_.say({box.x, y, box.width, kEffectRow}, fmt::format("the logit: {}; the sum of its parts {}", request_.logit, sum));
    return y + kEffectRow;
  }

  struct Columns {
    float number_right, token, token_room, weight_left, weight_right, zero, half, adds_right;
  };
  Columns columns_in(const Box& box) const {
    Columns at{};
    float number = pen_.width_of("weight", kRowWords), change = pen_.width_of("adds", kRowWords);
    for (const SourceShare& share : request_.sources.shares) {
      number = std::max(number, pen_.width_of(weight_text(share.weight), kRowNumber));
      change = std::max(change, pen_.width_of(change_text(share.adds), kRowNumber));
    }
    at.token = box.x;
    at.weight_left = box.x + box.width * 0.36F;
    at.token_room = at.weight_left - at.token - kPartGap;
    at.weight_right = std::max(at.weight_left + number, box.x + box.width * 0.58F);
    at.number_right = at.weight_right - number - kPartGap / 2;
    at.adds_right = box.right();
    const float left = at.weight_right + kPartGap, right = at.adds_right - change - kPartGap / 2;
    at.zero = (left + right) / 2;
    at.half = std::max(0.0F, (right - left) / 2);
    return at;
  }

  float draw_sources(const Box& box) {
    const ShownSources& sources = request_.sources;
    if (sources.head.empty()) return box.y;
    const float middle = box.y + kEffectRow / 2;
    pen_.text({box.x, middle}, pen_.fitted(sources.head + " by source token", box.width, kRowStrong), kRowStrong, colours_.text);
    if (!sources.problem.empty())
      return pen_.paragraph(sources.problem, {box.x, box.y + kEffectRow, box.width, 0}, kRowWords, colours_.text_second);
    const Columns at = columns_in(box);
    float y = box.y + kEffectRow;
    const auto head = [&](float x, const char* words, AlignX align) {
      pen_.text({x, y + kEffectRow / 2}, words, kRowWords, colours_.text_second, align);
    };
    head(at.token, "token", AlignX::left);
    head(at.weight_right, "weight", AlignX::right);
    head(at.adds_right, "adds", AlignX::right);
    y += kEffectRow;
    pen_.line({box.x, y}, {box.right(), y}, colours_.line);
    double largest = 0, weight = 0, adds = 0;
    for (const SourceShare& share : sources.shares) {
      largest = std::max(largest, std::abs(share.adds));
      weight += share.weight, adds += share.adds;
    }
    for (const SourceShare& share : sources.shares) {
      draw_source(at, {box.x, y, box.width, kEffectRow}, share, largest);
      y += kEffectRow;
    }
    pen_.line({box.x, y}, {box.right(), y}, colours_.line);
    pen_.text({at.token, y + kEffectRow / 2}, "sum", kRowStrong, colours_.text);
    pen_.text({at.weight_right, y + kEffectRow / 2}, weight_text(weight), kRowNumber, colours_.text_second, AlignX::right);
    pen_.text({at.adds_right, y + kEffectRow / 2}, change_text(adds), kRowNumber, colours_.text, AlignX::right);
    return y + kEffectRow;
  }

  void draw_source(const Columns& at, const Box& row, const SourceShare& share, double largest) {
    const float middle = row.y + row.height / 2;
    const bool is_one = share.token >= 0;
    const std::string others = share.joined == 1 ? "1 other token" : fmt::format("{} other tokens", share.joined);
    const std::string label = is_one ? request_.sources.tokens[static_cast<std::size_t>(share.token)] : others;
    const std::string number = is_one ? std::to_string(share.token) : "";
    const float number_room = is_one ? pen_.width_of(number, kRowNumber) + 6 : 0;
    const std::string shown = pen_.fitted(label, at.token_room - number_room, kRowWords);
    pen_.text({at.token, middle}, shown, kRowWords, is_one ? colours_.key : colours_.text_second);
    pen_.text({at.token + pen_.width_of(shown, kRowWords) + 6, middle}, number, kRowNumber, colours_.text_second);
    if (at.number_right - at.weight_left >= kPartGap) {
      constexpr float kHalf = 3;
      const Box strip{at.weight_left, middle - kHalf, at.number_right - at.weight_left, 2 * kHalf};
      pen_.fill(strip, colours_.raised, 2);
      pen_.part(strip, share.weight, colours_.key, 2);
    }
    pen_.text({at.weight_right, middle}, weight_text(share.weight), kRowNumber, colours_.text, AlignX::right);
    pen_.line({at.zero, row.y}, {at.zero, row.bottom()}, colours_.line);
    pen_.bar(at.zero, at.zero + static_cast<float>(largest > 0 ? share.adds / largest : 0) * at.half, middle, share.adds);
    pen_.text({at.adds_right, middle}, change_text(share.adds), kRowNumber, colours_.text, AlignX::right);
    pen_.say(row,
             fmt::format("“{}”{}: weight {}, adds {:+}", label, is_one ? fmt::format(" ({})", share.token) : "", share.weight, share.adds));
  }

  const AttributionFigureRequest& request_;
  RowPen pen_;
  const Palette& colours_;
};

}  // namespace

bool are_beside(float width, float height) {
  return width >= (height > 0 ? kLeastBothWidth : kBothPartsWidth);
}

std::size_t bars_within(float width, float height) {
  constexpr std::size_t kOthers = 5;  // embedding, joined heads and feed-forward parts, biases, the sum
  if (height <= 0) return kUsualBars;
  float room = height;
  if (!are_beside(width, height)) room -= kAfterBars + kEffectRow * static_cast<float>(kUsualSources + 4);
  const auto rows = static_cast<std::size_t>(std::max(0.0F, room / kEffectRow));
  return std::clamp(rows > kOthers ? rows - kOthers : 0, kFewestBars, kUsualBars);
}

EffectFigure make_attribution_figure(const AttributionFigureRequest& request, const MeasureText& measure) {
  return AttributionPen(request, measure).draw();
}

}  // namespace headlight
