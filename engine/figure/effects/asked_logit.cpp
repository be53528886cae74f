#include "engine/figure/effects/asked_logit.h"

#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

Watched watched_in(const Snapshot& snapshot, const Target& target) {
  return watch_text(target, {*snapshot.model, predicted_text(snapshot).tokens});
}

[[noreturn]] void refuse(std::string problem) {
  throw Error({.kind = ErrorKind::usage, .field = "figure", .problem = std::move(problem)});
}

}  // namespace

std::optional<LogitQuestion> logit_of(const Target& target, const Snapshot& run) {
  if (!is_of_logit(target.kind)) return std::nullopt;
  const Watched watched = watched_in(run, target);
  if (!watched.problem.empty() || watched.rows.empty()) return std::nullopt;
  LogitQuestion question{watched.rows.front(), watched.token, {}};
  if (watched.other >= 0) question.against = watched.other;
  return question;
}

std::string why_no_logit(const Snapshot& snapshot, const EffectsRequest& request) {
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  if (!request.target) {
    const bool is_there = !request.position || (*request.position >= 0 && *request.position < tokens);
    return is_there ? "" : fmt::format("there is no position {}: the text has 0 to {}", *request.position, tokens - 1);
  }
  if (!is_of_logit(request.target->kind))
    return fmt::format("this figure is of one logit, or of the difference of two, not of the {}", describe_target(*request.target));
  return watched_in(snapshot, *request.target).problem;
}

LogitQuestion asked_logit(const Snapshot& snapshot, const EffectsRequest& request, ThreadPool& pool, Progress& progress) {
  if (request.target) {
    const std::optional<LogitQuestion> question = logit_of(*request.target, snapshot);
    if (!question) refuse(why_no_logit(snapshot, request));
    return *question;
  }
  const Index position = request.position.value_or(asked_position(snapshot));
  const std::vector<Prediction> found = predict_tokens(*snapshot.model, *snapshot.trace.final_hidden.whole(),
                                                       predicted_text(snapshot).tokens, {position, 1, 1}, pool, progress);
  if (found.front().likeliest.empty()) refuse("the logits of this position are not numbers");
  return {position, found.front().likeliest.front().id, {}};
}

std::string LogitWords::tokens() const {
  return against.empty() ? fmt::format("“{}”", token) : fmt::format("“{}” − “{}”", token, against);
}

std::string LogitWords::where() const {
  return fmt::format("{} “{}” ({})", is_next ? "after" : "at", place, position);
}

LogitWords words_of(const Snapshot& snapshot, const LogitQuestion& question) {
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  const Token& token = predicted_text(snapshot).tokens[static_cast<std::size_t>(question.position)];
  return {.token = vocabulary_label(tokenizer, question.token),
          .against = question.against ? vocabulary_label(tokenizer, *question.against) : "",
          .place = vocabulary_label(tokenizer, token.id),
          .position = question.position,
          .is_next = predicted_place(snapshot.model->config) == PredictedPlace::next};
}

}  // namespace headlight
