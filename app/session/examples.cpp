#include "app/session/examples.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "engine/core/assets.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestExample = 64 << 10;
constexpr std::size_t kMostRelations = 32;
constexpr int kExampleDepth = 8;
constexpr const char* kExamplesKey = "examples";

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

Example load_example(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  const Json json = parse_json(read_file(path, kLargestExample), file, JsonOptions{kExampleDepth, 0, {}});
  const JsonFields fields(json, file);
  Example example{fields.text("name"), fields.text("text"), {}};
  const Json& relations = fields.array("relations");
  if (relations.size() > kMostRelations) {
    fields.refuse("relations", "there are too many", std::to_string(relations.size()), fmt::format("at most {}", kMostRelations));
  }
  for (std::size_t place = 0; place < relations.size(); ++place) {
    example.relations.push_back(relation_of(relations[place], file, fmt::format("relations[{}]", place), example.text));
  }
  return example;
}

std::vector<Example> load_examples(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  if (!folder.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Example> examples;
  examples.reserve(files.size());
  for (const std::filesystem::path& file : files) examples.push_back(load_example(file));
  return examples;
}

std::shared_ptr<const std::vector<Example>> ExampleShelf::ask() {
  if (!was_asked_) {
    was_asked_ = true;
    worker_.request_side(kExamplesKey, [](Progress&) {
      const std::filesystem::path assets = assets_folder();
      return std::make_shared<const std::vector<Example>>(load_examples(assets.empty() ? assets : assets / "examples"));
    });
  }
  return std::static_pointer_cast<const std::vector<Example>>(worker_.side(kExamplesKey));
}

const Example* find_example(const std::vector<Example>& examples, std::string_view text) {
  const auto found = std::find_if(examples.begin(), examples.end(), [&](const Example& each) { return each.text == text; });
  return found == examples.end() ? nullptr : &*found;
}

}  // namespace headlight
