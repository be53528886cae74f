#include "engine/figure/predictions/predictions_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kRow = 20, kLowRow = 16, kBar = 6, kShortestBar = 24, kGap = 12, kBesideFrame = 6;
constexpr float kLeftShare = 0.56F, kBetweenLists = 32, kAfterList = 20;
constexpr float kLeastName = 72;  // of a token: where there is less, the bars give way to it
constexpr float kPosition = 32, kProbability = 52, kActual = 76, kChange = 64, kRank = 24;
constexpr LabelStyle kNumber{FontFace::mono, kCaptionSize}, kCaption{FontFace::ui, kCaptionSize}, kBold{FontFace::ui_bold, kTextSize};

/// "+0.103"; "–" where one of the two is not a number.
std::string change_text(const TokenChange& token) {
  const double change = token.change();
  return std::isfinite(change) ? fmt::format("{}{}", change > 0 ? "+" : "", weight_text(change)) : "–";
}

std::string probability_text(double probability) {
  return std::isfinite(probability) ? weight_text(probability) : "–";
}

class PredictionsPen {
 public:
  PredictionsPen(const PredictionsFigureRequest& request, const MeasureText& measure)
      : request_(request), measure_(measure), colours_(palette(request.theme)), tokens_(tokens_of(request)) {}

  PredictionsFigure draw() {
    positions_ = request_.found.predictions.size();
    listed_ = chosen().likeliest.size();
    PredictionsFigure figure = draw_lists();
    if (request_.height <= 0 || figure.height <= request_.height) return figure;
    row_ = kLowRow;
    figure = draw_lists();
    if (figure.height <= request_.height) return figure;
    show_fewer();
    return draw_lists();
  }

 private:
  /// As many positions around the chosen one as have room, and as many of its tokens; a line says how many there are besides.
  void show_fewer() {
    constexpr std::size_t kFewest = 3;
    const auto excess_of = [&](float height) {
      return static_cast<std::size_t>(std::ceil(std::max(0.0F, height - request_.height) / row_));
    };
    const auto less = [&](std::size_t all, std::size_t excess) {
      return excess == 0 ? all : std::max(std::min(all, kFewest), all - std::min(all, excess + 1));  // and a row for the words
    };
    positions_ = less(positions_, excess_of(positions_height_));
    listed_ = less(listed_, excess_of(chosen_height_));
    const std::size_t all = request_.found.predictions.size();
    first_ = std::min(chosen_place() - std::min(chosen_place(), positions_ / 2), all - positions_);
  }

  PredictionsFigure draw_lists() {
    scene_ = {};
    const Point at = request_.at;
    constexpr float kBothOnLowPage = 560;
    const bool has_both = request_.width >= (request_.height > 0 ? kBothOnLowPage : kBothListsWidth);
    const float left = has_both ? std::round(request_.width * kLeftShare) - kBetweenLists / 2 : request_.width;
    word_ = {FontFace::ui, has_both && request_.width >= kBothListsWidth ? kTextSize : kCaptionSize};
    const float after_positions = draw_positions({at.x, at.y, left, 0});
    const float begin = at.x + left + kBetweenLists;
    const Box list = has_both ? Box{begin, at.y, at.x + request_.width - begin, 0} : Box{at.x, after_positions + kAfterList, left, 0};
    const float after_list = draw_chosen(list);
    // Lists below each other share the room.
    positions_height_ = (has_both ? after_positions : after_list) - at.y;
    chosen_height_ = after_list - at.y;
    return {std::move(scene_), std::max(after_positions, after_list) - at.y};
  }

  static const std::vector<std::string>& tokens_of(const PredictionsFigureRequest& request) {
    return request.changes ? request.changes->tokens : request.found.tokens;
  }
  bool is_next() const { return request_.place == PredictedPlace::next; }
  const Prediction& chosen() const { return request_.found.predictions[chosen_place()]; }
  std::size_t chosen_place() const { return static_cast<std::size_t>(request_.chosen - request_.found.request.first); }

  void text(Point at, const std::string& words, LabelStyle style, Colour colour, AlignX align = AlignX::left) {
    scene_.items.emplace_back(SceneText{at, words, style.face, style.size, colour, align});
  }
  void say(const Box& box, std::string words) { scene_.spots.push_back({.box = box, .words = std::move(words)}); }
  std::string fitted(const std::string& words, float room, LabelStyle style) const { return shortened(words, room, style, measure_); }

