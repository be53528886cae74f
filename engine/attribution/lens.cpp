#include "engine/attribution/lens.h"

#include <fmt/core.h>

#include "engine/attribution/stream_parts.h"
#include "engine/core/error.h"
#include "engine/forward/forward.h"

namespace headlight {
namespace {

/// The text that the model's last layers read.
const std::vector<Token>& predicted_tokens(const Snapshot& snapshot) {
  return snapshot.query_tokens(snapshot.model->config.layers - 1).tokens;
}

void check(const Snapshot& snapshot, Index first, Index count) {
  const auto refuse = [](std::string field, std::string problem, std::string found, std::string expected) {
    throw Error({.kind = ErrorKind::usage,
                 .field = std::move(field),
                 .problem = std::move(problem),
                 .found = std::move(found),
                 .expected = std::move(expected)});
  };
  if (const std::string why = why_no_lens(snapshot); !why.empty()) refuse("lens", why.substr(0, why.size() - 1), {}, {});
  const Index tokens = std::ssize(predicted_tokens(snapshot));
  if (first < 0 || count < 0 || first + count > tokens)
    refuse("position", "the text has no such position", std::to_string(first < 0 ? first : first + count - 1),
           fmt::format("0 to {}", tokens - 1));
}

/// Calls use(layer, the last hidden state as it would be after it) for the embedding and every layer, of these rows.
template <typename Use>
void for_each_layer(const Snapshot& snapshot, Index first, Index count, ThreadPool& pool, Progress& progress, const Use& use) {
  const StreamPlace end = place_at_end(snapshot.model->config, first);
  for (int layer = end.first - 1; layer < end.end; ++layer) {
    progress.step(static_cast<double>(layer + 1 - end.first) / (end.end - end.first + 1), "reading layers");
    const bool is_embedding = layer < end.first;
    const SharedRows& stream = is_embedding ? snapshot.trace.layer(end.first).resid_pre : snapshot.trace.layer(layer).resid_post;
    use(is_embedding ? -1 : layer, apply_final_norm(*snapshot.model, stream.middle_rows(first, count), pool, progress));
  }
}

}  // namespace

std::vector<LensLayer> read_lens(const Snapshot& snapshot, const PredictionSpan& span, ThreadPool& pool, Progress& progress) {
  check(snapshot, span.first, span.count);
  const std::vector<Token>& text = predicted_tokens(snapshot);
  const std::vector<Token> tokens(text.begin() + span.first, text.end());
  std::vector<LensLayer> layers;
  for_each_layer(snapshot, span.first, span.count, pool, progress, [&](int layer, const Matrix& hidden) {
    SilentProgress within;
    LensLayer read{layer, predict_tokens(*snapshot.model, hidden, tokens, {0, span.count, span.likeliest}, pool, within)};
    for (Prediction& prediction : read.predictions) prediction.position += span.first;
    layers.push_back(std::move(read));
  });
  return layers;
}

std::vector<std::vector<LikelyToken>> follow_tokens(const Snapshot& snapshot, Index position, const std::vector<std::int64_t>& ids,
                                                    ThreadPool& pool, Progress& progress) {
  check(snapshot, position, 1);
  std::vector<std::vector<LikelyToken>> layers;
  for_each_layer(snapshot, position, 1, pool, progress, [&](int /*layer*/, const Matrix& hidden) {
    SilentProgress within;
    layers.push_back(predict_chosen(*snapshot.model, hidden, {ids}, {0, 1, 0}, pool, within).front());
  });
  return layers;
}

std::string lens_label(const Snapshot& snapshot, int layer) {
  return layer < 0 ? "embedding" : snapshot.layer_name(layer);
}

std::string why_no_lens(const Snapshot& snapshot) {
  if (snapshot.is_dump()) return "Maps from a file hold no hidden states, so there is nothing to read a prediction from.";
  if (!snapshot.model->config.has_logits) return "The model predicts no tokens: it has no language-model head to read its layers with.";
  return {};
}

}  // namespace headlight
