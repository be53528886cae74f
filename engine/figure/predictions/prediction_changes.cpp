#include "engine/figure/predictions/prediction_changes.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight {
namespace {

using Ids = std::vector<std::vector<std::int64_t>>;

/// The listed tokens of each position, and after them the word that is there.
Ids ids_of(const std::vector<Prediction>& predictions) {
  Ids ids;
  for (const Prediction& prediction : predictions) {
    std::vector<std::int64_t>& here = ids.emplace_back();
    for (const LikelyToken& likely : prediction.likeliest) here.push_back(likely.id);
    if (prediction.actual) here.push_back(prediction.actual->id);
  }
  return ids;
}

/// Reports 0…1 of itself as [from, to] of all predictions.
class ShareOfWork final : public Progress {
 public:
  ShareOfWork(Progress& whole, double from, double to) : whole_(whole), from_(from), to_(to) {}
  void step(double done, std::string_view what) override { whole_.step(from_ + done * (to_ - from_), what); }
  void check() override { whole_.check(); }

 private:
  Progress& whole_;
  const double from_, to_;
};

/// How many tokens a position lists.
std::size_t listed_in(const std::vector<Prediction>& predictions) {
  std::size_t most = 0;
  for (const Prediction& prediction : predictions) most = std::max(most, prediction.likeliest.size());
  return most > 0 ? most : kListedPredictions;
}

/// Whether the ids mean the same tokens to both models.
bool has_same_vocabulary(const Model& now, const Model& before, const Ids& ids) {
  if (now.tokenizer == before.tokenizer) return true;
  if (now.config.vocabulary != before.config.vocabulary) return false;
  return std::all_of(ids.begin(), ids.end(), [&](const std::vector<std::int64_t>& here) {
    return std::all_of(here.begin(), here.end(),
                       [&](std::int64_t id) { return now.tokenizer->token_of(id) == before.tokenizer->token_of(id); });
  });
}

bool is_listed(const std::vector<LikelyToken>& tokens, std::int64_t id) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const LikelyToken& each) { return each.id == id; });
}

/// The baseline's likeliest tokens that are not among now's.
Ids ids_lost(const std::vector<Prediction>& now, const std::vector<Prediction>& before) {
  Ids ids;
  for (std::size_t place = 0; place < now.size(); ++place) {
    std::vector<std::int64_t>& here = ids.emplace_back();
    for (const LikelyToken& likely : before[place].likeliest) {
      if (!is_listed(now[place].likeliest, likely.id)) here.push_back(likely.id);
    }
  }
  return ids;
}

std::vector<std::string> words_of_both(const PredictionsFound& now, const PredictionsFound& before) {
  std::vector<std::string> words = now.tokens;
  for (std::size_t place = 0; place < words.size() && place < before.tokens.size(); ++place) {
    if (words[place] != before.tokens[place]) words[place] += " / " + before.tokens[place];
  }
  return words;
}

}  // namespace

std::string why_not_subtracted(const Snapshot& now, const Snapshot& before) {
  const ModelConfig &is = now.model->config, &was = before.model->config;
  if (!was.has_logits) return "The baseline's model predicts no tokens.";
  if (predicted_place(is) != predicted_place(was)) return "One model predicts the next word, the other the word that is there.";
  const Index tokens = std::ssize(predicted_text(now).tokens), tokens_before = std::ssize(predicted_text(before).tokens);
  if (tokens == tokens_before) return {};
  return fmt::format("{} and {} tokens: only predictions for texts of one length can be subtracted.", tokens, tokens_before);
}

PredictionChanges find_changes(const PredictionChangesRequest& request, ThreadPool& pool, Progress& progress) {
  const PredictionsFound& now = *request.now;
  const Snapshot &shown = *now.request.snapshot, &old = *request.before;
  const PredictionSpan span{now.request.first, now.request.count, listed_in(now.predictions)};
  PredictionChanges changes{request, {}, {}, {}};
  const Ids ids = ids_of(now.predictions);
  if (!has_same_vocabulary(*shown.model, *old.model, ids)) {
    changes.problem = "The baseline's model has other tokens, so their probabilities cannot be subtracted.";
    return changes;
  }
  ShareOfWork first(progress, 0, 0.4), second(progress, 0.4, 0.7), third(progress, 0.7, 1);
  const PredictionsFound before = find_predictions(request.before, span, pool, first);
  const auto chosen_before = predict_chosen(*old.model, *old.trace.final_hidden.whole(), ids, span, pool, second);
  const Ids lost = ids_lost(now.predictions, before.predictions);
  const auto lost_now = predict_chosen(*shown.model, *shown.trace.final_hidden.whole(), lost, span, pool, third);
  for (std::size_t place = 0; place < now.predictions.size(); ++place) {
    PositionChanges& here = changes.positions.emplace_back();
    const Prediction& prediction = now.predictions[place];
    for (std::size_t rank = 0; rank < prediction.likeliest.size(); ++rank) {
      here.listed.push_back({prediction.likeliest[rank], chosen_before[place][rank], now.labels[place][rank]});
    }
    if (prediction.actual) here.actual = TokenChange{*prediction.actual, chosen_before[place].back(), {}};
    std::size_t next = 0;
    const std::vector<LikelyToken>& listed_before = before.predictions[place].likeliest;
    for (std::size_t rank = 0; rank < listed_before.size(); ++rank) {
      if (is_listed(prediction.likeliest, listed_before[rank].id)) continue;
      here.lost.push_back({lost_now[place][next++], listed_before[rank], before.labels[place][rank]});
    }
  }
  changes.tokens = words_of_both(now, before);
  return changes;
}

}  // namespace headlight
