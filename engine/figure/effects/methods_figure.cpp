#include "engine/figure/effects/methods_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"

namespace headlight {
namespace {

constexpr float kNames = 44, kBetween = 12, kLeastColumn = 58, kShortestBar = 16, kBesideBar = 6;
constexpr int kDigits = 3;

class MethodsPen {
 public:
  MethodsPen(const MethodsFigureRequest& request, const MeasureText& measure)
      : request_(request), pen_(request.theme, measure), colours_(pen_.colours()), methods_(request.compared.methods) {
    column_ = (request.width - kNames) / static_cast<float>(std::max<std::size_t>(1, methods_.size()));
    for (const HeadEffects& method : methods_) {
      const std::vector<std::size_t> order = places_by_size(method.values);
      reaches_.push_back(order.empty() ? 0 : std::abs(method.values[order.front()]));
      float widest = 0;
      for (const double value : method.values) widest = std::max(widest, pen_.width_of(value_text(method, value), kRowNumber));
      widths_.push_back(widest);
    }
  }

  EffectFigure draw() {
    float y = request_.at.y;
    pen_.text({request_.at.x, y + kEffectRow / 2}, "head", kRowWords, colours_.text_second);
    const bool has_titles = std::all_of(request_.labels.begin(), request_.labels.end(),
                                        [&](const std::string& label) { return pen_.width_of(label, kRowWords) <= column_ - kBetween; });
    for (std::size_t method = 0; method < methods_.size(); ++method) {
      const std::string label = has_titles ? request_.labels[method] : std::string(methods_[method].id());
      pen_.text({right_of(method), y + kEffectRow / 2}, label, kRowWords, colours_.text_second, AlignX::right);
    }
    y += kEffectRow;
    pen_.line({request_.at.x, y}, {request_.at.x + request_.width, y}, colours_.line);
    y += 2;
    const std::vector<std::size_t> order = places_by_size(methods_.front().values);
    for (std::size_t rank = 0; rank < std::min(order.size(), request_.listed.heads); ++rank, y += kEffectRow) draw_head(order[rank], y);
    if (request_.listed.heads < order.size()) {
      pen_.text({request_.at.x, y + kEffectRow / 2}, fmt::format("{} of {} heads", request_.listed.heads, order.size()), kRowWords,
                colours_.text_second);
      y += kEffectRow;
    }
    const float end = draw_agreements(y);
    return {pen_.take(), end - request_.at.y};
  }

 private:
  float right_of(std::size_t method) const { return request_.at.x + kNames + column_ * static_cast<float>(method + 1); }

  void draw_head(std::size_t place, float y) {
    const HeadId head = methods_.front().heads[place];
    pen_.text({request_.at.x, y + kEffectRow / 2}, request_.name(head), kRowNumber, colours_.text);
    for (std::size_t method = 0; method < methods_.size(); ++method) draw_number(method, place, y);
  }

  void draw_number(std::size_t method, std::size_t place, float y) {
    const HeadEffects& effects = methods_[method];
    const double value = effects.values[place];
    const float right = right_of(method), left = right - column_ + kBetween, middle = y + kEffectRow / 2;
    pen_.text({right, middle}, value_text(effects, value), kRowNumber, colours_.text, AlignX::right);
    const float room = right - left - widths_[method] - kBesideBar;
    if (std::isfinite(value) && reaches_[method] > 0 && room >= kShortestBar)
      pen_.bar(left, left + static_cast<float>(std::abs(value) / reaches_[method]) * room, middle, value);
    pen_.say({left, y, right - left, kEffectRow},
             fmt::format("{}, {}: {}", request_.name(effects.heads[place]), request_.labels[method], value));
  }

  static std::string value_text(const HeadEffects& effects, double value) {
    return effects.is_of_gate() ? number_text(value, kDigits) : signed_number_text(value, kDigits);
  }

  /// Returns where they end.
  float draw_agreements(float y) {
    const std::size_t count = std::min(request_.listed.agreements, request_.compared.agreements.size());
    if (count == 0) return y;
    y += kBetween;
    pen_.text({request_.at.x, y + kEffectRow / 2}, pen_.fitted("How alike they rank the heads (Spearman’s ρ)", request_.width, kRowStrong),
              kRowStrong, colours_.text);
    y += kEffectRow;
    for (const RankAgreement& each : std::span(request_.compared.agreements).first(count)) {
      const std::string number = std::isnan(each.correlation) ? "–" : number_text(each.correlation, 2);
      const std::string names = request_.labels[each.a] + " · " + request_.labels[each.b];
      pen_.text({request_.at.x, y + kEffectRow / 2}, pen_.fitted(names, request_.width - kNames - kBetween, kRowWords), kRowWords,
                colours_.text_second);
      pen_.text({request_.at.x + request_.width, y + kEffectRow / 2}, number, kRowNumber, colours_.text, AlignX::right);
      y += kEffectRow;
    }
    return y;
  }

  const MethodsFigureRequest& request_;
  RowPen pen_;
  const Palette& colours_;
  const std::vector<HeadEffects>& methods_;
  std::vector<double> reaches_;  // the largest size of each
  std::vector<float> widths_;    // of the widest number of each
  float column_ = 0;
};

}  // namespace

float least_methods_width(std::size_t methods) {
  return kNames + kLeastColumn * static_cast<float>(methods);
}

ComparedLines compared_within(const ComparedEffects& compared, float height) {
  const std::size_t heads = compared.methods.front().heads.size(), usual = std::min(heads, kUsualCompared);
  const std::size_t pairs = compared.agreements.size();
  if (height <= 0) return {usual, pairs};
  const auto rows = static_cast<std::size_t>(std::max(0.0F, (height - kBetween - 2) / kEffectRow));
  ComparedLines lines;
  constexpr std::size_t kHeadings = 2;  // of the table, and how many heads it has
  lines.agreements = std::min(pairs, rows / 3);
  const std::size_t around = kHeadings + (lines.agreements > 0 ? lines.agreements + 1 : 0);
  lines.heads = std::clamp(rows - std::min(rows, around), std::min(heads, kFewestCompared), usual);
  return lines;
}

EffectFigure make_methods_figure(const MethodsFigureRequest& request, const MeasureText& measure) {
  return MethodsPen(request, measure).draw();
}

}  // namespace headlight
