#include "app/work/examples.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/core/assets.h"
#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestExample = 64 << 10;
constexpr std::size_t kMostRelations = 32;
constexpr int kExampleDepth = 8;

Relation relation_of(const Json& json, const std::string& file, const std::string& place, std::string_view text) {
  const JsonFields fields(json, file, place);
  Relation relation{fields.text("from"), fields.text("to"), fields.text("label")};
  for (const auto& [field, word] : {std::pair("from", &relation.from), std::pair("to", &relation.to)}) {
    if (word->empty() || text.find(*word) == std::string_view::npos) {
      fields.refuse(field, "the text does not hold this word", in_quotes(*word), "a word of the text");
    }
  }
  return relation;
}

bool is_part_of_word(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return std::isalnum(value) != 0 || value >= 0x80U;
}

/// Where a word first occurs on its own ("I", not the beginning of "It"); the end of the text if it does not.
std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_part_of_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_part_of_word(text[end]))) return at;
  }
  return text.size();
}

/// The tokens of a word, [first, end); {0, 0} if there are none.
std::pair<int, int> tokens_of(const Encoding& encoding, std::string_view word) {
  const std::size_t begin = find_word(encoding.text, word), end = begin + word.size();
  std::pair<int, int> tokens{0, 0};
  for (std::size_t place = 0; place < encoding.tokens.size(); ++place) {
    const Token& token = encoding.tokens[place];
    if (token.sequence != 0 || token.bytes.begin >= end || token.bytes.end <= begin) continue;
    if (tokens.second == 0) tokens.first = static_cast<int>(place);
    tokens.second = static_cast<int>(place) + 1;
  }
  return tokens;
}

}  // namespace

std::optional<CellBlock> cells_of(const Relation& relation, const Encoding& encoding) {
  const auto [query_begin, query_end] = tokens_of(encoding, relation.from);
  const auto [key_begin, key_end] = tokens_of(encoding, relation.to);
  if (query_end == 0 || key_end == 0) return std::nullopt;
  return CellBlock{query_begin, query_end, key_begin, key_end, true};
}

Example load_example(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  const JsonTree json = parse_json(read_file(path, kLargestExample), file, JsonOptions{kExampleDepth, 0, {}});
  const JsonFields fields(*json, file);
  Example example{fields.text("name"), fields.text("text"), {}, fields.has("model") ? fields.text("model") : std::string()};
  const Json& relations = fields.array("relations");
  if (relations.size() > kMostRelations) {
    fields.refuse("relations", "there are too many", std::to_string(relations.size()), fmt::format("at most {}", kMostRelations));
  }
  for (std::size_t place = 0; place < relations.size(); ++place) {
    example.relations.push_back(relation_of(relations[place], file, fmt::format("relations[{}]", place), example.text));
  }
  return example;
}

Examples load_examples(const std::filesystem::path& folder) {
  Examples examples;
  if (folder.empty()) return examples;
  for (const std::filesystem::path name : file_names_in(folder)) {
    if (name.extension() != ".json") continue;
    try {
      examples.sentences.push_back(load_example(folder / name));
    } catch (const Error& error) {
      examples.left_out.push_back(error.message());
    }
  }
  return examples;
}

ExampleShelf::ExampleShelf(Worker& worker)
    : study_(worker.desk(), [](std::monostate, StepContext&) {
        const std::filesystem::path assets = assets_folder();
        return load_examples(assets.empty() ? assets : assets / "examples");
      }) {}

std::shared_ptr<const Examples> ExampleShelf::ask() {
  return study_.ask({});
}

const Example* find_example(const std::vector<Example>& examples, std::string_view text) {
  const auto found = std::find_if(examples.begin(), examples.end(), [&](const Example& each) { return each.text == text; });
  return found == examples.end() ? nullptr : &*found;
}

}  // namespace headlight