  /// Where the columns of the positions are.
  struct Columns {
    float number_right, token, token_width, guess, guess_width, bar, bar_right, actual_right, change_right;
  };
  Columns columns_of(const Box& list) const {
    Columns at{};
    at.number_right = list.x + kPosition;
    at.token = at.number_right + kGap;
    at.change_right = list.right() - kBesideFrame;
    at.actual_right = at.change_right - (request_.changes ? kActual : 0);
    at.bar_right = at.actual_right - kActual;
    const float room = at.bar_right - kProbability - at.token;
    const float names = room * (room * 0.36F < kLeastName ? 0.5F : 0.36F);
    at.token_width = at.guess_width = names - kGap;
    at.guess = at.token + names;
    at.bar = at.guess + names;
    return at;
  }

  /// Returns where the list ends.
  float draw_positions(const Box& list) {
    const Columns at = columns_of(list);
    float y = list.y + kRow / 2;
    const auto head = [&](float x, const char* words, AlignX align = AlignX::left) {
      text({x, y}, words, kCaption, colours_.text_second, align);
    };
    head(at.token, is_next() ? "after" : "at");
    head(at.guess, "likeliest");
    const float room = at.bar_right - at.guess - measure_("likeliest", kCaption.face, kCaption.size) - kGap;
    head(at.bar_right, measure_("probability", kCaption.face, kCaption.size) > room ? "p" : "probability", AlignX::right);
    head(at.actual_right, is_next() ? "next word" : "word here", AlignX::right);
    if (request_.changes) head(at.change_right, "Δ", AlignX::right);
    line(list, list.y + kRow);
    y = list.y + kRow + 2;
    const std::size_t end = first_ + positions_, all = request_.found.predictions.size();
    for (std::size_t place = first_; place < end; ++place, y += row_) draw_position(at, list, place, y);
    if (positions_ == all) return y;
    text({at.token, y + row_ / 2}, fmt::format("{} of {} positions", positions_, all), kCaption, colours_.text_second);
    return y + row_;
  }

  void line(const Box& list, float y) { scene_.items.emplace_back(SceneLine{{list.x, y}, {list.right(), y}, colours_.line, 1}); }

  void draw_position(const Columns& at, const Box& list, std::size_t place, float top) {
    const Prediction& prediction = request_.found.predictions[place];
    const float middle = top + row_ / 2;
    const Box row{list.x, top, list.width, row_};
    if (prediction.position == request_.chosen)
      scene_.items.emplace_back(SceneBox{.box = row, .fill = faded(colours_.query), .stroke = colours_.query, .radius = 3});
    text({at.number_right, middle}, std::to_string(prediction.position), kNumber, colours_.text_second, AlignX::right);
    text({at.token, middle}, fitted(tokens_[place], at.token_width, word_), word_, colours_.query);
    std::string words = fmt::format("{} “{}” ({})", is_next() ? "after" : "at", tokens_[place], prediction.position);
    if (prediction.likeliest.empty()) {
      text({at.guess, middle}, fitted("not a number", at.bar_right - at.guess, word_), word_, colours_.text_second);
      return say(row, words + ": the logits are not numbers");
    }
    const LikelyToken& best = prediction.likeliest.front();
    const std::string& label = request_.found.labels[place].front();
    text({at.guess, middle}, fitted(label, at.guess_width, word_), word_, colours_.key);
    draw_probability(at.bar, at.bar_right, middle, best.probability);
    words += fmt::format(": likeliest “{}” {}", label, best.probability);
    if (prediction.actual) {
      text({at.actual_right, middle}, probability_text(prediction.actual->probability), kNumber, colours_.text_second, AlignX::right);
      words += fmt::format("; {} {}, {}", is_next() ? "the next word" : "the word here", prediction.actual->probability,
                           choice_text(prediction.actual->rank));
    }
    if (request_.changes && request_.changes->positions[place].actual) {
      const TokenChange& actual = *request_.changes->positions[place].actual;
      text({at.change_right, middle}, change_text(actual), kNumber, colours_.text, AlignX::right);
      words += fmt::format("; before {}", actual.before.probability);
    }
    say(row, std::move(words));
  }

  static Colour faded(Colour colour) {
    colour.alpha = 40;
    return colour;
  }

  /// The bar of a probability, and its number right of it.
  void draw_probability(float left, float right, float middle, double probability) {
    const float end = right - kProbability;
    if (end - left >= kShortestBar && std::isfinite(probability)) {
      const auto share = static_cast<float>(probability);
      const Colour colour = mix(colours_.raised, colours_.key, 0.35F + 0.65F * share);
      scene_.items.emplace_back(
          SceneBox{.box = {left, middle - kBar / 2, std::max(1.0F, (end - left) * share), kBar}, .fill = colour, .radius = 2});
    }
    text({right, middle}, probability_text(probability), kNumber, colours_.text, AlignX::right);
  }

