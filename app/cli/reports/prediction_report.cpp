#include "app/cli/reports/prediction_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

OrderedJson token_json(const LikelyToken& likely, const Tokenizer& tokenizer) {
  return {{"id", likely.id},
          {"token", tokenizer.token_of(likely.id).value_or("")},
          {"probability", likely.probability},
          {"logit", likely.logit},
          {"rank", likely.rank}};
}

/// "after" in causal models, "at" in masked ones.
const char* place_word(const Snapshot& snapshot) {
  return predicted_place(snapshot.model->config) == PredictedPlace::next ? "after" : "at";
}

}  // namespace

OrderedJson prediction_json(const Prediction& prediction, const Snapshot& snapshot) {
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  const Token& token = predicted_text(snapshot).tokens[static_cast<std::size_t>(prediction.position)];
  OrderedJson report = {{"position", prediction.position}, {"token", token.text}};
  report["entropy"] = std::isfinite(prediction.entropy) ? OrderedJson(prediction.entropy) : OrderedJson();
  report["likeliest"] = OrderedJson::array();
  for (const LikelyToken& likely : prediction.likeliest) report["likeliest"].push_back(token_json(likely, tokenizer));
  if (prediction.actual) report["actual"] = token_json(*prediction.actual, tokenizer);
  return report;
}

std::string prediction_table(const PredictionsFound& found) {
  const bool is_next = predicted_place(found.request.snapshot->model->config) == PredictedPlace::next;
  std::string text;
  for (std::size_t at = 0; at < found.predictions.size(); ++at) {
    const Prediction& prediction = found.predictions[at];
    text += fmt::format("{}{} {} \"{}\", ", at == 0 ? "" : "\n", is_next ? "after" : "at", prediction.position,
                        printable(found.tokens[at], 60));
    text += prediction.likeliest.empty() ? "the logits are not numbers: there is nothing to rank\n"
                                         : fmt::format("entropy {:.4f} nats\n", prediction.entropy);
    for (std::size_t rank = 0; rank < prediction.likeliest.size(); ++rank) {
      const LikelyToken& likely = prediction.likeliest[rank];
      text += fmt::format("{:4}  {:>8}  {:9.4f}  {:6}  {}\n", rank, weight_text(likely.probability, 6), likely.logit, likely.id,
                          printable(found.labels[at][rank], 60));
    }
    if (prediction.actual) {
      text += fmt::format("  {} \"{}\": {}, {}\n", is_next ? "the text continues with" : "the text has",
                          printable(found.tokens[at + (is_next ? 1 : 0)], 60), weight_text(prediction.actual->probability, 6),
                          choice_text(prediction.actual->rank));
    }
  }
  return text;
}

ComparedPredictions compare_predictions(const std::shared_ptr<const Snapshot>& now, const std::shared_ptr<const Snapshot>& before,
                                        const PredictionSpan& span, ThreadPool& pool, Progress& progress) {
  ComparedPredictions found{find_predictions(now, span, pool, progress), find_predictions(before, span, pool, progress), {}, {}};
  std::vector<std::vector<std::int64_t>> ids;
  for (std::size_t at = 0; at < found.now.predictions.size(); ++at) {
    std::vector<std::int64_t>& listed = ids.emplace_back();
    for (const PredictionsFound* each : {&found.now, &found.before}) {
      for (const LikelyToken& likely : each->predictions[at].likeliest) {
        if (std::find(listed.begin(), listed.end(), likely.id) == listed.end()) listed.push_back(likely.id);
      }
    }
  }
  const auto chosen = [&](const Snapshot& run) {
    return predict_chosen(*run.model, *run.trace.final_hidden.whole(), ids, span, pool, progress);
  };
  found.tokens_now = chosen(*now);
  found.tokens_before = chosen(*before);
  return found;
}

