#include "engine/measures/head_label.h"

#include <fmt/core.h>

#include "engine/core/numbers.h"

namespace headlight {

std::string draws_text(std::int64_t draws) {
  return fmt::format("{} draw{} of random tokens", draws, draws == 1 ? "" : "s");
}

std::string HeadLabel::text() const {
  std::string on = is_drawn ? draws_text(texts) : texts == 1 ? "1 text" : fmt::format("{} texts", texts);
  if (rows > 0) on += rows == 1 ? ", 1 query" : fmt::format(", {} queries", rows);
  if (texts == 1) on += ": a hint, not a finding";
  return fmt::format("{}: {} (threshold {}, {})", name, weight_text(score), threshold, on);
}

std::optional<HeadLabel> label_of(const MeasureRequest& request, double score, std::int64_t texts, Index rows) {
  const Measure& measure = *request.measure;
  if (measure.label.empty() || !(score >= measure.threshold)) return std::nullopt;
  std::string name(measure.label);
  if (const std::string title = title_of(request); request.without) name += title.substr(title.rfind(" without "));  // as headings have it
  return HeadLabel{std::move(name), score, measure.threshold, texts, rows, is_of_drawn_tokens(measure.need)};
}

}  // namespace headlight
