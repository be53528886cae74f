#include <algorithm>
#include <array>
#include <cstring>

#include "engine/measures/measure_rows.h"
#include "engine/measures/worked_example.h"

namespace headlight {
namespace {

constexpr std::string_view kNoPrevious =
    "no row of two or more allowed keys may attend to the key before it, or queries and keys count different texts";
constexpr std::string_view kNoNeighbour =
    "no row of two or more allowed keys may attend to such a key, or queries and keys count different texts";
constexpr std::string_view kOneText = "no row may attend to two or more keys, or queries and keys count different texts";

double at(const MeasuredRow& row, Index key) {
  return static_cast<double>(row.weights[key]);
}

std::optional<RowValue> mass_at(const MeasuredRow& row, Index offset) {
  const Index key = row.query + offset;
  if (!row.allows(key)) return std::nullopt;
  return RowValue(at(row, key), 1, key);
}

template <Index offset>
std::optional<RowValue> fixed_mass(const MeasuredRow& row) {
  return mass_at(row, offset);
}

std::optional<RowValue> offset_mass(const MeasuredRow& row) {
  return mass_at(row, row.context->settings->offset);
}

std::optional<RowValue> first_token(const MeasuredRow& row) {
  if (row.hides(0)) return std::nullopt;
  return RowValue(at(row, 0), 1, 0);
}

std::optional<RowValue> mean_distance(const MeasuredRow& row) {
  return row_instructions().distance(row.weights.data(), row.weights.size(), static_cast<float>(row.query));
}

std::optional<RowValue> strongest_distance(const MeasuredRow& row) {
  if (std::isnan(row.largest)) return row.largest;
  return static_cast<double>(std::abs(row.query - row.strongest_key()));
}

template <Index offset>
std::optional<RowValue> is_strongest(const MeasuredRow& row) {
  if (!row.allows(row.query + offset)) return std::nullopt;
  if (std::isnan(row.largest)) return row.largest;
  return row.strongest_key() == row.query + offset ? 1.0 : 0.0;
}

/// Some keys are chosen, and all of them were taken out.
bool hides_all_chosen(const MeasuredRow& row) {
  if (row.hidden == nullptr) return false;
  const std::span<const std::uint8_t> chosen = row.context->chosen;
  bool has_any = false;
  for (std::size_t key = 0; key < chosen.size(); ++key) {
    if (chosen[key] == 0) continue;
    if (row.hidden->flags[key] == 0) return false;
    has_any = true;
  }
  return has_any;
}

/// On the chosen keys; a row whose chosen keys are all hidden does not count.
std::optional<RowValue> chosen_mass(const MeasuredRow& row) {
  if (hides_all_chosen(row)) return std::nullopt;
  const std::span<const std::uint8_t> chosen = row.context->chosen;
  double sum = 0;
  Index heaviest = -1;
  const std::uint8_t* const flags = chosen.data();
  const Index count = std::min<Index>(row.weights.size(), std::ssize(chosen));
  const auto next_chosen = [&](Index key) {  // `count`: no other
    const void* const found = key < count ? std::memchr(flags + key, 1, static_cast<std::size_t>(count - key)) : nullptr;
    return found == nullptr ? count : static_cast<const std::uint8_t*>(found) - flags;
  };
  for (Index key = next_chosen(0); key < count; key = next_chosen(key + 1)) {
    sum += at(row, key);
    if (heaviest < 0 || row.weights[key] > row.weights[heaviest]) heaviest = key;
  }
  return RowValue(sum, 1, heaviest);
}

std::optional<RowValue> sink(const MeasuredRow& row) {
  const Index key = row.context->settings->key;
  if (row.query < key || row.hides(key)) return std::nullopt;
  return RowValue(key < row.weights.size() ? at(row, key) : 0.0, 1, key);
}

std::optional<RowValue> far_mass(const MeasuredRow& row) {
  double sum = 0;
  for (Index key = 0; key < row.weights.size(); ++key) {
    if (std::abs(row.query - key) > row.context->settings->distance) sum += at(row, key);
  }
  return sum;
}

std::optional<RowValue> span_mass(const MeasuredRow& row) {
  if (!row.context->settings->queries.contains(row.query)) return std::nullopt;
  double sum = 0;
  const TokenSpan& keys = row.context->settings->span_keys;
  for (Index key = keys.begin; key < std::min<Index>(keys.end, row.weights.size()); ++key) sum += at(row, key);
  return sum;
}

constexpr std::array kPositionRows{
    Measure{.id = "previous-token",
            .title = "previous token",
            .unit = "",
            .formula = "a[query − 1]",
            .meaning = "Mean weight on the key just before the query.",
            .source = "Clark et al. 2019, arXiv 1906.04341, over the rows that have such a key",
            .undefined = kNoPrevious,
            .example = 0.433333,
            .needs_one_text = true,
            .place = MeasurePlace::pointer,
            .label = "previous token",
            .threshold = 0.5,
            .of_row = by_row<fixed_mass<-1>>},
    Measure{.id = "first-token",
            .title = "first token",
            .unit = "",
            .formula = "a[0]",
            .meaning = "Mean weight on key 0.",
            .source = "Xiao et al. 2023, arXiv 2309.17453",
            .undefined = kNoRow,
            .example = 0.266667,
            .place = MeasurePlace::pointer,
            .of_row = by_row<first_token>},
    Measure{.id = "mean-distance",
            .title = "mean distance",
            .unit = "tokens",
            .formula = "Σ a · |query − key|",
            .meaning = "Mean of |query − key|, in tokens.",
            .source = "Vig and Belinkov 2019, arXiv 1906.04284",
            .high = kUnbounded,
            .limit = "the text's tokens − 1",
            .undefined = kOneText,
            .example = 0.766667,
            .needs_one_text = true,
            .place = MeasurePlace::card,
            .of_row = by_row<mean_distance>},
    Measure{.id = "self-token",
            .title = "the query's own token",
            .unit = "",
            .formula = "a[query]",
            .meaning = "Mean weight on the key at the query's own position.",
            .source = "Clark et al. 2019, arXiv 1906.04341, over the rows that have such a key",
            .undefined = kNoNeighbour,
            .example = 0.416667,
            .needs_one_text = true,
            .label = "own token",
            .threshold = 0.5,
            .of_row = by_row<fixed_mass<0>>},
    Measure{.id = "next-token",
            .title = "next token",
            .unit = "",
            .formula = "a[query + 1]",
            .meaning = "Mean weight on the key just after the query.",
            .source = "Clark et al. 2019, arXiv 1906.04341, over the rows that have such a key",
            .undefined = kNoNeighbour,
            .example_on = kTurnedRound,
            .example = 0.433333,
            .needs_one_text = true,
            .label = "next token",
            .threshold = 0.5,
            .of_row = by_row<fixed_mass<1>>},
    Measure{.id = "offset",
            .title = "weight at an offset",
            .unit = "",
            .formula = "a[query + o]",
            .meaning = "Mean weight on the key that lies o positions after the query, or before it where o is negative.",
            .source = "Clark et al. 2019, arXiv 1906.04341, for any offset and over the rows that have such a key",
            .undefined = kNoNeighbour,
            .example_parameter = "-2",
            .example = 0.175,
            .need = MeasureNeed::offset,
            .needs_one_text = true,
            .of_row = by_row<offset_mass>},
    Measure{.id = "positional-previous",
            .title = "strongest key is the previous",
            .unit = "",
            .formula = "1 if argmax a = query − 1, else 0",
            .meaning = "Share of the queries whose strongest key is the one just before.",
            .source = "Voita et al. 2019, arXiv 1905.09418: a positional head is one of 0.9 or more",
            .undefined = kNoPrevious,
            .example = 2.0 / 3,
            .needs_one_text = true,
            .label = "positional, previous",
            .threshold = 0.9,
            .of_row = by_row<is_strongest<-1>>},
    Measure{.id = "positional-next",
            .title = "strongest key is the next",
            .unit = "",
            .formula = "1 if argmax a = query + 1, else 0",
            .meaning = "Share of the queries whose strongest key is the one just after.",
            .source = "Voita et al. 2019, arXiv 1905.09418: a positional head is one of 0.9 or more",
            .undefined = kNoNeighbour,
            .example_on = kTurnedRound,
            .example = 1.0 / 3,
            .needs_one_text = true,
            .label = "positional, next",
            .threshold = 0.9,
            .of_row = by_row<is_strongest<1>>},
    Measure{.id = "argmax-distance",
            .title = "distance of the strongest key",
            .unit = "tokens",
            .formula = "|query − argmax a|",
            .meaning = "How far away the strongest key of a query is, on average.",
            .source = "Michel et al. 2019, arXiv 1905.10650, in their code",
            .high = kUnbounded,
            .limit = "the text's tokens − 1",
            .undefined = kOneText,
            .example = 2.0 / 3,
            .needs_one_text = true,
            .of_row = by_row<strongest_distance>},
    Measure{.id = "beyond-distance",
            .title = "weight beyond a distance",
            .unit = "",
            .formula = "Σ a over keys with |query − key| > d",
            .meaning = "How much of the attention goes farther than d tokens.",
            .source = "after the attention distance of Vig and Belinkov 2019, arXiv 1906.04284",
            .undefined = kOneText,
            .example_parameter = "1",
            .example = 0.15,
            .need = MeasureNeed::distance,
            .needs_one_text = true,
            .of_row = by_row<far_mass>},
    Measure{.id = "key-set",
            .title = "weight on a set of keys",
            .unit = "",
            .formula = "Σ a over the set",
            .meaning = "How much of the attention goes to chosen keys, such as special tokens or punctuation.",
            .source = "Clark et al. 2019, arXiv 1906.04341, with one rule for all sets; their threshold for special tokens is 0.6",
            .undefined = kNoRow,
            .example_parameter = "first-token+2",
            .example = 0.6,
            .need = MeasureNeed::keys,
            .of_row = by_row<chosen_mass>},
    Measure{.id = kHiddenMass,
            .title = "hidden weight",
            .unit = "",
            .formula = "Σ a over the keys that are taken out",
            .meaning = "What a measure without some keys leaves out: their share of the attention before they were taken out.",
            .source = "beside every measure without the first token: in GPT-2-like models that holds most of the attention",
            .undefined = kNoRow,
            .example_parameter = "first-token",
            .example = 0.266667,
            .need = MeasureNeed::keys,
            .of_row = by_row<chosen_mass>},
    Measure{.id = "sink",
            .title = "sink metric",
            .unit = "",
            .formula = "a[k], over all rows from k on",
            .meaning = "What key k gets from every query at or after it, its own included. Short texts inflate it.",
            .source = "Gu et al. 2024, arXiv 2410.10781; they count heads above 0.3 at 64 tokens",
            .undefined = "the text has no such position",
            .example_parameter = "0",
            .example = 0.45,
            .need = MeasureNeed::key,
            .needs_one_text = true,
            .rows = MeasuredRows::every,
            .of_row = by_row<sink>},
    Measure{.id = "span-weight",
            .title = "weight from span to span",
            .unit = "",
            .formula = "Σ a over keys of T, for queries of S",
            .meaning = "How much of the attention of one span of tokens goes to another.",
            .source = "Clark et al. 2019, arXiv 1906.04341, for the two sentences of a pair; here for any two spans",
            .undefined = "no query of the span may attend to two or more keys",
            .example_parameter = "2-3/0-1",
            .example = 0.375,
            .need = MeasureNeed::spans,
            .of_row = by_row<span_mass>},
};

}  // namespace

Measures position_measures() {
  return kPositionRows;
}

}  // namespace headlight
