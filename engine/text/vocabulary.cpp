#include "engine/text/vocabulary.h"

#include <fmt/core.h>

#include "engine/core/error.h"

namespace headlight {

Vocabulary::Vocabulary(const JsonFields& tokens, std::vector<std::string>& warnings) {
  const Json& object = tokens.value();
  if (object.empty()) {
    throw Error({.kind = ErrorKind::input, .file = tokens.file(), .field = tokens.path(), .problem = "the vocabulary is empty"});
  }
  ids_.reserve(object.size());
  tokens_.reserve(object.size());
  for (const auto& [token, value] : object.items()) {
    const std::int64_t id = tokens.integer(token, 0, kHighestId);
    const auto item = ids_.emplace(token, id).first;
    const auto [named, is_new] = tokens_.emplace(id, &item->first);
    if (!is_new) {
      warnings.push_back(fmt::format("{}: {}: tokens \"{}\" and \"{}\" share the id {}", tokens.file(), tokens.path(),
                                     printable(*named->second, 60), printable(token, 60), id));
    }
  }
}

std::optional<std::int64_t> Vocabulary::id_of(std::string_view token) const {
  const auto item = ids_.find(token);
  if (item == ids_.end()) return std::nullopt;
  return item->second;
}

const std::string* Vocabulary::token_of(std::int64_t id) const {
  const auto item = tokens_.find(id);
  return item == tokens_.end() ? nullptr : item->second;
}

}  // namespace headlight
