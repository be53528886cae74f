// Runs made by hand, with known maps and tokens.
#pragma once

#include "engine/finding/head_ranking.h"
#include "engine/measures/worked_example.h"
#include "engine/pipeline/pipeline.h"

namespace headlight::testing {

/// Tokens of these texts; equal texts have equal ids.
inline std::shared_ptr<const Encoding> encoding_of(const std::vector<std::string>& texts) {
  auto encoding = std::make_shared<Encoding>();
  for (const std::string& text : texts) {
    Token token;
    token.text = text;
    token.bytes = {static_cast<std::uint32_t>(encoding->text.size()), static_cast<std::uint32_t>(encoding->text.size() + text.size())};
    encoding->text += text + " ";
    encoding->tokens.push_back(token);
  }
  encoding->tokens = told_by_texts(encoding->tokens);
  return encoding;
}

inline std::shared_ptr<const Mask> full_mask(Index tokens) {
  return std::make_shared<const Mask>(tokens, tokens, true);
}

/// A layer of maps as a file gives them.
inline std::shared_ptr<LayerTrace> layer_of(const std::vector<Matrix>& maps, const std::shared_ptr<const Mask>& mask) {
  auto layer = std::make_shared<LayerTrace>();
  layer->heads = layer->kv_heads = static_cast<int>(maps.size());
  for (const Matrix& map : maps) {
    layer->rules.push_back({.mask = mask});
    layer->given.push_back({std::make_shared<const Matrix>(map), {}});
  }
  return layer;
}

inline Snapshot snapshot_of(const std::vector<std::string>& tokens, const std::vector<std::shared_ptr<const LayerTrace>>& layers) {
  Snapshot run;
  auto model = std::make_shared<Model>();
  model->config.layers = static_cast<int>(layers.size());
  run.model = std::move(model);
  run.encoding = encoding_of(tokens);
  run.trace.layers = layers;
  return run;
}

/// The W4 map, of "a b a b", as head 0.0.
inline Snapshot worked_snapshot() {
  return snapshot_of({"a", "b", "a", "b"}, {layer_of({worked_map()}, std::make_shared<const Mask>(worked_mask()))});
}

inline std::shared_ptr<const Snapshot> sandbox_run(const std::string& text) {
  Query query;
  query.model.name = "sandbox";
  query.text = text;
  Pipeline pipeline(2);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

inline HeadRanking ranked(const Snapshot& run, const HeadQuestion& question) {
  ThreadPool pool(2);
  SilentProgress progress;
  return rank_heads(run, question, pool, progress);
}

inline HeadQuestion cells_in(const Snapshot& run, std::vector<CellBlock> cells) {
  for (CellBlock& block : cells) block.is_allowed = true;
  return question_of_cells(std::move(cells), tokens_of(run, 0));
}

}  // namespace headlight::testing
