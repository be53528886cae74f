#include "engine/pipeline/stages/tokens.h"

#include <fmt/core.h>

#include <utility>

namespace headlight {
namespace {

Encoding encode_ids(const Tokenizer& tokenizer, const std::vector<std::int64_t>& ids) {
  Encoding encoding;
  for (const std::int64_t id : ids) {
    Token token;
    token.id = id;
    token.text = tokenizer.token_of(id).value_or(fmt::format("#{}", id));
    token.is_typed_special = tokenizer.is_special(id);
    encoding.tokens.push_back(std::move(token));
  }
  return encoding;
}

}  // namespace

TokenNumbers numbers_of(const Encoding& encoding) {
  TokenNumbers numbers;
  for (const Token& token : encoding.tokens) {
    numbers.ids.push_back(token.id);
    numbers.types.push_back(token.type_id);
    // A special token such as [SEP] closes the sentence before it. Type ids would not do: RoBERTa's are all 0.
    const int before = numbers.sentences.empty() ? 0 : numbers.sentences.back();
    numbers.sentences.push_back(token.is_special ? before : token.sequence);
  }
  return numbers;
}

Encoding encode_text(const Tokenizer& tokenizer, const Query& query, const std::optional<std::string>& text_pair) {
  return query.ids.empty() ? tokenizer.encode(query.text, text_pair, {.reads_special_text = query.reads_special_text})
                           : encode_ids(tokenizer, query.ids);
}

Encoding encode_decoder_text(const Model& model, const Query& query) {
  const Tokenizer& tokenizer = *model.tokenizer;
  const std::int64_t start = model.config.stacks.decoder_start;
  const std::optional<std::string>& text = query.decoder_text ? query.decoder_text : query.text_pair;
  if (!text && !query.ids.empty()) return encode_ids(tokenizer, query.ids);
  const EncodeOptions options{.adds_special = start < 0, .reads_special_text = query.reads_special_text, .is_target = true};
  Encoding encoding = tokenizer.encode(text.value_or(query.text), std::nullopt, options);
  if (start < 0) return encoding;
  Token first;
  first.id = start;
  first.text = tokenizer.token_of(start).value_or(fmt::format("#{}", start));
  first.is_special = true;
  encoding.tokens.insert(encoding.tokens.begin(), std::move(first));
  return encoding;
}

bool cut_to_positions(Encoding& encoding, const ModelConfig& config) {
  const int max_positions = config.positions.most;
  const std::size_t tokens = encoding.tokens.size();
  const auto limit = static_cast<std::size_t>(max_positions);
  if (max_positions == 0 || tokens <= limit) return false;
  if (config.positions.kind != PositionKind::learned) {
    encoding.notices.push_back(fmt::format("{} tokens are more than the {} the model was made for.", tokens, max_positions));
    return false;
  }
  encoding.tokens.resize(limit);
  encoding.notices.push_back(fmt::format("Showing the first {} of {} tokens: the model has no positions for more.", max_positions, tokens));
  return true;
}

}  // namespace headlight
