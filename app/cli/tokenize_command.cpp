#include <fmt/core.h>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/encoding_json.h"
#include "app/cli/options.h"
#include "engine/attention/attention_dump.h"
#include "engine/formats/json.h"
#include "engine/model/model_places.h"
#include "engine/text/gguf_tokenizer.h"

namespace headlight {
namespace {

struct TokenizeOptions {
  explicit TokenizeOptions(CLI::App& command) : query(command) {}
  QueryOptions query;
};

std::shared_ptr<const Tokenizer> tokenizer_of(const ModelChoice& model) {
  if (model.name == "sandbox") return make_sandbox_tokenizer(model.sandbox.unit);
  const std::filesystem::path path = model_path(model.name);
  if (names_attention_dump(path.string())) {
    refuse_option("-m", "maps from a file have no tokenizer", model.name, "a model folder, a GGUF file or an id in the cache");
  }
  return is_gguf(path) ? load_gguf_tokenizer(GgufFile(path)) : load_tokenizer(path);
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
    text += fmt::format("{}\n  \"{}\": {}", text.empty() ? "{" : ",", key, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return text + "\n}\n";
}

int run_tokenize(const TokenizeOptions& options) {
  const Query query = options.query.document().query;
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(query.model);
  const std::optional<std::string_view> pair = query.text_pair ? std::optional<std::string_view>(*query.text_pair) : std::nullopt;
  const Encoding encoding = query.ids.empty() ? tokenizer->encode(query.text, pair, {.reads_special_text = query.reads_special_text})
                                              : encoding_of_ids(*tokenizer, query.ids);
  print_notes(encoding.notices);
  write_result(one_line_each(encoding_json(encoding)));
  return 0;
}

}  // namespace

void add_tokenize(CLI::App& program, Action& action) {
  add_command<TokenizeOptions>(program, action, "tokenize", "Print ids, tokens and offsets (in code points) of a text as JSON",
                               R"(headlight tokenize -m sandbox -t "The cat sat on the mat")", run_tokenize);
}

}  // namespace headlight
