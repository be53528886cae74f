#include "engine/measures/head_label.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/numbers.h"

namespace headlight {

namespace {

bool hides_first_token(const MeasureRequest& request) {
  if (!request.without) return false;
  const auto& hidden = request.without->positions;
  return std::find(hidden.begin(), hidden.end(), 0) != hidden.end();
}

}  // namespace

std::string draws_text(std::int64_t draws) {
  return fmt::format("{} draw{} of random tokens", grouped(draws), draws == 1 ? "" : "s");
}

std::string HeadLabel::text() const {
  std::string on = is_drawn ? draws_text(texts) : texts == 1 ? "1 text" : fmt::format("{} texts", grouped(texts));
  if (!of.empty() && !is_drawn) on += " of " + printable(of, 60);
  if (rows > 0) on += rows == 1 ? ", 1 query" : fmt::format(", {} queries", grouped(rows));
  if (texts == 1) on += ": a hint, not a finding";
  return fmt::format("{}: {} (threshold {}, {})", name, weight_text(score), threshold, on);
}

std::string label_name(const MeasureRequest& request) {
  return std::string(request.measure->label) + without_words(request);
}

std::optional<HeadLabel> label_of(const MeasureRequest& request, double score, std::int64_t texts, Index rows) {
  const Measure& measure = *request.measure;
  if (measure.of_row != nullptr && !hides_first_token(request)) return std::nullopt;
  if (measure.label.empty() || !(score >= measure.threshold)) return std::nullopt;
  return HeadLabel{label_name(request), score, measure.threshold, texts, rows, is_of_drawn_tokens(measure.need), {}};
}

}  // namespace headlight
