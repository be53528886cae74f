#include <fmt/core.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/encoding_json.h"
#include "app/cli/options/options.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/json.h"
#include "engine/model/files/checked_model.h"
#include "engine/model/files/model_places.h"
#include "engine/text/files/gguf_tokenizer.h"
#include "engine/text/files/load_tokenizer.h"

namespace headlight {
namespace {

struct TokenizeOptions {
  explicit TokenizeOptions(CLI::App& command) : query(command, QueryUse::tokenise) {}
  QueryOptions query;
};

/// A tokenizer, and what `trace` would say of the model that it belongs to.
struct OpenedTokenizer {
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> notes;
  std::optional<int> embeddings, positions;  ///< of the model, if it has such tables
};

OpenedTokenizer without_model(std::shared_ptr<const Tokenizer> tokenizer) {
  std::vector<std::string> notes = tokenizer->warnings();
  return {std::move(tokenizer), std::move(notes), {}, {}};
}

/// The files of the model are checked as for `trace`, but no weights are read. Where they do not make a model, as in a folder that holds a
/// tokenizer alone, the tokenizer is opened by itself.
OpenedTokenizer open_tokenizer(const ModelChoice& model) {
  if (model.name == "sandbox") return without_model(make_sandbox_tokenizer(model.sandbox.unit));
  const std::filesystem::path path = model_path(model.name);
  if (names_attention_dump(path.string())) {
    refuse_option("-m", "maps from a file have no tokenizer", model.name, "a model folder, a GGUF file or an id in the cache");
  }
  try {
    const CheckedModel checked = is_gguf(path) ? check_gguf(path) : check_model_folder(path);
    const ModelConfig& config = checked.config.sizes;
    OpenedTokenizer opened{checked.tokenizer, checked.notices, {}, {}};
    if (config.vocabulary > 0) opened.embeddings = config.vocabulary;
    if (config.positions.most > 0) opened.positions = config.positions.most;
    return opened;
  } catch (const Error& why) {
    OpenedTokenizer opened = without_model(is_gguf(path) ? load_gguf_tokenizer(GgufFile(path)) : load_tokenizer(path));
    opened.notes.push_back("Only the tokenizer was opened; the model cannot be: " + why.message());
    return opened;
  }
}

/// Notes on tokens that the model cannot read: `trace` refuses those without an embedding, and shows as many as there are positions.
std::vector<std::string> notes_on(const Encoding& encoding, const OpenedTokenizer& opened) {
  std::vector<std::string> notes = encoding.notices;
  for (const Token& token : encoding.tokens) {
    if (!opened.embeddings || token.id < *opened.embeddings) continue;
    notes.push_back(fmt::format("{}: the model has no embedding for the token \"{}\" (id {}): there are {}. `trace` refuses this text.",
                                opened.tokenizer->file(), printable(token.text, 60), token.id, *opened.embeddings));
    break;
  }
  if (opened.positions && std::ssize(encoding.tokens) > *opened.positions) {
    notes.push_back(fmt::format("{} tokens are more than the {} that the model was made for.", encoding.tokens.size(), *opened.positions));
  }
  return notes;
}

Encoding encoding_of_ids(const Tokenizer& tokenizer, const std::vector<std::int64_t>& ids) {
  Encoding encoding;
  for (const std::int64_t id : ids) {
    const std::optional<std::string> text = tokenizer.token_of(id);
    if (!text) refuse_option("--ids", "no token has this id", std::to_string(id), tokenizer.description());
    Token token;
    token.id = id;
    token.text = *text;
    encoding.tokens.push_back(std::move(token));
  }
  return encoding;
}

/// An object with each field on a line of its own.
std::string one_line_each(const nlohmann::ordered_json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}\n  \"{}\": {}", text.empty() ? "{" : ",", key, json_text(value));
  }
  return text + "\n}\n";
}

int run_tokenize(const TokenizeOptions& options) {
  const Document document = options.query.document();
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  const OpenedTokenizer opened = open_tokenizer(query.model);
  const Tokenizer& tokenizer = *opened.tokenizer;
  const std::optional<std::string_view> pair = query.text_pair ? std::optional<std::string_view>(*query.text_pair) : std::nullopt;
  const Encoding encoding = query.ids.empty() ? tokenizer.encode(query.text, pair, {.reads_special_text = query.reads_special_text})
                                              : encoding_of_ids(tokenizer, query.ids);
  print_notes(opened.notes);
  print_notes(notes_on(encoding, opened));
  write_result(one_line_each(encoding_json(encoding)));
  return 0;
}

}  // namespace

void add_tokenize(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<TokenizeOptions>(command, action, run_tokenize);
}

}  // namespace headlight
