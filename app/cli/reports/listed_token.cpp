#include "app/cli/reports/listed_token.h"

#include <fmt/core.h>

#include "engine/figure/axes.h"
#include "engine/figure/figures.h"

namespace headlight {

std::string listed_token(const Tokenizer& tokenizer, std::int64_t id) {
  Token token;
  token.id = id;
  token.text = tokenizer.token_of(id).value_or("");
  if (token.text.empty()) return fmt::format("id {}", id);
  const TokenLabel label = tokenizer.label(token);
  return (label.has_leading_blank ? "·" : "") + axis_label(label);
}

}  // namespace headlight
