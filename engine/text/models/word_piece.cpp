#include "engine/text/models/word_piece.h"

#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"

namespace headlight {

WordPieceModel::WordPieceModel(Vocabulary vocabulary, WordPieceOptions options, const std::string& file, const std::string& field)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)), file_(file) {
  const std::optional<std::int64_t> unknown = vocabulary_.id_of(options_.unknown_token);
  if (!unknown) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = field,
                 .problem = "the unknown token is not in the vocabulary",
                 .found = in_quotes(options_.unknown_token),
                 .expected = fmt::format("one of the {} tokens", vocabulary_.size())});
  }
  unknown_id_ = *unknown;
  std::vector<ByteTrie::Item> items;
  items.reserve(vocabulary_.size());
  vocabulary_.for_each([&](const std::string& token, std::int64_t id) { items.push_back({token, static_cast<std::uint32_t>(id)}); });
  trie_ = ByteTrie(std::move(items), file);
  continuing_ = ByteTrie::kRoot;
  for (const char byte : options_.continuing_prefix) {
    if (continuing_ != ByteTrie::kNone) continuing_ = trie_.step(continuing_, byte);
  }
}

void WordPieceModel::tokenize(std::string_view piece, ModelTokens& into) const {
  const auto longest = static_cast<std::size_t>(options_.longest_word);
  const bool is_too_long = piece.size() > longest && code_point_index(piece).back() > longest;
  const std::size_t tokens_before = into.tokens.size();
  if (!is_too_long && cut(piece, into)) return;
  into.tokens.resize(tokens_before);
  into.tokens.push_back({unknown_id_, {0, static_cast<std::uint32_t>(piece.size())}});
}

bool WordPieceModel::cut(std::string_view piece, ModelTokens& into) const {
  TrieSteps steps(piece.size(), file_);
  for (std::uint32_t at = 0; at < piece.size();) {
    if (at > 0 && continuing_ == ByteTrie::kNone) return false;
    const ByteTrie::Match match = trie_.longest(piece.substr(at), steps, at == 0 ? ByteTrie::kRoot : continuing_);
    if (match.bytes == 0) return false;
    into.tokens.push_back({match.value, {at, at + match.bytes}});
    at += match.bytes;
  }
  return true;
}

}  // namespace headlight
