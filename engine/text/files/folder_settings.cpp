#include "engine/text/files/folder_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpecialKeys[] = {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

/// A special token is a text, or an object with the text as "content".
std::optional<std::string> text_of(const JsonFields& file, const std::string& key) {
  if (!file.has(key)) return std::nullopt;
  return file.at(key).is_object() ? file.object(key).text("content") : file.text(key);
}

AddedToken added_special(std::string content, std::int64_t id) {
  AddedToken token;
  token.id = id;
  token.content = std::move(content);
  token.is_special = true;
  return token;
}

void read_flags(const JsonFields& fields, AddedToken& token) {
  token.is_single_word = fields.boolean_or("single_word", token.is_single_word);
  token.strips_left = fields.boolean_or("lstrip", token.strips_left);
  token.strips_right = fields.boolean_or("rstrip", token.strips_right);
  token.is_normalized = fields.boolean_or("normalized", token.is_normalized);
  token.is_special = fields.boolean_or("special", token.is_special);
}

/// Adds the token, or replaces the one with its text.
void put(AddedToken token, std::vector<AddedToken>& into) {
  const auto same = std::find_if(into.begin(), into.end(), [&](const AddedToken& other) { return other.content == token.content; });
  if (same == into.end()) {
    into.push_back(std::move(token));
  } else {
    *same = std::move(token);
  }
}

std::string small_letters(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter >= 'A' && letter <= 'Z') result.push_back(static_cast<char>(letter - 'A' + 'a'));
    if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) result.push_back(letter);
  }
  return result;
}

}  // namespace

bool has_file(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(folder / name, ignored));
}

std::string read_tokenizer_file(const fs::path& path) {
  constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20U;  // real ones reach about 35 MB (Gemma)
  return read_file(path, kLargestFile);
}

std::string printable_path(const fs::path& path) {
  return printable(path.native(), 4096);
}

FolderSettings::FolderSettings(const fs::path& folder, std::vector<std::string>& warnings)
    : tokenizer_config_(read(folder, "tokenizer_config.json", warnings)),
      special_tokens_(read(folder, "special_tokens_map.json", warnings)),
      added_tokens_(read(folder, "added_tokens.json", warnings)),
      config_(read(folder, "config.json", warnings)) {
  find_kind();
}

FolderSettings::File FolderSettings::read(const fs::path& folder, const std::string& name, std::vector<std::string>& warnings) {
  File file;
  file.name = printable_path(folder / name);
  if (has_file(folder, name)) file.json = parse_json(read_tokenizer_file(folder / name), file.name, {}, &warnings);
  file.fields();  // explains what is not an object
  return file;
}

void FolderSettings::find_kind() {
  kind_ = small_letters(tokenizer_config_.fields().text_or("tokenizer_class", ""));
  if (kind_.ends_with("fast")) kind_.resize(kind_.size() - 4);
  if (kind_.ends_with("tokenizer")) kind_.resize(kind_.size() - 9);
  // Newer files name no family: PreTrainedTokenizer, TokenizersBackend.
  const bool says_nothing = kind_.empty() || kind_ == "pretrained" || kind_ == "tokenizersbackend";
  if (says_nothing) kind_ = small_letters(config_.fields().text_or("model_type", ""));
}

bool FolderSettings::is_kind(std::initializer_list<std::string_view> kinds) const {
  return std::find(kinds.begin(), kinds.end(), kind_) != kinds.end();
}

bool FolderSettings::boolean_or(const std::string& key, bool fallback) const {
  return tokenizer_config_.fields().boolean_or(key, fallback);
}

std::optional<bool> FolderSettings::boolean(const std::string& key) const {
  if (!tokenizer_config_.fields().has(key)) return std::nullopt;
  return boolean_or(key, false);
}

std::int64_t FolderSettings::integer_or(const std::string& key, std::int64_t fallback, std::int64_t highest) const {
  return tokenizer_config_.fields().integer_or(key, fallback, 0, highest);
}

