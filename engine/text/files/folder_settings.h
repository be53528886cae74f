// What the small files beside a vocabulary say: tokenizer_config.json, special_tokens_map.json, added_tokens.json, config.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/text/steps/added_tokens.h"
#include "engine/text/steps/post_processor.h"

namespace headlight {

/// Whether the folder has an entry of this name; a broken link counts, so that it is explained and not skipped.
bool has_file(const std::filesystem::path& folder, const std::string& name);
/// The bytes of a tokenizer file, at most 256 MiB. Throws Error (input or limit).
std::string read_tokenizer_file(const std::filesystem::path& path);
std::string printable_path(const std::filesystem::path& path);

/// Immutable. Every file may be missing. Throws Error (input) naming file and field when a file is there but broken.
class FolderSettings {
 public:
  FolderSettings(const std::filesystem::path& folder, std::vector<std::string>& warnings);

  /// Whose tokenizer this is, in lower case: the "tokenizer_class" without "Tokenizer" and "Fast" ("bert", "t5", "xlmroberta"), else
  /// the "model_type" of config.json without "-" and "_".
  const std::string& kind() const { return kind_; }
  bool is_kind(std::initializer_list<std::string_view> kinds) const;

  bool boolean_or(const std::string& key, bool fallback) const;
  std::optional<bool> boolean(const std::string& key) const;
  std::int64_t integer_or(const std::string& key, std::int64_t fallback, std::int64_t highest) const;

  /// The text of "bos_token" and the like; nullopt where no file names it, or it is null.
  std::optional<std::string> special_text(const std::string& key) const;
  /// The special token of that name, or `fallback`, with its id. Throws Error (input) with `vocabulary_file` when it is not in the
  /// vocabulary.
  SpecialToken special(const std::string& key, const std::string& fallback, const Vocabulary& vocabulary,
                       const std::string& vocabulary_file) const;
  /// Everything that is found in text before anything else: the special tokens that are in the vocabulary, named by the files or in
  /// `defaults`; those of added_tokens.json; those of "added_tokens_decoder", whose settings win.
  std::vector<AddedToken> added_tokens(const Vocabulary& vocabulary, const std::vector<std::string>& defaults) const;

 private:
  struct File {
    JsonTree json{Json::object()};
    std::string name;
    JsonFields fields() const { return {*json, name}; }
  };
  static File read(const std::filesystem::path& folder, const std::string& name, std::vector<std::string>& warnings);
  void find_kind();
  void add_named(const File& file, const Vocabulary& vocabulary, std::vector<AddedToken>& into) const;
  void add_decoder(std::vector<AddedToken>& into) const;

  File tokenizer_config_;
  File special_tokens_;
  File added_tokens_;
  File config_;
  std::string kind_;
};

}  // namespace headlight
