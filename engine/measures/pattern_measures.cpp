// How much of the attention lies on a pattern of keys that the tokens themselves give (TransformerLens, head_detector.py), as pattern mass
// with its baseline and lift, and by the two scores of that library under their own names.
#include <array>

#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

enum class Pattern : std::uint8_t { previous, duplicate, induction };

/// Calls use(key) for every key that the pattern names for this query, masked or not.
template <Pattern pattern, typename Use>
void for_each_target(const MeasuredRow& row, const Use& use) {
  if constexpr (pattern == Pattern::previous) {
    if (row.query > 0) use(row.query - 1);
  } else {
    const MeasuredText& text = *row.context->text;
    for (Index copy = text.copy_before(row.query); copy >= 0; copy = text.copy_before(copy)) {
      const Index key = pattern == Pattern::duplicate ? copy : copy + 1;
      if (key != row.query) use(key);
    }
  }
}

struct Targets {
  double mass = 0;
  Index count = 0, heaviest = -1;
};

template <Pattern pattern>
Targets targets_of(const MeasuredRow& row) {
  Targets found;
  for_each_target<pattern>(row, [&](Index key) {
    if (!row.allows(key)) return;
    found.mass += static_cast<double>(row.weights[key]);
    ++found.count;
    if (found.heaviest < 0 || row.weights[key] > row.weights[found.heaviest]) found.heaviest = key;
  });
  return found;
}

template <Pattern pattern>
std::optional<RowValue> mass(const MeasuredRow& row) {
  const Targets found = targets_of<pattern>(row);
  if (found.count == 0) return std::nullopt;
  return RowValue(found.mass, 1, found.heaviest);
}

template <Pattern pattern>
std::optional<RowValue> baseline(const MeasuredRow& row) {
  const Targets found = targets_of<pattern>(row);
  if (found.count == 0) return std::nullopt;
  return static_cast<double>(found.count) / static_cast<double>(row.allowed);
}

template <Pattern pattern>
std::optional<RowValue> lift(const MeasuredRow& row) {
  const Targets found = targets_of<pattern>(row);
  if (found.count == 0) return std::nullopt;
  return RowValue(found.mass, static_cast<double>(found.count) / static_cast<double>(row.allowed), found.heaviest);
}

/// Σ A·D over Σ A: weights are not attention that a row shares out here, so all of it counts, masked targets and all.
template <Pattern pattern, bool excludes>
std::optional<RowValue> mul(const MeasuredRow& row) {
  const auto weight = [&](Index key) { return key < row.weights.size() ? static_cast<double>(row.weights[key]) : 0.0; };
  const auto is_out = [&](Index key) { return excludes && (key == 0 || key == row.query); };
  const double all = excludes ? row.mass_between() : row.mass();
  double on_target = 0;
  for_each_target<pattern>(row, [&](Index key) { on_target += is_out(key) ? 0.0 : weight(key); });
  return RowValue(on_target, all);
}

/// 1 − Σ|A − D| of the row: of a cell of D that is 1, |a − 1| in place of a.
template <Pattern pattern>
std::optional<RowValue> abs_score(const MeasuredRow& row) {
  double apart = row.mass();
  for_each_target<pattern>(row, [&](Index key) {
    const double weight = key < row.weights.size() ? static_cast<double>(row.weights[key]) : 0.0;
    apart += std::abs(weight - 1) - weight;
  });
  return 1 - apart;
}

constexpr std::string_view kNoTarget =
    "no row of two or more allowed keys may attend to such a key, or queries and keys count different texts";
constexpr std::string_view kNoTexts = "queries and keys count different texts, or no row holds weight";
constexpr std::string_view kLibrary = "TransformerLens, head_detector.py";
constexpr std::string_view kEven = "what a head has that looks at all keys alike";
constexpr std::string_view kDuplicates = "an earlier copy of the query's token";
constexpr std::string_view kInduction =
    "Olsson et al. 2022, arXiv 2209.11895; a customary threshold is 0.4. The query's own key is none of the targets";

/// What all rows of this table have in common.
constexpr Measure of_pattern(Measure measure, bool needs_tokens) {
  measure.need = needs_tokens ? MeasureNeed::tokens : MeasureNeed::nothing;
  measure.needs_one_text = true;
  if (measure.undefined.empty()) measure.undefined = kNoTarget;
  return measure;
}

constexpr Measure lift_of(Measure measure, bool needs_tokens) {
  measure.unit = "";
  measure.formula = "Σ a over the targets / (|targets| / |allowed keys|)";
  measure.high = kUnbounded;
  measure.limit = "|allowed keys|";
  measure.is_mean = false;
  return of_pattern(measure, needs_tokens);
}

constexpr Measure mul_of(Measure measure, bool needs_tokens) {
  measure.unit = "";
  measure.source = kLibrary;
  measure.undefined = kNoTexts;
  measure.is_mean = false;
  measure.rows = MeasuredRows::every;
  return of_pattern(measure, needs_tokens);
}

constexpr Measure abs_of(Measure measure, bool needs_tokens) {
  measure.unit = "";
  measure.formula = "1 − Σ |a − d|";
  measure.source = kLibrary;
  measure.low = -kUnbounded;
  measure.limit = "1 − |targets|";
  measure.undefined = kNoTexts;
  measure.rows = MeasuredRows::every;
  return of_pattern(measure, needs_tokens);
}

constexpr std::string_view kMul = "Σ a d / Σ a, d = 1 for targets";
constexpr std::string_view kMulExcluding = "Σ a d / Σ a without key 0 and the query's own, d = 1 for targets";

