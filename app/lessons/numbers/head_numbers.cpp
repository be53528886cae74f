// Live numbers of one head's map.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/lessons/numbers/number_functions.h"
#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/labs/three_attempts.h"
#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

/// A head's map and the row and keys that a number names.
struct AskedRow {
  const HeadMaps& maps;
  Index query = 0;
  PlacedTokens keys = {};
};

AskedRow asked_row(const NumberAsked& asked) {
  const Snapshot& run = *asked.run;
  const HeadId head = asked.number.head;
  check_head(head, run);
  AskedRow row{.maps = asked.memory.maps_of(asked.run, head, asked.progress)};
  if (!asked.number.places.empty()) row.query = row_of_word(asked.number.places[0], run, head.layer);
  if (asked.number.places.size() > 1) row.keys = tokens_at(asked.number.places[1], run, run.key_tokens(head.layer));
  return row;
}

/// A score belongs to one token, not to several.
Index only_key(const NumberAsked& asked, const AskedRow& row) {
  if (row.keys.first == row.keys.last) return row.keys.first;
  throw Error({.kind = ErrorKind::input,
               .problem = "a word of several tokens has several scores",
               .found = in_quotes(to_text(asked.number.places[1])),
               .expected = fmt::format("one of its tokens, @{} to @{}", row.keys.first, row.keys.last)});
}

Index top_key(const AskedRow& row) {
  Index key = 0;
  row.maps.weights.row(row.query).maxCoeff(&key);
  return key;
}

/// A row in which nothing may be attended to has no largest weight.
std::string why_no_top(const AskedRow& row) {
  const bool is_masked = row.maps.is_row_masked[static_cast<std::size_t>(row.query)];
  return is_masked ? "the mask forbids every key of this row" : "";
}

}  // namespace

NumberReading read_weight(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  double sum = 0;
  for (Index key = row.keys.first; key <= row.keys.last; ++key) sum += static_cast<double>(row.maps.weights(row.query, key));
  return {.value = sum};
}

NumberReading read_score(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = static_cast<double>(row.maps.final_score(row.query, only_key(asked, row)))};
}

NumberReading read_product(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = static_cast<double>(row.maps.scores(row.query, only_key(asked, row)))};
}

NumberReading read_allowed(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = static_cast<double>(row.maps.mask->allowed_in_row(row.query))};
}

NumberReading read_row_sum(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = row.maps.weights.row(row.query).cast<double>().sum()};
}

NumberReading read_entropy(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = row_instructions().entropy(row.maps.weights.row(row.query).data(), row.maps.weights.cols())};
}

NumberReading read_top(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  const Index key = top_key(row);
  const Encoding& keys = asked.run->key_tokens(asked.number.head.layer);
  return {.value = static_cast<double>(key),
          .word = asked.run->label(keys, keys.tokens[static_cast<std::size_t>(key)]).text,
          .reason = why_no_top(row)};
}

NumberReading read_top_weight(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  return {.value = static_cast<double>(row.maps.weights(row.query, top_key(row))), .reason = why_no_top(row)};
}

NumberReading read_measure(const NumberAsked& asked) {
  const HeadId head = asked.number.head;
  check_head(head, *asked.run);
  const MeasureRequest& request = *asked.number.measure;
  for (const HeadValues& found : asked.memory.measured(asked.run, head.layer, request, asked.progress)) {
    if (found.head != head) continue;
    const std::string reason = std::isnan(found.values[0]) ? fmt::format("{} is undefined here", title_of(request)) : std::string();
    return {.value = found.values[0], .reason = reason};
  }
  return {.value = std::nan(""), .reason = "the head was not measured"};
}

NumberReading read_asymmetry(const NumberAsked& asked) {
  const AskedRow row = asked_row(asked);
  if (row.maps.scores.rows() != row.maps.scores.cols()) {
    return {.value = std::nan(""), .reason = "queries and keys are those of different texts"};
  }
  return {.value = static_cast<double>(measure_asymmetry(row.maps.scores, row.maps.weights).relative_scores)};
}

}  // namespace headlight