std::string compared_table(const ComparedPredictions& found) {
  const Snapshot& snapshot = *found.now.request.snapshot;
  std::string text;
  for (std::size_t at = 0; at < found.tokens_now.size(); ++at) {
    const Prediction &now = found.now.predictions[at], &before = found.before.predictions[at];
    text += fmt::format("{}{} {} \"{}\", entropy {} nats before the edits, {} with them\n", at == 0 ? "" : "\n", place_word(snapshot),
                        now.position, printable(found.now.tokens[at], 60), number_text(before.entropy, 4), number_text(now.entropy, 4));
    text += "rank    before      with    change      id  token\n";
    for (std::size_t token = 0; token < found.tokens_now[at].size(); ++token) {
      const LikelyToken &is = found.tokens_now[at][token], &was = found.tokens_before[at][token];
      text += fmt::format("{:4}  {:>8}  {:>8}  {:>8}  {:6}  {}\n", is.rank, weight_text(was.probability, 6), weight_text(is.probability, 6),
                          number_text(is.probability - was.probability, 5), is.id,
                          printable(listed_token(*snapshot.model->tokenizer, is.id), 60));
    }
  }
  return text;
}

OrderedJson compared_json(const ComparedPredictions& found) {
  const Snapshot& snapshot = *found.now.request.snapshot;
  const auto number = [](double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(); };
  OrderedJson report = OrderedJson::array();
  for (std::size_t at = 0; at < found.tokens_now.size(); ++at) {
    OrderedJson position = prediction_json(found.now.predictions[at], snapshot);
    position["compared"] = OrderedJson::array();
    for (std::size_t token = 0; token < found.tokens_now[at].size(); ++token) {
      const LikelyToken &is = found.tokens_now[at][token], &was = found.tokens_before[at][token];
      position["compared"].push_back({{"id", is.id},
                                      {"token", snapshot.model->tokenizer->token_of(is.id).value_or("")},
                                      {"unedited", number(was.probability)},
                                      {"edited", number(is.probability)},
                                      {"change", number(is.probability - was.probability)},
                                      {"unedited_rank", was.rank},
                                      {"edited_rank", is.rank}});
    }
    report.push_back(std::move(position));
  }
  return report;
}

std::string lens_table(const Snapshot& snapshot, const std::vector<LensLayer>& layers) {
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  const std::vector<Token>& tokens = predicted_text(snapshot).tokens;
  std::size_t width = 0;
  for (const LensLayer& layer : layers) width = std::max(width, lens_label(snapshot, layer.layer).size());
  std::string text;
  for (std::size_t at = 0; !layers.empty() && at < layers.front().predictions.size(); ++at) {
    const Index position = layers.front().predictions[at].position;
    text += fmt::format("{}{} {} \"{}\", as each layer would say it\n", at == 0 ? "" : "\n", place_word(snapshot), position,
                        printable(listed_token(tokenizer, tokens[static_cast<std::size_t>(position)].id), 60));
    for (const LensLayer& layer : layers) {
      text += fmt::format("{:{}}", lens_label(snapshot, layer.layer), width);
      for (const LikelyToken& likely : layer.predictions[at].likeliest) {
        text += fmt::format("  {} {}", printable(listed_token(tokenizer, likely.id), 40), weight_text(likely.probability));
      }
      text += layer.predictions[at].likeliest.empty() ? "  the logits are not numbers\n" : "\n";
    }
  }
  return text.append(kLensCaveat).append("\n");
}

OrderedJson lens_json(const Snapshot& snapshot, const std::vector<LensLayer>& layers) {
  OrderedJson report = OrderedJson::array();
  for (const LensLayer& layer : layers) {
    OrderedJson each = {{"layer", layer.layer < 0 ? OrderedJson() : OrderedJson(layer.layer)}, {"name", lens_label(snapshot, layer.layer)}};
    each["predictions"] = OrderedJson::array();
    for (const Prediction& prediction : layer.predictions) each["predictions"].push_back(prediction_json(prediction, snapshot));
    report.push_back(std::move(each));
  }
  return report;
}

}  // namespace headlight