constexpr std::array kPatternRows{
    of_pattern({.id = "previous-baseline",
                .title = "previous token: uniform-head baseline",
                .unit = "",
                .formula = "1 / |allowed keys|",
                .meaning = "The weight on the previous token of a head that looks at all keys alike.",
                .source = kEven,
                .example = 0.361111,
                .of_row = by_row<baseline<Pattern::previous>>},
               false),
    lift_of({.id = "previous-lift",
             .title = "previous token: lift over a uniform head",
             .meaning = "How many times as much a head gives the previous token as a uniform head would.",
             .source = "the weight on the previous token over its baseline",
             .example = 1.2,
             .of_row = by_row<lift<Pattern::previous>>},
            false),
    of_pattern({.id = "duplicate",
                .title = "copies of the token",
                .unit = "",
                .formula = "Σ a over earlier keys with the query's token",
                .meaning = "Mean weight on earlier copies of the query's token, where there are some.",
                .source = "Wang et al. 2022, arXiv 2211.00593: duplicate-token heads",
                .example = 0.175,
                .label = "duplicate token",
                .threshold = 0.4,
                .of_row = by_row<mass<Pattern::duplicate>>},
               true),
    of_pattern({.id = "duplicate-baseline",
                .title = "copies of the token: uniform-head baseline",
                .unit = "",
                .formula = "|targets| / |allowed keys|",
                .meaning = "The weight on earlier copies of a head that looks at all keys alike.",
                .source = kEven,
                .example = 0.291667,
                .of_row = by_row<baseline<Pattern::duplicate>>},
               true),
    lift_of({.id = "duplicate-lift",
             .title = "copies of the token: lift over a uniform head",
             .meaning = "How many times as much a head gives earlier copies of the query's token as a uniform head would.",
             .source = kDuplicates,
             .example = 0.6,
             .of_row = by_row<lift<Pattern::duplicate>>},
            true),
    of_pattern({.id = "induction",
                .title = "what followed a copy (induction)",
                .unit = "",
                .formula = "Σ a over keys just after earlier copies of the query's token",
                .meaning = "Mean weight on the tokens that came after earlier copies of the query's token, where there are some.",
                .source = kInduction,
                .example = 0.4,
                .label = "induction",
                .threshold = 0.4,
                .of_row = by_row<mass<Pattern::induction>>},
               true),
    of_pattern({.id = "induction-baseline",
                .title = "what followed a copy: uniform-head baseline",
                .unit = "",
                .formula = "|targets| / |allowed keys|",
                .meaning = "The weight on what followed earlier copies of a head that looks at all keys alike.",
                .source = kEven,
                .example = 0.291667,
                .of_row = by_row<baseline<Pattern::induction>>},
               true),
    lift_of({.id = "induction-lift",
             .title = "what followed a copy: lift over a uniform head",
             .meaning = "How many times as much a head gives what followed earlier copies as a uniform head would.",
             .source = kInduction,
             .example = 1.371429,
             .of_row = by_row<lift<Pattern::induction>>},
            true),
    mul_of({.id = "previous-mul",
            .title = "previous token (mul)",
            .formula = kMul,
            .meaning = "The library's score of the previous token: a perfect head has (tokens − 1) / tokens.",
            .example = 0.325,
            .of_row = by_row<mul<Pattern::previous, false>>},
           false),
    mul_of({.id = "previous-mul-excluding",
            .title = "previous token (mul, excluding)",
            .formula = kMulExcluding,
            .meaning = "The library's score of the previous token without key 0 and the query's own key.",
            .example = 0.842105,
            .of_row = by_row<mul<Pattern::previous, true>>},
           false),
    abs_of({.id = "previous-abs",
            .title = "previous token (abs)",
            .meaning = "The library's other score of the previous token: 1 less how far the map is from the pattern.",
            .example = -0.1,
            .of_row = by_row<abs_score<Pattern::previous>>},
           false),
    mul_of({.id = "duplicate-mul",
            .title = "copies of the token (mul)",
            .formula = kMul,
            .meaning = "The library's score of earlier copies.",
            .example = 0.0875,
            .of_row = by_row<mul<Pattern::duplicate, false>>},
           true),
    mul_of({.id = "duplicate-mul-excluding",
            .title = "copies of the token (mul, excluding)",
            .formula = kMulExcluding,
            .meaning = "The library's score of earlier copies without key 0 and the query's own key.",
            .example = 0.157895,
            .of_row = by_row<mul<Pattern::duplicate, true>>},
           true),
    abs_of({.id = "duplicate-abs",
            .title = "copies of the token (abs)",
            .meaning = "The library's other score of earlier copies.",
            .example = -0.325,
            .of_row = by_row<abs_score<Pattern::duplicate>>},
           true),
    mul_of({.id = "induction-mul",
            .title = "what followed a copy (mul)",
            .formula = kMul,
            .meaning = "The library's score of induction.",
            .example = 0.2,
            .of_row = by_row<mul<Pattern::induction, false>>},
           true),
    mul_of({.id = "induction-mul-excluding",
            .title = "what followed a copy (mul, excluding)",
            .formula = kMulExcluding,
            .meaning = "The library's score of induction without key 0 and the query's own key.",
            .example = 0.842105,
            .of_row = by_row<mul<Pattern::induction, true>>},
           true),
    abs_of({.id = "induction-abs",
            .title = "what followed a copy (abs)",
            .meaning = "The library's other score of induction.",
            .example = -0.1,
            .of_row = by_row<abs_score<Pattern::induction>>},
           true),
};

}  // namespace

Measures pattern_measures() {
  return kPatternRows;
}

}  // namespace headlight
