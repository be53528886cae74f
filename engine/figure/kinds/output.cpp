// What the model predicts at the positions of a text.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"
#include "engine/figure/predictions/predictions_figure.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

/// Predictions of a request, and what a baseline predicted there.
struct Predicted {
  Index chosen = 0;
  std::shared_ptr<const PredictionsFound> found;
  std::optional<PredictionChanges> changes;
  std::string problem;  ///< why there are none though there is a baseline
};

Predicted predicted(const Snapshot& snapshot, const FigureRequest& request) {
  const OutputRequest& output = request.output;
  ThreadPool pool;
  SilentProgress silent;
  Predicted result{.chosen = output.position.value_or(asked_position(snapshot)), .found = {}, .changes = {}, .problem = {}};
  PredictionSpan span = output.count > 0 ? PredictionSpan{output.first, output.count, output.listed} : span_with(snapshot, result.chosen);
  span.likeliest = output.listed;
  const std::shared_ptr<const Snapshot> run(std::shared_ptr<const Snapshot>(), &snapshot);  // which outlives what is found
  result.found = std::make_shared<const PredictionsFound>(find_predictions(run, span, pool, silent));
  if (!request.baseline) return result;
  result.problem = why_not_subtracted(snapshot, *request.baseline);
  if (!result.problem.empty()) return result;
  result.changes = find_changes({result.found, request.baseline}, pool, silent);
  if (result.changes->problem.empty()) return result;
  result.problem = result.changes->problem;
  result.changes.reset();
  return result;
}

/// What Δ is.
std::string change_notes(const Snapshot& snapshot, const Snapshot& before) {
  return before.query == unedited_query(snapshot.query) ? " · Δ: now − before, the run without edits" : " · Δ: now − before";
}

std::string notes_of_output(const Snapshot& snapshot, const FigureRequest& request, const Predicted& predicted) {
  const bool is_next = predicted_place(snapshot.model->config) == PredictedPlace::next;
  const PredictionRequest& shown = predicted.found->request;
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  std::string notes = is_next ? "what is expected after each token, and the probability of the one that follows"
                              : "what is expected at each position, and the probability of the token there";
  if (shown.count < tokens) notes += fmt::format(" · positions {} to {} of {}", shown.first, shown.first + shown.count - 1, tokens);
  if (predicted.changes) notes += change_notes(snapshot, *request.baseline);
  if (predicted.changes && predicted.changes->tokens != predicted.found->tokens)
    notes += " · the texts differ: word now / word before, Δ is of the words as they are now";
  if (!predicted.problem.empty()) notes += " · no Δ: " + predicted.problem;
  return notes + " · " + notes_of_numbers(snapshot);
}

Scene make_output(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kOutputWidth = 880;
  const Predicted numbers = predicted(snapshot, request);
  const float room = room_across(request.page), least = numbers.changes ? kLeastChangesWidth : kLeastListWidth;
  const float width = room > 0 ? std::max(room, least) : kOutputWidth;
  Page page({snapshot.model->name + " · predictions", sentence_of(snapshot)}, request.style, request.page, width, measure);
  const std::string notes = notes_of_output(snapshot, request, numbers);
  const PredictionsFigureRequest figure{.found = *numbers.found,
                                        .changes = numbers.changes ? &*numbers.changes : nullptr,
                                        .place = predicted_place(snapshot.model->config),
                                        .chosen = numbers.chosen,
                                        .theme = request.style.theme,
                                        .at = {page.left(), page.top()},
                                        .width = width,
                                        .height = page.room_below(notes)};
  const PredictionsFigure drawn = make_predictions_figure(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(notes);
}

std::string output_caption(const Snapshot& snapshot, const FigureRequest& request) {
  const bool is_next = predicted_place(snapshot.model->config) == PredictedPlace::next;
  const Index position = request.output.position.value_or(asked_position(snapshot));
  return fmt::format("The predictions, and the likeliest tokens {} position {}{}", is_next ? "after" : "at", position,
                     request.baseline ? ", beside those before" : "");
}

/// The words of a token as they are, without marks for people.
std::string plain_token(const Snapshot& snapshot, const LikelyToken& likely) {
  return snapshot.model->tokenizer->token_of(likely.id).value_or("");
}

/// A line for every listed token of every position, and one for the token that the text has where that is not listed.
NumberList predicted_tokens(const Snapshot& snapshot, const FigureRequest& request) {
  const Predicted numbers = predicted(snapshot, request);
  const bool is_next = predicted_place(snapshot.model->config) == PredictedPlace::next;
  const Encoding& text = predicted_text(snapshot);
  NumberList list{is_next ? "probabilities of the token after each position" : "probabilities of the token at each position",
                  {"position", "token", "rank", "id", "predicted", "logit", "probability", "is_actual"},
                  {}};
  if (numbers.changes) list.columns.emplace_back("probability_before");
  for (std::size_t place = 0; place < numbers.found->predictions.size(); ++place) {
    const Prediction& prediction = numbers.found->predictions[place];
    const PositionChanges* changes = numbers.changes ? &numbers.changes->positions[place] : nullptr;
    const std::string token = snapshot.label(text.tokens[static_cast<std::size_t>(prediction.position)]).text;
    const auto add = [&](const LikelyToken& likely, const TokenChange* change) {
      const bool is_actual = prediction.actual && prediction.actual->id == likely.id;
      list.lines.push_back({std::int64_t{prediction.position}, token, std::int64_t{likely.rank}, likely.id, plain_token(snapshot, likely),
                            likely.logit, likely.probability, std::int64_t{is_actual}});
      if (changes) list.lines.back().emplace_back(change->before.probability);
    };
    bool is_listed = false;
    for (std::size_t rank = 0; rank < prediction.likeliest.size(); ++rank) {
      add(prediction.likeliest[rank], changes ? &changes->listed[rank] : nullptr);
      is_listed = is_listed || (prediction.actual && prediction.actual->id == prediction.likeliest[rank].id);
    }
    if (prediction.actual && !is_listed) add(*prediction.actual, changes ? &*changes->actual : nullptr);
    for (const TokenChange& lost : changes ? changes->lost : std::vector<TokenChange>()) {
      if (!prediction.actual || prediction.actual->id != lost.now.id) add(lost.now, &lost);
    }
  }
  return list;
}

}  // namespace

constexpr FigureKind kOutputFigure = {
    .name = "output",
    .noun = "a list of predictions",
    .what = "what the model predicts at each position, before edits and after",
    .file_name = "output",
    .needs = {.has_output = true},
    .caption = output_caption,
    .scene = make_output,
    .numbers = {.list = predicted_tokens},
    .endings = kTableEndings,
};

}  // namespace headlight
