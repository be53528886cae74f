// The groups whose columns are numbers: scale, mask, softmax.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/figure/inside/ledger.h"

namespace headlight {
namespace {

constexpr float kNumberText = 12, kHeadText = 11;

/// From the left of the softmax group: numbers end there, bars begin there.
struct SoftmaxColumns {
  float difference = 62, exp_bar = 80, exp_bar_width = 56, exp = 204, weight_bar = 226, weight_bar_width = 84, weight = kSoftmax;
};

SoftmaxColumns softmax_columns(float width) {
  if (width >= kSoftmax) return {};
  constexpr float kExp = 128, kBar = 140;
  return {.exp_bar_width = 0, .exp = kExp, .weight_bar = kBar, .weight_bar_width = width - kBar - kScoreWidth, .weight = width};
}

std::string share_text(float value) {
  return weight_text(static_cast<double>(value), 4);
}

}  // namespace

void Ledger::draw_scale_bars(const PlacedRow& placed, float share, float left, float whole) {
  const InsideRow& row = inside_.row;
  float low = 0, high = 0;
  for (Index key = 0; key < inside_.keys(); ++key) {
    if (!row.is_allowed[static_cast<std::size_t>(key)]) continue;
    for (const float value : {row.scores[key], row.scaled[key]}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const Index key = placed.row.begin;
  const float span = std::max(1e-9F, high - low);
  const auto bar = [&](float value, float y, float height, Colour colour) {
    if (!std::isfinite(value)) return;
    const float from = left + whole * (std::min(0.0F, value) - low) / span;
    const float width = std::max(1.5F, whole * std::abs(value) / span);
    pen_.fill(LedgerLayer::front, {from, y, width, height}, colour, height / 2);
  };
  const float score = row.scores[key], scaled = row.scaled[key];
  bar(score, placed.middle() - 6, 4, mix(pen_.colours().raised, pen_.colours().text_second, 0.55F));
  bar(score + (scaled - score) * share, placed.middle() + 2, 5, pen_.colours().accent);
}

std::vector<Ledger::ScaleColumn> Ledger::scale_columns() const {
  const InsideRow& row = inside_.row;
  const bool has_more = row.capped.size() > 0 || row.bias.size() > 0;
  if (!is_current(InsideStep::scale)) {
    return {{has_more ? InsideValue::final_score : InsideValue::scaled, has_more ? "final" : "scaled"}};
  }
  std::vector<ScaleColumn> columns{{InsideValue::score, "score"},
                                   {InsideValue::scaled, request_.divisor.empty() ? "as it is" : request_.divisor}};
  if (row.capped.size() > 0) columns.push_back({InsideValue::capped, fmt::format("cap {:g}", inside_.softcap)});
  if (row.bias.size() > 0) columns.push_back({InsideValue::bias, "+ bias"});
  if (row.bias.size() > 0) columns.push_back({InsideValue::final_score, "final"});
  return columns;
}

/// One number of the group; of a fold the largest, of a sink only the last column.
void Ledger::draw_scale_number(const PlacedRow& placed, InsideValue what, bool is_last, float right) {
  const LedgerRow& row = placed.row;
  const Colour second = pen_.colours().text_second;
  if (row.kind == LedgerRow::Kind::sink) {
    if (is_last) pen_.number({right, placed.middle()}, score_text(inside_.row.sink->score), number_colour(InsideStep::scale), kNumberText);
    return;
  }
  if (row.kind == LedgerRow::Kind::fold) {
    if (is_last || what == InsideValue::score)
      pen_.number({right, placed.middle()}, "≤ " + score_text(is_last ? row.largest : row.largest_score), second, kHeadText);
    return;
  }
  const InsideNumber number{what, row.begin};
  pen_.number({right, placed.middle()}, score_text(value_of(inside_, number)), is_last ? number_colour(InsideStep::scale) : second,
              kNumberText);
  pen_.spot({right - kScoreWidth, placed.middle() - 11, kScoreWidth + 4, 22}, number);
}

void Ledger::draw_scale() {
  const InsideStep step = InsideStep::scale;
  if (!is_shown(step)) return;
  const LedgerGroup& place = group(step);
  const bool is_now = is_current(step), is_ahead = state(step) == State::ahead;
  const std::vector<ScaleColumn> shown = scale_columns();
  constexpr float kLeastBars = 40, kMostBars = 132, kBesideBars = 18;
  const float between = (place.width - kScoreWidth) / static_cast<float>(std::max<std::size_t>(1, shown.size() - 1));
  const float pitch = is_now ? std::min(kScoreWidth + 12, between) : kScoreWidth;
  const float first = place.right() - pitch * static_cast<float>(shown.size() - 1);
  const float bars = std::min(kMostBars, first - kScoreWidth - kBesideBars - place.left);
  const float share = part(step, 0, 1);
  for (std::size_t column = 0; column < shown.size() && !is_ahead; ++column) {
    const float right = first + pitch * static_cast<float>(column);
    pen_.text({right, lines_.vectors + 28}, shown[column].name, pen_.colours().text_second, {kHeadText, FontFace::ui, AlignX::right},
              is_now ? pitch - 4 : 0);
    for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
      const bool is_there = is_filled(i, share) || shown[column].what == InsideValue::score;
      if (is_there && row(i).kind != LedgerRow::Kind::masked)
        draw_scale_number(lines_.rows[i], shown[column].what, column + 1 == shown.size(), right);
    }
  }
  for (const PlacedRow& placed : lines_.rows) {
    if (placed.row.kind == LedgerRow::Kind::masked) {
      pen_.hatch(is_now ? LedgerLayer::front : LedgerLayer::back, {place.left, placed.middle() - 10, place.width, 20});
    } else if (is_now && placed.row.kind == LedgerRow::Kind::key) {
      if (bars >= kLeastBars) draw_scale_bars(placed, share, place.left, bars);
    } else if (is_ahead && placed.row.kind == LedgerRow::Kind::key) {
      pen_.dashes({place.left, placed.middle() - 8, place.width, 16});
    }
  }
}

void Ledger::draw_mask() {
  const InsideStep step = InsideStep::mask;
  if (!is_shown(step)) return;
  const LedgerGroup& place = group(step);
  const Palette& colours = pen_.colours();
  const bool is_now = is_current(step);
  const float share = part(step, 0, 1);
  if (is_now)
    pen_.text({place.left, lines_.vectors + 28}, fmt::format("may “{}” look at it?", query_name()), colours.text_second, {kHeadText},
              place.width);
  const bool is_causal = request_.mask_text == "causal";
  const float centre = is_now ? place.left + 8 : place.left + place.width / 2;
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
    const PlacedRow& placed = lines_.rows[i];
    const LedgerRow& row = placed.row;
    if (row.kind == LedgerRow::Kind::sink) continue;
    if (!is_filled(i, share) || state(step) == State::ahead) {
      if (state(step) == State::ahead) pen_.dashes({centre - 8, placed.middle() - 8, 16, 16});
      continue;
    }
    const bool is_masked = row.kind == LedgerRow::Kind::masked || (row.kind == LedgerRow::Kind::key && !is_allowed(row));
    const bool is_mixed = row.kind == LedgerRow::Kind::fold && row.masked_inside > 0;
    const std::string sign = is_masked ? "∅" : is_mixed ? fmt::format("{} ✓", row.keys() - row.masked_inside) : "✓";
    pen_.text({centre, placed.middle()}, sign,
              is_masked ? colours.text_second
              : is_now  ? colours.good
                        : colours.text_second,
              {kNumberText, FontFace::ui, AlignX::centre});
    if (row.kind == LedgerRow::Kind::key) pen_.spot({centre - 12, placed.middle() - 11, 24, 22}, {InsideValue::mask, row.begin});
    if (!is_now) continue;
    std::string why = is_masked ? "may not attend: −∞" : "may attend";
    if (is_causal && row.kind == LedgerRow::Kind::key) {
      why = is_masked ? fmt::format("{} > {}: later, −∞", row.begin, inside_.query)
                      : fmt::format("{} ≤ {}: may attend", row.begin, inside_.query);
    }
    if (is_mixed) why = fmt::format("{} of {} masked", row.masked_inside, row.keys());
    if (is_masked) pen_.hatch(LedgerLayer::front, {place.left + 24, placed.middle() - 8, 36, 16});
    pen_.text({place.left + (is_masked ? 68.0F : 24.0F), placed.middle()}, why, colours.text_second, {kHeadText},
              place.width - (is_masked ? 68.0F : 24.0F));
  }
}

void Ledger::draw_softmax_row(const PlacedRow& placed, std::size_t number, float left) {
  const Palette& colours = pen_.colours();
  const LedgerRow& row = placed.row;
  const InsideStep step = InsideStep::softmax;
  const SoftmaxColumns at = softmax_columns(group(step).width);
  const bool is_sink = row.kind == LedgerRow::Kind::sink, is_fold = row.kind == LedgerRow::Kind::fold;
  const float y = placed.middle();
  if (row.kind == LedgerRow::Kind::masked || (row.kind == LedgerRow::Kind::key && !is_allowed(row))) {
    if (is_filled(number, part(step, 0, 4)))
      pen_.text({left, y}, "masked: exp(−∞) = 0, weight 0", colours.text_second, {kHeadText}, at.weight);
    return;
  }
  const float exp = is_sink || is_fold ? row.exps : inside_.row.exps[row.begin];
  const float weight = is_sink || is_fold ? row.weight : inside_.row.weights[row.begin];
  const auto put = [&](float right, const std::string& text, InsideValue what, Colour colour) {
    pen_.number({left + right, y}, text, colour, kNumberText);
    if (!is_sink && !is_fold) pen_.spot({left + right - 60, y - 11, 64, 22}, {what, row.begin});
  };
  if (is_filled(number, part(step, 0, 4))) {
    const float difference = is_sink ? inside_.row.sink->score - inside_.row.largest : is_fold ? 0 : inside_.row.differences[row.begin];
    put(at.difference, is_fold ? "Σ" : score_text(difference), InsideValue::difference, is_fold ? colours.text_second : colours.text);
  }
  if (is_filled(number, part(step, 1, 4)) && part(step, 1, 4) > 0) {
    if (at.exp_bar_width > 0) pen_.bar({left + at.exp_bar, y - 2.5F, at.exp_bar_width, 5}, exp, colours.text_second);
    put(at.exp, share_text(exp), InsideValue::exp, is_fold ? colours.text_second : colours.text);
  }
  if (is_filled(number, part(step, 3, 4)) && part(step, 3, 4) > 0) {
    pen_.bar({left + at.weight_bar, y - 2.5F, at.weight_bar_width, 5}, weight, is_sink ? colours.text_second : colours.key);
    put(at.weight, share_text(weight), InsideValue::weight, is_fold ? colours.text_second : colours.text);
  }
}

void Ledger::draw_softmax_sums(float left) {
  const Palette& colours = pen_.colours();
  const InsideStep step = InsideStep::softmax;
  const float y = lines_.sums + kSumRow / 2;
  const InsideRow& row = inside_.row;
  const SoftmaxColumns at = softmax_columns(group(step).width);
  if (row.allowed == 0)
    return pen_.text({left, y}, "no key is allowed: the row stays all zeros", colours.text_second, {kHeadText}, at.weight);
  if (row.is_unusual) return pen_.text({left, y}, "a score is not finite: no exp is taken", colours.text_second, {kHeadText}, at.weight);
  if (part(step, 0, 4) > 0) pen_.number({left + at.difference, y}, "max " + score_text(row.largest), colours.text_second, kNumberText);
  if (part(step, 2, 4) > 0) pen_.number({left + at.exp, y}, "Σ " + share_text(row.sum), colours.text, kNumberText);
  if (part(step, 3, 4) <= 0) return;
  const std::string divides = "→ divides each";
  if (at.exp + 8 + pen_.width(divides, kHeadText) <= at.weight - kScoreWidth)
    pen_.text({left + at.exp + 8, y}, divides, colours.accent, {kHeadText});
  pen_.number({left + at.weight, y}, share_text(row.weights.sum()), colours.text, kNumberText);
}

void Ledger::draw_softmax_folded() {
  const InsideStep step = InsideStep::softmax;
  const LedgerGroup& place = group(step);
  const Palette& colours = pen_.colours();
  if (state(step) == State::behind)
    pen_.text({place.right(), lines_.vectors + 28}, "weight", colours.text_second, {kHeadText, FontFace::ui, AlignX::right});
  for (const PlacedRow& placed : lines_.rows) {
    const LedgerRow& row = placed.row;
    const float y = placed.middle();
    const bool is_masked = row.kind == LedgerRow::Kind::masked || (row.kind == LedgerRow::Kind::key && !is_allowed(row));
    if (state(step) == State::ahead) {
      if (!is_masked) pen_.dashes({place.left, y - 8, place.width, 16});
      continue;
    }
    const float weight = row.kind == LedgerRow::Kind::key ? inside_.row.weights[row.begin] : row.weight;
    pen_.number({place.right(), y}, is_masked ? "0" : share_text(weight), is_masked ? colours.text_third : number_colour(step),
                kNumberText);
    if (columns_.has_bars && !is_masked) {
      pen_.bar({place.left, y - 2, place.width - 60, 4}, weight, mix(colours.ground, colours.key, 0.7F));
    }
    if (row.kind == LedgerRow::Kind::key) pen_.spot({place.right() - 56, y - 11, 60, 22}, {InsideValue::weight, row.begin});
  }
  if (state(step) == State::behind)
    pen_.number({place.right(), lines_.sums + kSumRow / 2}, share_text(inside_.row.weights.sum()), colours.text_second, kNumberText);
}

void Ledger::draw_softmax() {
  const InsideStep step = InsideStep::softmax;
  if (!is_shown(step)) return;
  if (!is_current(step)) return draw_softmax_folded();
  const Palette& colours = pen_.colours();
  const SoftmaxColumns at = softmax_columns(group(step).width);
  const float left = group(step).left, y = lines_.vectors + 28;
  const int stop = std::min(3, static_cast<int>(moment_.progress * 4));
  const auto head = [&](float right, const std::string& text, bool is_now) {
    pen_.text({left + right, y}, text, is_now ? colours.accent : colours.text_second,
              {kHeadText, is_now ? FontFace::ui_bold : FontFace::ui, AlignX::right});
  };
  head(at.difference, "− max", stop == 0);
  head(at.exp, stop == 2 ? "Σ exp" : "exp", stop == 1 || stop == 2);
  head(at.weight, "÷ Σ = weight", stop == 3);
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) draw_softmax_row(lines_.rows[i], i, left);
  draw_softmax_sums(left);
}

}  // namespace headlight
