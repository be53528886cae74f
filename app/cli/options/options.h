// Options that several subcommands share: what to run, and how figures look. Given options override those of --document.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/options/field_options.h"
#include "app/cli/options/head_names.h"
#include "app/document/document.h"
#include "app/document/fields/names.h"
#include "app/document/files/mask_files.h"
#include "engine/core/error.h"
#include "engine/snapshot.h"

namespace headlight {

[[noreturn]] void refuse_option(const std::string& option, const std::string& problem, const std::string& found = {},
                                const std::string& expected = {}, const std::string& hint = {});

/// One of several things that a command can make, such as a figure or a kind of file, and the options that it uses.
struct OptionUser {
  std::string_view name;
  std::span<const std::string_view> options;
};
/// Refuses an option that was given, that `chosen` does not use and another of `users` does: it would be silently ignored. `what` names
/// the users: "--figure " before "grid". Throws Error (usage) naming the option, the one that was chosen, and those that use the option.
void refuse_unused(const CLI::App& command, std::string_view what, std::string_view chosen, std::span<const OptionUser> users);

/// Whether the ending of a file of tensors is .npz and not .safetensors. Throws Error (usage) for another one.
bool writes_npz(const std::string& output);

/// An option that takes one of the names of an enumeration.
template <typename Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::optional<Enum>& value, const std::string& help) {
  const auto read = [&value, name](const std::string& text) {
    value = from_name<Enum>(text);
    if (!value) refuse_option(name, "unknown name", "\"" + printable(text, 60) + "\"", names_text<Enum>());
  };
  return command.add_option_function<std::string>(name, read, help + ": " + names_text<Enum>())->type_name("NAME");
}

/// --item: which text of a file of attention maps that holds a batch.
void add_item(CLI::App& command, std::optional<int>& item);
/// Throws Error (usage) where an item was chosen but something other than a file of attention maps is opened: it would be silently ignored.
void check_item(std::optional<int> item, const std::string& opened);
/// --mask, which may be given several times and for parts of a model.
CLI::Option* add_masks(CLI::App& command, std::vector<std::string>& masks);
/// Lays the texts of --mask over `edits`. Throws Error (usage) for what is not a mask text, and for heads that the model does not have.
void apply_masks(const std::vector<std::string>& masks, HeadNames& names, MaskEdits& edits);

/// A mask as it was read from a --mask-file, and the heads it is for.
struct ScopedMask {
  Scope scope;
  std::string path;
  MaskFile read;
};
/// Masks by the subject whose query they edit.
using SubjectMasks = std::map<int, std::vector<ScopedMask>>;
/// Checks that masks have the size of their maps; returns notes on how they were read. Throws Error (input) naming both sizes.
std::vector<std::string> check_masks(const std::vector<ScopedMask>& masks, const Snapshot& snapshot);

/// What a command does with a query, and so which options it has.
enum class QueryUse : std::uint8_t {
  run,       ///< everything
  compare,   ///< likewise, for several subjects: --and begins the next one
  corpus,    ///< everything; the text may also be in a file of many
  tokenise,  ///< the text alone: no edits, no sizes, no text of a decoder
};

/// Notes that a command which runs one subject ignores the other texts of the document; empty if there are none.
std::vector<std::string> notes_on_texts(const Document& document);

inline constexpr const char* kTextFileHelp = "The sentence from a file, line breaks and all; - reads it from the standard input";
/// What --text-file names. Throws Error (input), or (limit) over 64 MiB.
std::string read_given_text(const std::string& path);

/// -m -t --text-pair --ids, the sandbox's sizes, heads, masks, switched-off heads, --document, --threads.
class QueryOptions {
 public:
  explicit QueryOptions(CLI::App& command, QueryUse use = QueryUse::run);
  QueryOptions(const QueryOptions&) = delete;
  QueryOptions& operator=(const QueryOptions&) = delete;
  ~QueryOptions();
  /// The document that the options describe: those before the first --and change the focused text of --document, those after it a copy of
  /// the text before, which is added. The first text stays focused. `unknown` takes the fields of --document that this version does not
  /// know (document.h), `masks` what was read from every --mask-file. Throws Error: usage for options that contradict, input for files that
  /// cannot be opened.
  Document document(Json* unknown = nullptr, SubjectMasks* masks = nullptr) const;
  /// The texts that the options describe: the id of each in the document, and its options. Without --and, only the focused one.
  std::vector<std::pair<int, const QueryOptions*>> described(const Document& document) const;
  /// Sentences about what the options do: how exact other head counts are, and options that do nothing here (texts beside maps from a
  /// file, a decoder's text without a decoder).
  std::vector<std::string> notes(const Snapshot& snapshot) const;
  /// The text comes from elsewhere: to be called before `document`.
  void take_no_text() { needs_text_ = false; }
  int threads() const { return threads_; }
  std::string document_path() const { return document_.value_or(""); }  ///< --document; empty: none was given

 private:
  struct Part;
  void add_and(CLI::App& command);
  void begin_next();
  std::vector<ScopedMask> apply(Query& query, bool has_base) const;
  void add_text(CLI::App& command);
  void add_edits(CLI::App& command);
  void apply_text(Query& query, bool has_base) const;
  void apply_sandbox(ModelChoice& model) const;
  std::vector<ScopedMask> apply_edits(Query& query) const;

  std::optional<std::string> document_, model_, text_, text_file_, text_pair_, ids_, switched_off_;
  std::optional<std::string> decoder_text_;
  std::optional<int> item_;
  std::optional<int> heads_, kv_heads_;
  std::optional<FieldOptions<SandboxSpec>> sandbox_;
  bool is_special_text_plain_ = false, is_unscaled_ = false;
  std::optional<ScoreKind> score_;
  std::optional<MaskReach> mask_reach_;
  std::optional<float> temperature_, softcap_, sink_;
  std::vector<std::string> masks_, mask_files_, denied_, allowed_, edits_;
  int threads_ = 0;
  bool needs_text_ = true;
  std::vector<CLI::Option*> own_;             // those of one subject
  std::vector<std::unique_ptr<Part>> parts_;  // the subjects before each --and, in order; what this object itself holds is the last one's
};

/// The options of style_fields(), and --pin: the style of a document.
class StyleOptions {
 public:
  explicit StyleOptions(CLI::App& command);
  void apply(Document& document) const;

 private:
  FieldOptions<Style> style_;
  std::vector<std::string> pins_;
};

}  // namespace headlight
