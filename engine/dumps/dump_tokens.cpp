#include "engine/dumps/dump_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/text/label.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTokenFile = 16'000'000;
constexpr std::string_view kByteBlank = "\xc4\xa0";      // "Ġ"
constexpr std::string_view kMetaspace = "\xe2\x96\x81";  // "▁"

using Texts = std::vector<std::string>;

/// Names tokens by their own text; the blank marks of common tokenizers are recognised, token by token.
class DumpTokenizer final : public Tokenizer {
 public:
  explicit DumpTokenizer(bool is_byte_level) : is_byte_level_(is_byte_level) {}
  Encoding encode(std::string_view, std::optional<std::string_view>, EncodeOptions) const override { return {}; }
  std::string decode(std::span<const std::int64_t>, bool) const override { return {}; }
  std::optional<std::string> token_of(std::int64_t) const override { return std::nullopt; }
  TokenLabel label(const Token& token) const override {
    if (token.text.find(kMetaspace) != std::string::npos) return make_label(token.text, LabelScheme::metaspace);
    return make_label(token.text, is_byte_level_ ? LabelScheme::byte_level : LabelScheme::plain);
  }
  std::string description() const override { return "the tokens of a file"; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  bool is_byte_level_;
  std::vector<std::string> warnings_;
};

bool is_byte_level(const Texts* tokens) {
  const auto is_marked = [](const std::string& token) { return token.find(kByteBlank) != std::string::npos; };
  return tokens != nullptr && std::any_of(tokens->begin(), tokens->end(), is_marked);
}

/// A JSON list of strings, or one token a line.
std::vector<std::string> read_token_file(const fs::path& path) {
  const std::string bytes = read_file(path, kLargestTokenFile);
  const std::string file = printable(path.string(), 4096);
  std::vector<std::string> tokens;
  if (path.extension() == ".json") {
    const JsonTree tree = parse_json(bytes, file);
    const Json& list = *tree;
    const bool is_list = list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_string(); });
    if (!is_list)
      throw Error({.kind = ErrorKind::input,
                   .file = file,
                   .problem = "is not a list of tokens",
                   .found = describe(list),
                   .expected = "a JSON list of strings"});
    for (const Json& item : list) tokens.push_back(item.get<std::string>());
    return tokens;
  }
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = repair_utf8(std::string_view(bytes).substr(begin, end - begin)).text;
    if (line.ends_with('\r')) line.pop_back();
    tokens.push_back(std::move(line));
    begin = end + 1;
  }
  return tokens;
}

/// A list of tokens from a file beside the maps: FILE.tokens.json, the same without FILE's own ending, or tokens.json; or .txt.
std::optional<Texts> find_token_file(const fs::path& path, const std::string& name) {
  const std::string ending = "." + name;
  for (const fs::path& start : {fs::path(path.string() + ending), fs::path(path).replace_extension(ending), path.parent_path() / name}) {
    for (const char* kind : {".json", ".txt"}) {
      const fs::path candidate = start.string() + kind;
      std::error_code ignored;
      if (candidate != path && fs::is_regular_file(candidate, ignored)) return read_token_file(candidate);
    }
  }
  return std::nullopt;
}

using Names = std::initializer_list<std::string_view>;

/// By the whole name, else by its last part: "attention.0.left_text". Names that hold `other` are those of the other axis. `ending`: what
/// follows a name.
const Texts* find_named(const DumpFile& file, Names names, std::string_view other, const std::string& ending) {
  for (const bool is_part : {false, true}) {
    for (const std::string_view name : names) {
      const std::string whole = std::string(name) + ending;
      for (const DumpTexts& texts : file.texts) {
        const bool is_other = !other.empty() && texts.name.find(other) != std::string::npos;
        if (texts.name == whole || (is_part && !is_other && texts.name.ends_with("." + whole))) return &texts.texts;
      }
    }
  }
  return nullptr;
}

/// Whether a list carries the number of this text of a batch.
bool is_of_text(const DumpFile& file, const Texts* list, DumpItem item) {
  const std::string ending = fmt::format(".{}", item.number);
  const auto is_it = [&](const DumpTexts& texts) { return &texts.texts == list && texts.name.ends_with(ending); };
  return std::any_of(file.texts.begin(), file.texts.end(), is_it);
}

/// The list of this text of a batch, else the one of all.
const Texts* find_texts(const DumpFile& file, Names names, std::string_view other, DumpItem item) {
  const Texts* own = find_named(file, names, other, fmt::format(".{}", item.number));
  return own != nullptr ? own : find_named(file, names, other, {});
}

/// `what`: "", or "query " of the other text.
std::string note_missing(const Texts* tokens, std::int64_t length, const std::string& what, const DumpFile& file) {
  if (tokens != nullptr) return fmt::format("{} {}tokens do not fit maps of {}: they are numbered.", tokens->size(), what, length);
  if (!file.unread_texts.empty()) {
    return fmt::format("The {}tokens are numbered: {}, not a JSON list of strings.", what, file.unread_texts.front());
  }
  const char* advice = what.empty() ? "" : " Name them decoder_tokens.";
  return fmt::format("The file names no {}tokens: they are numbered.{}", what, advice);
}

/// What says where a blank belongs between the tokens of a text.
enum class Blanks : std::uint8_t {
  in_tokens,  ///< "Ġcat", "▁cat", " cat"
  at_ends,    ///< "cat</w>"
  between,    ///< nothing does: "The", "cat", "##s" are words, and ## continues one
};

