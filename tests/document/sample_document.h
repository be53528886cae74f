// A document in which every field differs from its default.
#pragma once

#include "app/document/document.h"

namespace headlight::testing {

inline Document read_document(const Json& json) {
  return document_from_json(json, "d.json");
}

inline Document sample_document() {
  Document document;
  Query& query = document.query;
  query.model.name = "/models/tiny gpt";
  query.model.sandbox = {.layers = 3,
                         .d_model = 48,
                         .heads = 6,
                         .kv_heads = 3,
                         .d_ff = 100,
                         .kind = SandboxKind::encoder_decoder,
                         .positions = PositionKind::rotary,
                         .rotary = {.theta = 5000,
                                    .dimensions = 4,
                                    .is_interleaved = true,
                                    .scaling = {.kind = RotaryScaling::Kind::yarn, .factor = 4, .original_positions = 512}},
                         .norm = NormKind::rms_norm,
                         .norm_place = NormPlace::after,
                         .activation = Activation::silu,
                         .unit = SandboxUnit::bytes,
                         .distribution = WeightDistribution::uniform,
                         .gain = 1.7F,
                         .biases = SandboxBiases::random,
                         .seed = 18446744073709551615U,
                         .edits = {{"layer.0.q.weight", 1, 2, 1, 3, {0.1F, -2, 3e-8F}}}};
  query.text = "naïve 漢字 \"quoted\"\n🙂";
  query.text_pair = "";
  query.decoder_text = "Ein Satz";
  query.ids = {0, 7, 50256};
  query.heads = 12;
  query.kv_heads = 4;
  query.mask_reach = MaskReach::this_head;
  query.mask.rules = {
      {{}, "causal + window:8", {{0, 1, 2, 3, true}, {4, 2147483647, 0, 1, false}}},
      {{Scope::Kind::layer, {2, 0}}, "k<=q && !(k==0)", {}},
      {{Scope::Kind::head, {1, 5}}, "", {{1, 2, 1, 2, false}}},
  };
  query.score = {.is_scaled = false, .temperature = 0.7F, .kind = ScoreKind::cosine, .softcap = 30.0F, .sink = -1.5F};
  query.block = {.has_attention_skip = false, .has_feed_forward_skip = false, .has_output_projection = false, .has_biases = false};
  query.switched_off = {{0, 1}, {2, 3}};
  document.style = {.theme = Theme::light,
                    .map = ColourMap::cividis,
                    .scale = ScaleKind::log,
                    .gamma = 0.3F,
                    .range = RangeKind::fixed,
                    .fixed_high = 0.25F,
                    .percentile = 97,
                    .among = Among::layer,
                    .hidden = {.positions = {0, 3}, .has_special = true},
                    .hiding = Hiding::renormalise};
  document.pins = {{{2, 1}}, {{0, 0}}};
  document.target = parse_target("logit:\"a b\"-#7@3");
  document.drawn_map = {{1, 4}, {{2, 3, 0, 1, true}, {2, 4, 1, 2, false}}, 21};
  return document;
}

}  // namespace headlight::testing
