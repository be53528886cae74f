#include "engine/figure/effects/lens_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {
namespace {

constexpr float kLensGap = 12, kLensInset = 4, kNarrowestGuess = 104, kWidestGuess = 190, kMostLabel = 120, kMostFollowed = 110;

class LensPen {
 public:
  LensPen(const LensFigureRequest& request, const MeasureText& measure)
      : request_(request), pen_(request.theme, measure), colours_(pen_.colours()) {
    float labels = pen_.width_of("after", kRowWords);
    for (const LensRow& row : request.rows) labels = std::max(labels, pen_.width_of(row.label, kRowWords));
    followed_ = pen_.fitted("p of " + request.followed, kMostFollowed, kRowWords);
    label_room_ = std::min(labels, kMostLabel);
    float numbers = pen_.width_of(followed_, kRowWords);
    for (const LensRow& row : request.rows)
      numbers = std::max(numbers, pen_.width_of(probability_text(row.followed.probability), kRowNumber));
    followed_right_ = request.at.x + label_room_ + kLensGap + numbers;
    first_ = followed_right_ + 2 * kLensGap;
    const float room = request.at.x + request.width - first_;
    guesses_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0F, room / kNarrowestGuess)));
    std::size_t most = 1;
    for (const LensRow& row : request.rows) most = std::max(most, row.likeliest.size());
    guesses_ = std::min(guesses_, most);
    guess_ = std::min(kWidestGuess, room / static_cast<float>(guesses_));
  }

  EffectFigure draw() {
    float y = request_.at.y;
    const float x = request_.at.x;
    pen_.text({x, y + kEffectRow / 2}, "after", kRowWords, colours_.text_second);
    pen_.text({followed_right_, y + kEffectRow / 2}, followed_, kRowWords, colours_.text_second, AlignX::right);
    pen_.text({first_ + kLensInset, y + kEffectRow / 2}, "likeliest", kRowWords, colours_.text_second);
    y += kEffectRow;
    pen_.line({x, y}, {x + request_.width, y}, colours_.line);
    y += 2;
    for (const LensRow& row : request_.rows) {
      draw_row(row, y);
      y += kEffectRow;
    }
    return {pen_.take(), y - request_.at.y};
  }

 private:
  static std::string probability_text(double probability) { return std::isfinite(probability) ? weight_text(probability) : "–"; }

  void draw_row(const LensRow& row, float y) {
    const float middle = y + kEffectRow / 2;
    pen_.text({request_.at.x, middle}, pen_.fitted(row.label, label_room_, kRowWords), kRowWords, colours_.text);
    pen_.text({followed_right_, middle}, probability_text(row.followed.probability), kRowNumber, colours_.text, AlignX::right);
    std::string words = fmt::format("after {}: “{}” has probability {}, {}", row.label, request_.followed, row.followed.probability,
                                    choice_text(row.followed.rank));
    if (row.likeliest.empty()) pen_.text({first_ + kLensInset, middle}, "not a number", kRowWords, colours_.text_second);
    for (std::size_t guess = 0; guess < row.likeliest.size(); ++guess) {
      if (guess < guesses_) draw_guess(row, guess, y);
      words += fmt::format("{} “{}” {}", guess == 0 ? "; likeliest" : ",", row.names[guess], row.likeliest[guess].probability);
    }
    pen_.say({request_.at.x, y, request_.width, kEffectRow}, std::move(words));
  }

  void draw_guess(const LensRow& row, std::size_t guess, float y) {
    const LikelyToken& likely = row.likeliest[guess];
    const Box cell{first_ + guess_ * static_cast<float>(guess), y + 2, guess_ - kLensGap, kEffectRow - 4};
    Colour tint = colours_.key;
    tint.alpha = 72;
    if (std::isfinite(likely.probability)) pen_.part(cell, likely.probability, tint, 3);
    const std::string number = probability_text(likely.probability);
    const float room = cell.width - pen_.width_of(number, kRowNumber) - 3 * kLensInset;
    const bool is_followed = likely.id == row.followed.id;
    const LabelStyle style = is_followed ? kRowStrong : kRowWords;
    pen_.text({cell.x + kLensInset, y + kEffectRow / 2}, pen_.fitted(row.names[guess], room, style), style, colours_.text);
    pen_.text({cell.right() - kLensInset, y + kEffectRow / 2}, number, kRowNumber, colours_.text_second, AlignX::right);
  }

  const LensFigureRequest& request_;
  RowPen pen_;
  const Palette& colours_;
  std::string followed_;
  float label_room_ = 0, followed_right_ = 0, first_ = 0, guess_ = 0;
  std::size_t guesses_ = 1;
};

}  // namespace

EffectFigure make_lens_figure(const LensFigureRequest& request, const MeasureText& measure) {
  return LensPen(request, measure).draw();
}

}  // namespace headlight
