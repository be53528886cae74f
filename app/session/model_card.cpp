#include "app/session/model_card.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/fields/names.h"
#include "engine/analysis/prediction.h"

namespace headlight {
namespace {

std::string heads_text(const ModelConfig& config) {
  std::string text = std::to_string(config.heads.count);
  if (config.stacks.decoder_heads > 0 && config.stacks.decoder_heads != config.heads.count) {
    text = fmt::format("{} encoder, {} decoder", config.heads.count, config.stacks.decoder_heads);
  }
  return text;
}

CardSection sizes_section(const ModelConfig& config) {
  CardSection section{"Sizes", {}};
  const auto add = [&](std::string label, std::string value, std::string help = {}) {
    section.rows.push_back({std::move(label), std::move(value), std::move(help)});
  };
  if (config.is_encoder_decoder()) {
    add("layers", fmt::format("{} encoder, {} decoder", config.stacks.encoder_layers, config.decoder_layers()),
        "Each decoder layer has two attentions: one of its own text, and one of the encoder's.");
  } else {
    add("layers", std::to_string(config.layers));
  }
  add("heads per layer", heads_text(config));
  if (config.heads.kv_count == config.heads.count) {
    add("key/value heads", heads_text(config), "Every head has a key and a value of its own.");
  } else {
    add("key/value heads", std::to_string(config.heads.kv_count),
        fmt::format("{} query heads share one key/value head: grouped-query attention (Ainslie et al. 2023, arXiv 2305.13245).",
                    config.heads.count / config.heads.kv_count));
  }
  add("d_model", grouped(config.d_model), "Width of a token's vector between the layers: the residual stream.");
  const bool has_two_widths = config.stacks.decoder_heads > 0 && config.stacks.decoder_heads != config.heads.count;
  const std::string d_head = has_two_widths ? fmt::format("{} encoder, {} decoder", config.heads.d_head,
                                                          config.heads.count * config.heads.d_head / config.stacks.decoder_heads)
                                            : grouped(config.heads.d_head);
  add("d_head", d_head, "Width of one head's query, key and value.");
  add("d_ff", grouped(config.feed_forward.d_ff), "Inner width of the feed-forward part.");
  if (config.vocabulary > 0) add("vocabulary", grouped(config.vocabulary), "How many different tokens the model knows.");
  if (config.positions.most > 0) {
    const bool is_hard = config.positions.kind == PositionKind::learned;
    add("longest text", fmt::format("{} tokens", grouped(config.positions.most)),
        is_hard ? "It has no positions beyond this: longer texts are cut."
                : "What it was made for; longer texts run, but outside its training.");
  }
  return section;
}

std::string positions_text(const ModelConfig& config) {
  if (config.positions.kind == PositionKind::t5_buckets) return "bias by distance, in buckets (T5)";
  std::string text(name_of(config.positions.kind));
  if (config.positions.kind != PositionKind::rotary) return text;
  const auto theta = [](double value) {
    return value < 1e15 && value == std::floor(value) ? grouped(std::llround(value)) : fmt::format("{:g}", value);
  };
  text += ", θ " + theta(config.positions.rotary.theta);
  if (config.positions.window_rotary && config.positions.window_rotary->theta != config.positions.rotary.theta) {
    text += fmt::format(" ({} in layers with a window)", theta(config.positions.window_rotary->theta));
  }
  if (config.positions.rotary.dimensions > 0 && config.positions.rotary.dimensions < config.heads.d_head) {
    text += fmt::format(", {} of {} dimensions", config.positions.rotary.dimensions, config.heads.d_head);
  }
  const RotaryScaling& scaling = config.positions.rotary.scaling;
  if (scaling.kind != RotaryScaling::Kind::none) text += fmt::format(", {} × {:g}", name_of(scaling.kind), scaling.factor);
  return text;
}

/// "4,096 tokens", or how many layers have one.
std::string windows_text(const ModelConfig& config) {
  if (config.mask.windows.empty()) return fmt::format("{} tokens", grouped(config.mask.window));
  const auto limited = std::count_if(config.mask.windows.begin(), config.mask.windows.end(), [](int window) { return window > 0; });
  const int widest = *std::max_element(config.mask.windows.begin(), config.mask.windows.end());
  return fmt::format("{} tokens in {} of {} layers", grouped(widest), limited, config.layers);
}

std::string attends_text(const ModelConfig& config) {
  if (config.is_encoder_decoder()) return "encoder both ways, decoder backwards";
  return config.mask.is_causal ? "backwards only (causal)" : "both ways";
}

std::string predicts_text(const ModelConfig& config) {
  if (!config.has_logits) return "nothing: no language-model head";
  return predicted_place(config) == PredictedPlace::next ? "the next token" : "masked tokens";
}

CardSection parts_of(const Model& model) {
  const ModelConfig& config = model.config;
  CardSection section{"Parts", {}};
  const auto add = [&](std::string label, std::string value, std::string help = {}) {
    section.rows.push_back({std::move(label), std::move(value), std::move(help)});
  };
  add("attends", attends_text(config));
  add("predicts", predicts_text(config));
  add("positions", positions_text(config));
  if (config.mask.window > 0 || !config.mask.windows.empty()) {
    add("window", windows_text(config), "In layers with a window, a query sees no further back than this.");
  }
  if (config.scores.softcap > 0) add("soft-cap", fmt::format("{:g}", config.scores.softcap), "c · tanh(score / c): scores stay within ±c.");
  if (config.logits.softcap > 0) add("logit soft-cap", fmt::format("{:g}", config.logits.softcap), "The same for the logits.");
  const LayerParameters& first = model.parameters.layers.front();
  if (config.norm.kind != NormKind::none) {
    const std::string place = first.branch_norm_1.gain.size() > 0 ? "before and after" : std::string(name_of(config.norm.place));
    add("norm", fmt::format("{}, {} each part", name_of(config.norm.kind), place));
  } else {
    add("norm", "none");
  }
  if (config.scores.query_key_norm != QueryKeyNorm::none) {
    add("norm of q and k", config.scores.query_key_norm == QueryKeyNorm::each_head ? "each head" : "all heads together");
  }
  const bool is_gated = std::any_of(model.parameters.layers.begin(), model.parameters.layers.end(),
                                    [](const LayerParameters& layer) { return layer.ff_gate.weight.size() > 0; });
  add("feed-forward", fmt::format("{}{}", name_of(config.feed_forward.activation), is_gated ? ", gated" : ""));
  if (config.feed_forward.is_parallel) add("block", "parallel", "Attention and the feed-forward part read the same input.");
  return section;
}

CardSection weights_of(const Model& model) {
  const ParameterTally tally = tally_parameters(model.parameters);
  std::vector<std::string_view> types;
  for (const DType type : tally.types) types.push_back(dtype_row(type).name);
  CardSection section{"Weights", {}};
  const std::int64_t parameters = model.stored_parameters > 0 ? model.stored_parameters : tally.numbers;
  section.rows.push_back({"parameters", grouped(parameters), "Every number that training sets; shared ones count once."});
  const std::vector<LayerParameters>& layers = model.parameters.layers;
  if (layers.size() > 1 && layers[0].q.weight.memory() == layers[1].q.weight.memory()) {
    section.rows.push_back({"shared", "layers share their parameters", ""});
  }
  section.rows.push_back({"in memory", bytes_text(tally.bytes), "Kept in the stored type, and converted while computing."});
  section.rows.push_back({"stored as", fmt::format("{}", fmt::join(types, ", ")), "The type of the matrices."});
  section.rows.push_back({"tokenizer", model.tokenizer ? model.tokenizer->description() : "none", ""});
  section.rows.push_back({"source", model.source, ""});
  return section;
}

}  // namespace

std::array<CardSection, 3> model_card(const Model& model) {
  return {sizes_section(model.config), parts_of(model), weights_of(model)};
}

CardSection dump_card(const Snapshot& snapshot) {
  GivenSums sums;
  std::vector<std::string> sides;
  std::size_t maps = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const LayerTrace& trace = snapshot.trace.layer(layer);
    maps += trace.given.size();
    for (const GivenMap& map : trace.given) sums.add(map.sums);
    std::string side = fmt::format("{} × {}", snapshot.queries(layer), snapshot.keys(layer));
    if (std::find(sides.begin(), sides.end(), side) == sides.end()) sides.push_back(std::move(side));
  }
  const std::string rows = sums_text(sums);
  const std::vector<int>& counts = snapshot.model->config.heads.counts;
  return {"Maps",
          {{"layers", snapshot.model->config.layers_text(), "The file's own numbers, where it gives them."},
           {"heads per layer", counts.empty() ? std::to_string(snapshot.heads()) : fmt::format("{}", fmt::join(counts, ", ")), ""},
           {"maps", grouped(static_cast<std::int64_t>(maps)), ""},
           {"queries × keys", fmt::format("{}", fmt::join(sides, ", ")), ""},
           {"rows", rows.empty() ? "sum to 1" : rows, "Nothing is rescaled: the maps are shown as they are."},
           {"in memory", bytes_text(snapshot.cost.bytes), ""},
           {"source", snapshot.model->source, ""}}};
}

}  // namespace headlight
