#include "app/work/examples.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/assets.h"
#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/text/words.h"

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

}  // namespace

std::optional<CellBlock> cells_of(const Relation& relation, const Encoding& encoding) {
  const std::optional<TokenRange> query = tokens_of_word(encoding, relation.from);
  const std::optional<TokenRange> key = tokens_of_word(encoding, relation.to);
  if (!query || !key) return std::nullopt;
  return CellBlock{query->begin, query->end, key->begin, key->end, true};
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
