// A document in which every field differs from its default.
#pragma once

#include "app/session/document.h"

namespace headlight::testing {

inline Document sample_document() {
  Document document;
  Query& query = document.query;
  query.model.name = "/models/tiny gpt";
  query.model.sandbox = {.layers = 3,
                         .d_model = 48,
                         .heads = 6,
                         .positions = PositionKind::learned,
                         .is_causal = false,
                         .unit = SandboxUnit::bytes,
                         .seed = 18446744073709551615U};
  query.text = "naïve 漢字 \"quoted\"\n🙂";
  query.text_pair = "";
  query.ids = {0, 7, 50256};
  query.heads = 12;
  query.mask.rules = {
      {{}, "causal + window:8", {{0, 1, 2, 3, true}, {4, 2147483647, 0, 1, false}}},
      {{Scope::Kind::layer, {2, 0}}, "k<=q && !(k==0)", {}},
      {{Scope::Kind::head, {1, 5}}, "", {{1, 2, 1, 2, false}}},
  };
  query.score = {.is_scaled = false, .temperature = 0.7F};
  query.silenced = {{0, 1}, {2, 3}};
  document.style = {.theme = Theme::light,
                    .map = ColourMap::cividis,
                    .scale = ScaleKind::log,
                    .gamma = 0.3F,
                    .range = RangeKind::fixed,
                    .fixed_high = 0.25F};
  document.pins = {{2, 1}, {0, 0}};
  return document;
}

}  // namespace headlight::testing
