#include "engine/model/files/token_ids.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

/// "\"<|im_start|>\" (50257), \"<|im_end|>\" (50258) …"
std::string names_with_ids(const std::vector<NamedToken>& tokens) {
  constexpr std::size_t kMostNamed = 4;
  std::string text;
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostNamed); ++at) {
    text += fmt::format("{}\"{}\" ({})", at == 0 ? "" : ", ", printable(tokens[at].text, 60), tokens[at].id);
  }
  return tokens.size() > kMostNamed ? text + " …" : text;
}

}  // namespace

void note_short_vocabulary(const Tokenizer& tokenizer, int vocabulary, const std::string& config_file, std::vector<std::string>& notices) {
  constexpr double kShareOfTokens = 0.9;
  const auto id = static_cast<std::int64_t>(kShareOfTokens * vocabulary);
  if (tokenizer.token_of(id) || tokenizer.token_of(vocabulary - 1)) return;
  notices.push_back(fmt::format("{}: vocab_size is {}, but the tokenizer has no token of id {}: they may belong to different models.",
                                config_file, vocabulary, id));
}

void check_token_ids(const Tokenizer& tokenizer, int rows, const std::string& config_file, std::vector<std::string>& notices) {
  if (rows == 0) return;
  const std::vector<NamedToken> beyond = tokenizer.tokens_from(rows);
  const auto own = std::find_if(beyond.begin(), beyond.end(), [](const NamedToken& token) { return !token.is_added; });
  if (own != beyond.end()) {
    throw Error({.kind = ErrorKind::input,
                 .file = tokenizer.file(),
                 .field = fmt::format("token \"{}\"", printable(own->text, 60)),
                 .problem = "the model has no embedding for this token of the vocabulary",
                 .found = fmt::format("id {}", own->id),
                 .expected = fmt::format("ids from 0 to {} (vocab_size {} by {})", rows - 1, rows, config_file),
                 .hint = "The tokenizer and the weights may belong to different models."});
  }
  if (beyond.empty()) return;
  notices.push_back(fmt::format("{}: {} beyond the model's {} embeddings: {}. A text that holds {} is refused.", tokenizer.file(),
                                beyond.size() == 1 ? "1 added token has an id" : fmt::format("{} added tokens have ids", beyond.size()),
                                rows, names_with_ids(beyond), beyond.size() == 1 ? "it" : "one of them"));
}

}  // namespace headlight
