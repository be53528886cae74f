// Tokens and their ids, from a vocab object of a tokenizer file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/formats/json.h"

namespace headlight {

/// Both ways by hashing: nothing is ever sized by an id that a file states.
class Vocabulary {
 public:
  static constexpr std::int64_t kHighestId = 0x7FFFFFFF;

  /// Reads {"token": id, …}. Two tokens with one id are said in `warnings` (the first by byte order is the one that the id names).
  /// Throws Error (input) naming the token for an id that is no integer from 0 to kHighestId, and for an empty vocabulary.
  Vocabulary(const JsonFields& tokens, std::vector<std::string>& warnings);

  std::size_t size() const { return ids_.size(); }
  std::optional<std::int64_t> id_of(std::string_view token) const;
  const std::string* token_of(std::int64_t id) const;  ///< nullptr when the id is not in use

  /// Calls visit(token, id) for all, in no defined order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const auto& [token, id] : ids_) visit(token, id);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
  std::unordered_map<std::int64_t, const std::string*> tokens_;  // into ids_, whose nodes do not move
};

}  // namespace headlight
