#include "engine/snapshot.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/text/label.h"

namespace headlight {

int Snapshot::heads() const {
  int most = 0;
  for (const auto& layer : trace.layers) most = std::max(most, layer->heads);
  return most;
}

int Snapshot::heads(int layer) const {
  return layer >= 0 && layer < layers() ? trace.layer(layer).heads : 0;
}

std::vector<HeadId> Snapshot::heads_of_layer(int layer) const {
  std::vector<HeadId> found;
  for (int head = 0; head < heads(layer); ++head) found.push_back({layer, head});
  return found;
}

std::vector<HeadId> Snapshot::all_heads() const {
  std::vector<HeadId> found;
  for (int layer = 0; layer < layers(); ++layer) {
    for (int head = 0; head < heads(layer); ++head) found.push_back({layer, head});
  }
  return found;
}

bool Snapshot::contains(HeadId head) const {
  return head.head >= 0 && head.head < heads(head.layer);
}

const HeadSummary& Snapshot::summary(HeadId head) const {
  return summaries.at(static_cast<std::size_t>(head.layer))->at(static_cast<std::size_t>(head.head));
}

const Encoding& Snapshot::query_tokens(int layer) const {
  const bool has_other_queries = decoder_encoding && model->config.place(layer).stack != Stack::encoder;
  return has_other_queries ? *decoder_encoding : *encoding;
}

const Encoding& Snapshot::key_tokens(int layer) const {
  const ModelConfig& config = model->config;
  return config.place(layer).stack == Stack::decoder && config.has_decoder_keys() ? *decoder_encoding : *encoding;
}

std::string Snapshot::layer_name(int layer) const {
  const LayerPlace place = model->config.place(layer);
  return fmt::format("{} {}", name_of(place.stack), place.number);
}

std::string Snapshot::own_mask(int layer) const {
  return is_dump() ? trace.layer(layer).given_mask.text : model->config.own_mask(layer);
}

void RunCost::add_memory(const Trace& trace) {
  memory = memory_of(trace);
  for (const MemoryPart& part : memory) bytes += part.bytes;
}

HeadMaps Snapshot::maps(HeadId head, const Watch& watch) const {
  return rebuild_head(trace.layer(head.layer), head.head, watch);
}

Matrix Snapshot::weights(HeadId head) const {
  Matrix weights = Matrix::Zero(queries(head.layer), keys(head.layer));
  pass_head(trace.layer(head.layer), head.head,
            [&](const HeadRows& rows) { weights.block(rows.first_query, 0, rows.weights.rows(), rows.weights.cols()) = rows.weights; });
  return weights;
}

TokenLabel Snapshot::label(const Token& token) const {
  return model->tokenizer->label(token);
}

TokenLabel Snapshot::label(const Encoding& text, const Token& token) const {
  return label_in_text(*model->tokenizer, text, token);
}

}  // namespace headlight