std::optional<std::string> FolderSettings::special_text(const std::string& key) const {
  std::optional<std::string> text = text_of(tokenizer_config_.fields(), key);
  return text ? text : text_of(special_tokens_.fields(), key);
}

SpecialToken FolderSettings::special(const std::string& key, const std::string& fallback, const Vocabulary& vocabulary,
                                     const std::string& vocabulary_file) const {
  const std::string text = special_text(key).value_or(fallback);
  const std::optional<std::int64_t> id = vocabulary.id_of(text);
  if (!id) {
    throw Error({.kind = ErrorKind::input,
                 .file = vocabulary_file,
                 .field = key,
                 .problem = "the special token is not in the vocabulary",
                 .found = in_quotes(text),
                 .hint = "Another text can be named in tokenizer_config.json."});
  }
  return {text, *id};
}

std::vector<AddedToken> FolderSettings::added_tokens(const Vocabulary& vocabulary, const std::vector<std::string>& defaults) const {
  std::vector<AddedToken> tokens;
  for (const std::string& text : defaults) {
    if (const std::optional<std::int64_t> id = vocabulary.id_of(text)) put(added_special(text, *id), tokens);
  }
  const JsonFields added = added_tokens_.fields();
  for (const auto& [text, id] : added.value().items()) {
    if (text.empty()) added.refuse(text, "the added token has no text");
    AddedToken token = added_special(text, added.integer(text, 0, Vocabulary::kHighestId));
    token.is_special = false;
    put(std::move(token), tokens);
  }
  add_named(special_tokens_, vocabulary, tokens);
  add_named(tokenizer_config_, vocabulary, tokens);
  add_decoder(tokens);
  return tokens;
}

void FolderSettings::add_named(const File& file, const Vocabulary& vocabulary, std::vector<AddedToken>& into) const {
  const JsonFields fields = file.fields();
  const auto add = [&](const std::string& text, const Json& value) {
    const auto known = std::find_if(into.begin(), into.end(), [&](const AddedToken& token) { return token.content == text; });
    const std::optional<std::int64_t> id = known != into.end() ? std::optional(known->id) : vocabulary.id_of(text);
    if (!id || text.empty()) return;
    AddedToken token = known != into.end() ? *known : added_special(text, *id);
    token.is_special = true;
    if (value.is_object()) read_flags({value, file.name}, token);
    token.is_special = true;
    put(std::move(token), into);
  };
  for (const char* name : kSpecialKeys) {
    if (const std::optional<std::string> text = text_of(fields, name)) add(*text, fields.at(name));
  }
  if (!fields.has("additional_special_tokens")) return;
  for (const Json& value : fields.array("additional_special_tokens")) {
    const Json entry = {{"content", value}};
    if (const std::optional<std::string> text = text_of({entry, file.name, "additional_special_tokens"}, "content")) add(*text, value);
  }
}

void FolderSettings::add_decoder(std::vector<AddedToken>& into) const {
  const JsonFields config = tokenizer_config_.fields();
  if (!config.has("added_tokens_decoder")) return;
  const JsonFields decoder = config.object("added_tokens_decoder");
  for (const auto& [number, value] : decoder.value().items()) {
    const JsonFields entry(value, decoder.file(), decoder.path_of(number));
    std::int64_t id = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
    if (error != std::errc() || end != number.data() + number.size() || id < 0 || id > Vocabulary::kHighestId) {
      decoder.refuse(number, "the id is wrong", in_quotes(number), fmt::format("an integer from 0 to {}", Vocabulary::kHighestId));
    }
    AddedToken token = added_special(entry.text("content"), id);
    if (token.content.empty()) entry.refuse("content", "the added token has no text");
    token.is_special = false;
    read_flags(entry, token);
    put(std::move(token), into);
  }
}

}  // namespace headlight
