#include "engine/measures/worked_example.h"

#include <fmt/core.h>

#include "engine/measures/measure_request.h"

namespace headlight {

Matrix worked_map() {
  Matrix map(4, 4);
  map << 1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.2F, 0.3F, 0.5F, 0, 0.1F, 0.15F, 0.5F, 0.25F;
  return map;
}

Mask worked_mask() {
  return MaskText("causal").cells({4, 4, {}});
}

Matrix turned_map() {
  return worked_map().reverse();
}

Mask turned_mask() {
  return MaskText("k >= q").cells({4, 4, {}});
}

std::string worked_on(const Measure& measure) {
  std::string text = "a b a b, 4 × 4";
  if (const MeasureParameter* parameter = parameter_of(measure); parameter != nullptr)
    text.append(", ").append(parameter->name).append(" = ").append(measure.example_parameter);
  return measure.example_on.empty() ? text : text.append("; ").append(measure.example_on);
}

std::string worked_map_text() {
  const Matrix map = worked_map();
  std::string rows, tokens;
  for (Index query = 0; query < map.rows(); ++query) {
    for (Index key = 0; key <= query; ++key) rows += fmt::format("{}{:g}", key > 0 ? " " : query > 0 ? " / " : "", map(query, key));
  }
  for (const Token& token : worked_tokens()) tokens += (tokens.empty() ? "" : " ") + token.text;
  return fmt::format("Its map is causal, over the tokens {}, with rows {}; V and W_O are the identity, so what a head writes is its row.",
                     tokens, rows);
}

std::vector<Token> worked_tokens() {
  return {{.id = 0, .text = "a", .bytes = {}},
          {.id = 1, .text = "b", .bytes = {}},
          {.id = 0, .text = "a", .bytes = {}},
          {.id = 1, .text = "b", .bytes = {}}};
}

}  // namespace headlight
