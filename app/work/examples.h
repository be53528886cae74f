// Sentences that show what several heads are for, with the relations that a reader sees in them: assets/examples/*.json.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/attention/mask.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// A relation that a person sees between two words; nothing is computed from it.
struct Relation {
  std::string from, to;  ///< words of the text
  std::string label;
  bool operator==(const Relation&) const = default;
};

struct Example {
  std::string name;
  std::string text;
  std::vector<Relation> relations;
  std::string model = {};  ///< a built-in one in which they can be seen; empty: any
  bool operator==(const Example&) const = default;
};

/// One file. Throws Error (input) naming file and field; a relation whose words are not in the text is refused.
Example load_example(const std::filesystem::path& path);
struct Examples {
  std::vector<Example> sentences;
  std::vector<std::string> left_out;  ///< a sentence for each file that could not be used: which, and why
};
/// All *.json of a folder, sorted by file name. None for an empty path or a folder that does not exist. A broken file does not hide the
/// others.
Examples load_examples(const std::filesystem::path& folder);

/// The examples as the window asks for them: read once, on the compute thread. Thread contract: the UI thread only.
class ExampleShelf {
 public:
  explicit ExampleShelf(Worker& worker);
  /// Null until they are read.
  std::shared_ptr<const Examples> ask();

 private:
  Study<std::monostate, Examples> study_;
};

/// The cells of a relation in a map of this text with itself: the queries of one word's tokens, the keys of the other's. Empty if a
/// token of them is missing (the text was cut).
std::optional<CellBlock> cells_of(const Relation& relation, const Encoding& encoding);

/// The example whose sentence `text` is; null when none.
const Example* find_example(const std::vector<Example>& examples, std::string_view text);

}  // namespace headlight