constexpr std::string_view kWordEnd = "</w>";
constexpr std::string_view kContinues = "##";

Blanks blanks_of(const Texts& tokens, const Tokenizer& tokenizer) {
  Blanks blanks = Blanks::between;
  for (const std::string& text : tokens) {
    Token token;
    token.text = text;
    if (tokenizer.label(token).has_leading_blank || text.find_first_of(" \n\t") != std::string::npos) return Blanks::in_tokens;
    if (text.ends_with(kWordEnd)) blanks = Blanks::at_ends;
  }
  return blanks;
}

/// Whether a blank comes between two tokens.
bool is_parted(Blanks blanks, std::string_view before, std::string_view token, bool has_leading_blank) {
  if (blanks == Blanks::in_tokens) return has_leading_blank;
  if (blanks == Blanks::at_ends) return before.ends_with(kWordEnd);
  return !token.starts_with(kContinues) || token == kContinues;
}

/// What a token adds to its text.
std::string_view text_in(Blanks blanks, std::string_view token) {
  if (blanks == Blanks::at_ends && token.ends_with(kWordEnd)) token.remove_suffix(kWordEnd.size());
  if (blanks == Blanks::between && token.starts_with(kContinues) && token.size() > kContinues.size())
    token.remove_prefix(kContinues.size());
  return token;
}

/// The text as its tokens read: blanks where they say so, or between words and between numbers.
std::shared_ptr<const Encoding> make_encoding(const Texts* tokens, std::int64_t length, const Tokenizer& tokenizer) {
  auto encoding = std::make_shared<Encoding>();
  const Blanks blanks = tokens != nullptr ? blanks_of(*tokens, tokenizer) : Blanks::between;
  std::string before;
  for (std::int64_t at = 0; at < length; ++at) {
    Token token;
    token.id = at;
    token.text = tokens != nullptr ? (*tokens)[static_cast<std::size_t>(at)] : std::to_string(at);
    const TokenLabel label = tokenizer.label(token);
    if (at > 0 && is_parted(blanks, before, label.text, label.has_leading_blank)) encoding->text += ' ';
    const auto begin = static_cast<std::uint32_t>(encoding->text.size());
    encoding->text += text_in(blanks, label.text);
    before = label.text;
    token.bytes = {begin, static_cast<std::uint32_t>(encoding->text.size())};
    encoding->tokens.push_back(std::move(token));
  }
  return encoding;
}

/// Queries without names, or with those of the last keys.
bool continues(const Texts* queries, const Texts* keys, DumpLengths lengths) {
  if (queries == nullptr || std::ssize(*queries) != lengths.decoder) return true;
  return keys != nullptr && std::equal(queries->rbegin(), queries->rend(), keys->rbegin());
}

}  // namespace

DumpTokens name_tokens(const fs::path& path, const DumpFile& file, DumpLengths lengths, DumpItem item, bool continues_text) {
  const bool has_two_texts = lengths.decoder > 0;
  const Texts* tokens =
      has_two_texts
          ? find_texts(file, {"key_tokens", "encoder.tokens", "encoder_tokens", "right_text", "tokens"}, "decoder", item)
          : find_texts(file, {"tokens", "key_tokens", "right_text", "encoder_tokens", "decoder_tokens", "query_tokens"}, {}, item);
  const Texts* queries =
      has_two_texts ? find_texts(file, {"query_tokens", "decoder.tokens", "decoder_tokens", "left_text"}, "encoder", item) : nullptr;
  std::optional<Texts> beside, queries_beside;
  if (tokens == nullptr && (beside = find_token_file(path, "tokens"))) tokens = &*beside;
  if (has_two_texts && queries == nullptr && (queries_beside = find_token_file(path, "decoder_tokens"))) queries = &*queries_beside;

  DumpTokens named;
  const auto fitting = [&](const Texts* texts, std::int64_t length, const std::string& what) -> const Texts* {
    if (texts != nullptr && std::ssize(*texts) == length) return texts;
    named.notices.push_back(note_missing(texts, length, what, file));
    return nullptr;
  };
  named.tokenizer = std::make_shared<DumpTokenizer>(is_byte_level(tokens) || is_byte_level(queries));
  const bool is_shared = item.texts > 1 && !is_of_text(file, tokens, item);
  tokens = fitting(tokens, lengths.text, "");
  if (is_shared && tokens != nullptr) {
    named.notices.push_back(
        fmt::format("The file has one list of tokens for {} texts: it names those of text {}, whether or not they are its own.", item.texts,
                    item.number));
  }
  named.encoding = make_encoding(tokens, lengths.text, *named.tokenizer);
  if (!has_two_texts) return named;
  named.is_one_text = continues_text && lengths.decoder < lengths.text && continues(queries, tokens, lengths);
  Texts last;
  if (queries == nullptr && continues_text && tokens != nullptr && lengths.decoder < lengths.text) {
    last.assign(tokens->end() - static_cast<std::ptrdiff_t>(lengths.decoder), tokens->end());
    queries = &last;
    named.notices.push_back(fmt::format("{} queries, {} keys: the queries are taken as the last tokens.", lengths.decoder, lengths.text));
  }
  queries = fitting(queries, lengths.decoder, "query ");
  named.decoder_encoding = make_encoding(queries, lengths.decoder, *named.tokenizer);
  return named;
}

}  // namespace headlight
