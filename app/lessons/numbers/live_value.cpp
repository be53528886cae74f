#include "app/lessons/numbers/live_value.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/formats/json.h"
#include "engine/targets/watched.h"
#include "engine/text/words.h"

namespace headlight {
namespace {

constexpr int kRoomDigits = 2, kMostDigits = 5;  // after the point
constexpr int kPercentDigits = 2;                // fewer where a share is written in hundredths

[[noreturn]] void refuse_place(std::string problem, std::string found, std::string expected = {}) {
  throw Error({.kind = ErrorKind::input, .problem = std::move(problem), .found = std::move(found), .expected = std::move(expected)});
}

std::shared_ptr<const Snapshot> make_run(const NumberRun& which, const LessonRuns& runs) {
  Query query = runs.shown->query;
  if (which.is_before) query = unedited_query(query);
  if (which.without) {
    check_head(*which.without, *runs.shown);
    query.switched_off.push_back(*which.without);
    std::sort(query.switched_off.begin(), query.switched_off.end());
    query.switched_off.erase(std::unique(query.switched_off.begin(), query.switched_off.end()), query.switched_off.end());
  }
  return query == runs.shown->query ? runs.shown : runs.pipeline.run(query, runs.progress);
}

NumberReading reading_of(const LiveNumber& number, const NumberRun& which, const LessonRuns& runs) {
  const std::shared_ptr<const Snapshot>& run = runs.memory->runs.get(which, [&] { return make_run(which, runs); });
  return number.row->read({run, number, *runs.memory, runs.pipeline.pool(), runs.progress});
}

std::string count_text(double value) {
  return (value < 0 ? "−" : "") + grouped(std::llround(std::abs(value)));
}

NumberFormat format_of(const LiveNumber& number) {
  switch (number.row->format) {
    case NumberFormat::measure: {
      const Measure& measure = *number.measure->measure;
      return measure.unit.empty() && measure.low == 0 && measure.high == 1 ? NumberFormat::share : NumberFormat::number;
    }
    case NumberFormat::target:
      return number.target.kind == TargetKind::prob ? NumberFormat::share : NumberFormat::number;
    default:
      return number.row->format;
  }
}

/// Two digits after the point, or as many as it takes to be more than 0; what float32 leaves of a 0 is 0. `fewer`: digits less, either way.
std::string rounded(double value, std::string (*form)(double, int), int fewer = 0) {
  for (int digits = kRoomDigits - fewer; digits <= kMostDigits - fewer; ++digits) {
    std::string text = form(value, digits);
    if (text.find_first_of("123456789") != std::string::npos) return text;
  }
  return form(0, kRoomDigits - fewer);
}

std::string text_of(const LiveNumber& number, double value) {
  const NumberFormat format = format_of(number);
  if (number.is_change) {
    if (format == NumberFormat::share) {
      const std::string points = rounded(value * 100, signed_number_text, kPercentDigits);
      return points + (points == "+1" || points == "−1" ? " point" : " points");
    }
    if (format == NumberFormat::count) return value > 0 ? "+" + count_text(value) : count_text(value);
    return rounded(value, signed_number_text);
  }
  if (format == NumberFormat::share) return percent_text(value);
  return format == NumberFormat::count ? count_text(value) : rounded(value, number_text);
}

LiveValue undefined(std::string reason) {
  return {.value = std::nan(""), .text = "–", .exact = "–", .reason = std::move(reason)};
}

LiveValue read_value(const LiveNumber& number, const LessonRuns& runs) {
  const NumberRun compared{.is_before = number.run == NumberRun{} || number.run.is_before};
  const NumberReading reading = reading_of(number, number.run, runs);
  if (!reading.reason.empty()) return undefined(reading.reason);
  if (!reading.word.empty()) return {.value = reading.value, .text = reading.word, .exact = reading.word};
  double value = reading.value;
  if (number.is_change) {
    const NumberReading other = reading_of(number, compared, runs);
    if (!other.reason.empty()) return undefined(other.reason);
    value -= other.value;
  }
  if (std::isnan(value)) return undefined("the result is not a number");
  return {.value = value, .text = text_of(number, value), .exact = fmt::format("{:.6g}", value)};
}

}  // namespace

LiveValue value_of(const LiveNumber& number, const LessonRuns& runs) {
  try {
    return read_value(number, runs);
  } catch (const Error& error) {
    if (!is_fault_of_lesson(error)) throw;
    ErrorDetail detail = error.detail();
    detail.kind = ErrorKind::input;
    detail.field = fmt::format("{{{}}}", number.text);
    throw Error(std::move(detail));
  }
}

bool is_fault_of_lesson(const Error& error) {
  return error.kind() == ErrorKind::input || error.kind() == ErrorKind::usage;
}

void check_head(HeadId head, const Snapshot& run) {
  if (run.contains(head)) return;
  refuse_place("the model has no such head", short_name(head),
               fmt::format("layers 0 to {}, heads 0 to {}", run.layers() - 1, run.heads() - 1));
}

PlacedTokens tokens_at(const WordPlace& place, const Snapshot& run, const Encoding& encoding) {
  const Index count = std::ssize(encoding.tokens);
  if (place.position) {
    if (*place.position >= count) refuse_place("the text has no such position", to_text(place), fmt::format("@0 to @{}", count - 1));
    return {*place.position, *place.position};
  }
  if (const std::optional<TokenRange> range = tokens_of_word(encoding, place.word, place.occurrence)) return {range->begin, range->end - 1};
  int occurrence = place.occurrence;  // of a token that was added, such as [CLS]
  for (Index token = 0; token < count; ++token) {
    const Token& each = encoding.tokens[static_cast<std::size_t>(token)];
    if (each.is_special && run.label(encoding, each).text == place.word && --occurrence == 0) return {token, token};
  }
  refuse_place("the text does not contain this word", in_quotes(to_text(place)), "a word of " + in_quotes(encoding.text));
}

Index row_of_word(const WordPlace& place, const Snapshot& run, int layer) {
  check_head({layer, 0}, run);
  return tokens_at(place, run, run.query_tokens(layer)).last;
}

}  // namespace headlight