  /// The likeliest tokens of the chosen position. Returns where the list ends.
  float draw_chosen(const Box& list) {
    float y = list.y;
    const std::string title = fmt::format("{} “{}” {}", is_next() ? "After" : "At", tokens_[chosen_place()], request_.chosen);
    text({list.x, y + kRow / 2}, fitted(title, list.width, kBold), kBold, colours_.text);
    y += kRow + 4;
    if (chosen().likeliest.empty()) return paragraph(list, y, "The logits of this position are not numbers: there is nothing to rank.");
    y = paragraph(list, y, certainty_text(chosen().entropy)) + 4;
    const PositionChanges* changes = request_.changes ? &request_.changes->positions[chosen_place()] : nullptr;
    if (changes) {
      text({list.right() - 2 * kChange, y + kRow / 2}, "now", kCaption, colours_.text_second, AlignX::right);
      text({list.right() - kChange, y + kRow / 2}, "before", kCaption, colours_.text_second, AlignX::right);
      text({list.right(), y + kRow / 2}, "Δ", kCaption, colours_.text_second, AlignX::right);
      y += kRow;
    }
    line(list, y);
    y += 2;
    for (std::size_t rank = 0; rank < listed_; ++rank, y += row_)
      draw_likely(list, y, std::to_string(rank), request_.found.labels[chosen_place()][rank], chosen().likeliest[rank],
                  changes ? &changes->listed[rank] : nullptr);
    if (listed_ < chosen().likeliest.size()) {
      text({list.x + kRank + kGap, y + row_ / 2}, fmt::format("{} of {} tokens", listed_, chosen().likeliest.size()), kCaption,
           colours_.text_second);
      y += row_;
    }
    if (changes && !changes->lost.empty()) {
      y = paragraph(list, y + 6, fmt::format("Among the {} likeliest before, and no longer", chosen().likeliest.size()));
      for (const TokenChange& lost : changes->lost) {
        draw_likely(list, y, "", lost.label, lost.now, &lost);
        y += row_;
      }
    }
    return draw_actual(list, y + 6);
  }

  void draw_likely(const Box& list, float top, const std::string& number, const std::string& label, const LikelyToken& likely,
                   const TokenChange* change) {
    const float middle = top + row_ / 2, name = list.x + kRank + kGap;
    const float right = list.right() - (change ? 2 * kChange : 0), bar = name + (right - name) * 0.42F;
    text({list.x + kRank, middle}, number, kNumber, colours_.text_second, AlignX::right);
    text({name, middle}, fitted(label, bar - name - kGap, word_), word_, colours_.text);
    std::string words = fmt::format("“{}”: id {}, logit {}, probability {}, {}", label, likely.id, likely.logit, likely.probability,
                                    choice_text(likely.rank));
    if (change) {
      text({list.right(), middle}, change_text(*change), kNumber, colours_.text, AlignX::right);
      text({list.right() - kChange, middle}, probability_text(change->before.probability), kNumber, colours_.text_second, AlignX::right);
      words += fmt::format("; before {}", change->before.probability);
    }
    draw_probability(bar, right, middle, likely.probability);
    say({list.x, top, list.width, row_}, std::move(words));
  }

  /// "The text continues with “bank”: probability 0.412, first choice." Returns where it ends.
  float draw_actual(const Box& list, float y) {
    const std::size_t place = chosen_place() + (is_next() ? 1 : 0);
    if (!chosen().actual || place >= request_.found.tokens.size()) return y;
    return paragraph(
        list, y,
        fmt::format("{} “{}”: probability {}, {}.", is_next() ? "The text continues with" : "The text has", request_.found.tokens[place],
                    weight_text(chosen().actual->probability), choice_text(chosen().actual->rank)));
  }

  float paragraph(const Box& list, float y, const std::string& words) {
    constexpr std::size_t kMostLines = 4;
    for (const std::string& each : wrapped(words, list.width, kMostLines, kCaption, measure_)) {
      text({list.x, y + kCaptionSize / 2 + 2}, each, kCaption, colours_.text_second);
      y += kCaptionSize + 4;
    }
    return y;
  }

  const PredictionsFigureRequest& request_;
  const MeasureText& measure_;
  const Palette& colours_;
  const std::vector<std::string>& tokens_;
  LabelStyle word_;
  float row_ = kRow, positions_height_ = 0, chosen_height_ = 0;
  std::size_t first_ = 0, positions_ = 0, listed_ = 0;  // that are shown
  Scene scene_;
};

}  // namespace

PredictionsFigure make_predictions_figure(const PredictionsFigureRequest& request, const MeasureText& measure) {
  return PredictionsPen(request, measure).draw();
}

}  // namespace headlight
