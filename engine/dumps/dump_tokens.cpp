#include "engine/dumps/dump_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "engine/core/error.h"
#include "engine/dumps/dump_text.h"
#include "engine/dumps/dump_whole_text.h"
#include "engine/dumps/token_lists.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTokenFile = 16'000'000;
using Texts = std::vector<std::string>;
using Lists = std::vector<DumpTexts>;

Lists read_json_tokens(const Json& tree, const std::string& name, const std::string& file) {
  if (std::optional<Lists> lists = token_lists(tree, name)) return std::move(*lists);
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .problem = "is not a list of tokens",
               .found = describe(tree),
               .expected = "a JSON list of strings, or one such list for each text of a batch"});
}

/// JSON, or one token a line.
Lists read_token_file(const fs::path& path, const std::string& name) {
  const std::string bytes = read_file(path, kLargestTokenFile);
  const std::string file = printable(path.string(), 4096);
  if (path.extension() == ".json") return read_json_tokens(*parse_json(bytes, file), name, file);
  Texts tokens;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = repair_utf8(std::string_view(bytes).substr(begin, end - begin)).text;
    if (line.ends_with('\r')) line.pop_back();
    tokens.push_back(std::move(line));
    begin = end + 1;
  }
  return {{name, std::move(tokens)}};
}

/// Tokens from a file beside the maps: FILE.tokens.json, the same without FILE's own ending, or tokens.json; or .txt. Named like those of
/// the file itself: "tokens", of a batch "tokens.0", "tokens.1" …; none where there is no such file.
Lists find_token_file(const fs::path& path, const std::string& name) {
  const std::string ending = "." + name;
  for (const fs::path& start : {fs::path(path.string() + ending), fs::path(path).replace_extension(ending), path.parent_path() / name}) {
    for (const char* kind : {".json", ".txt"}) {
      const fs::path candidate = start.string() + kind;
      std::error_code ignored;
      if (candidate != path && fs::is_regular_file(candidate, ignored)) return read_token_file(candidate, name);
    }
  }
  return {};
}

using Names = std::initializer_list<std::string_view>;

/// By the whole name, else by its last part: "attention.0.left_text". Names that hold `other` are those of the other axis. `ending`: what
/// follows a name.
const Texts* find_named(const Lists& lists, Names names, std::string_view other, const std::string& ending) {
  for (const bool is_part : {false, true}) {
    for (const std::string_view name : names) {
      const std::string whole = std::string(name) + ending;
      for (const DumpTexts& texts : lists) {
        const bool is_other = !other.empty() && texts.name.find(other) != std::string::npos;
        if (texts.name == whole || (is_part && !is_other && texts.name.ends_with("." + whole))) return &texts.texts;
      }
    }
  }
  return nullptr;
}

/// Whether a list carries the number of this text of a batch.
bool is_of_text(const Lists& lists, const Texts* list, DumpItem item) {
  const std::string ending = fmt::format(".{}", item.number);
  const auto is_it = [&](const DumpTexts& texts) { return &texts.texts == list && texts.name.ends_with(ending); };
  return std::any_of(lists.begin(), lists.end(), is_it);
}

/// The list of this text of a batch, else the one of all.
const Texts* find_texts(const Lists& lists, Names names, std::string_view other, DumpItem item) {
  const Texts* own = find_named(lists, names, other, fmt::format(".{}", item.number));
  return own != nullptr ? own : find_named(lists, names, other, {});
}

/// The text that a list of the file was cut from, if the file says so.
const DumpWholeText* whole_text_of(const DumpFile& file, const Texts* list, DumpItem item) {
  if (item.texts > 1) return nullptr;
  for (const DumpTexts& texts : file.texts) {
    if (&texts.texts == list) return find_whole_text(file, texts.name);
  }
  return nullptr;
}

/// A generation's last token was chosen by the last step and has no row.
std::optional<Texts> without_last(const DumpFile& file, const Texts* tokens, std::int64_t length) {
  if (file.steps.empty() || tokens == nullptr || std::ssize(*tokens) != length + 1) return std::nullopt;
  return Texts(tokens->begin(), tokens->end() - 1);
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
          ? find_texts(file.texts, {"key_tokens", "encoder.tokens", "encoder_tokens", "right_text", "tokens"}, "decoder", item)
          : find_texts(file.texts, {"tokens", "key_tokens", "right_text", "encoder_tokens", "decoder_tokens", "query_tokens"}, {}, item);
  const Texts* queries =
      has_two_texts ? find_texts(file.texts, {"query_tokens", "decoder.tokens", "decoder_tokens", "left_text"}, "encoder", item) : nullptr;
  Lists beside, queries_beside;
  if (tokens == nullptr) tokens = find_texts(beside = find_token_file(path, "tokens"), {"tokens"}, {}, item);
  if (has_two_texts && queries == nullptr) {
    queries = find_texts(queries_beside = find_token_file(path, "decoder_tokens"), {"decoder_tokens"}, {}, item);
  }

  DumpTokens named;
  std::optional<Texts> with_rows = without_last(file, has_two_texts ? nullptr : tokens, lengths.text);
  if (with_rows) {
    named.notices.push_back(fmt::format("The last of {} tokens has no row: the last step chose it.", tokens->size()));
    tokens = &*with_rows;
  }
  const auto fitting = [&](const Texts* texts, std::int64_t length, const std::string& what) -> const Texts* {
    if (texts != nullptr && std::ssize(*texts) == length) return texts;
    named.notices.push_back(note_missing(texts, length, what, file));
    named.assumed.push_back(what + "tokens only numbered");
    return nullptr;
  };
  named.tokenizer = make_dump_tokenizer(tokens, queries);
  const bool is_shared = item.texts > 1 && !is_of_text(file.texts, tokens, item) && !is_of_text(beside, tokens, item);
  tokens = fitting(tokens, lengths.text, "");
  if (is_shared && tokens != nullptr) {
    named.notices.push_back(
        fmt::format("The file has one list of tokens for {} texts: it names those of text {}, whether or not they are its own.", item.texts,
                    item.number));
    named.assumed.emplace_back("one list of tokens for all texts");
  }
  named.encoding = make_dump_encoding(tokens, lengths.text, *named.tokenizer, whole_text_of(file, tokens, item));
  if (!has_two_texts) return named;
  named.is_one_text = continues_text && lengths.decoder < lengths.text && continues(queries, tokens, lengths);
  Texts last;
  if (queries == nullptr && continues_text && tokens != nullptr && lengths.decoder < lengths.text) {
    last.assign(tokens->end() - static_cast<std::ptrdiff_t>(lengths.decoder), tokens->end());
    queries = &last;
    named.assumed.emplace_back("queries taken as the last tokens");
    named.notices.push_back(fmt::format("{} queries, {} keys: the queries are taken as the last tokens.", lengths.decoder, lengths.text));
  }
  queries = fitting(queries, lengths.decoder, "query ");
  named.decoder_encoding = make_dump_encoding(queries, lengths.decoder, *named.tokenizer, whole_text_of(file, queries, item));
  return named;
}

}  // namespace headlight
