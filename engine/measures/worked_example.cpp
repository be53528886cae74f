#include "engine/measures/worked_example.h"

namespace headlight {

Matrix worked_map() {
  Matrix map(4, 4);
  map << 1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.2F, 0.3F, 0.5F, 0, 0.1F, 0.15F, 0.5F, 0.25F;
  return map;
}

Mask worked_mask() {
  return MaskText("causal").cells({4, 4, {}});
}

std::vector<Token> worked_tokens() {
  return {{.id = 0, .text = "a", .bytes = {}},
          {.id = 1, .text = "b", .bytes = {}},
          {.id = 0, .text = "a", .bytes = {}},
          {.id = 1, .text = "b", .bytes = {}}};
}

}  // namespace headlight
