// What single heads of a built-in model do, in a sentence that shows it: the field "heads" of its card.json.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/session/worker.h"

namespace headlight {

struct ToldHead {
  HeadId head;
  std::string name;      ///< "the token before"
  std::string text;      ///< the sentence
  Index query = 0;       ///< the token of the sentence whose row shows it
  std::string from, to;  ///< the words of query and key
  bool operator==(const ToldHead&) const = default;
};

/// Of a card.json; none where it has no such field. Throws Error (input) naming file and field.
std::vector<ToldHead> load_told_heads(const std::filesystem::path& card);

/// They as the window asks for them: read on the compute thread, once per model. Thread contract: the UI thread only.
class ToldHeadShelf {
 public:
  explicit ToldHeadShelf(Worker& worker) : worker_(worker) {}
  /// Of a model by its name in documents; null until they are read. Empty for models that are not built in.
  std::shared_ptr<const std::vector<ToldHead>> ask(const std::string& model);

 private:
  Worker& worker_;
  std::string asked_;  ///< the model that was asked for last
};

}  // namespace headlight
