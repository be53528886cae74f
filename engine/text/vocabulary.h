// Tokens and their ids, from a vocab object of a tokenizer file or a list of tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/formats/json.h"
#include "engine/text/flat_index.h"

namespace headlight {

/// Nothing is ever sized by an id that a file states.
class Vocabulary {
 public:
  static constexpr std::int64_t kHighestId = 0x7FFFFFFF;

  /// Reads {"token": id, …}. Two tokens with one id are reported in `warnings` (the id names the one that is first in byte order).
  /// Throws Error (input) naming the token for an id that is not an integer from 0 to kHighestId, and for an empty vocabulary.
  Vocabulary(const JsonFields& tokens, std::vector<std::string>& warnings);
  /// The tokens of the ids 0, 1, 2 … Where a token occurs twice, its last place is its id, as in the reference libraries, and
  /// `on_repeat(first id, last id)` is called.
  explicit Vocabulary(std::vector<std::string> tokens, const std::function<void(std::size_t, std::size_t)>& on_repeat = {});

  std::size_t size() const { return entries_.size(); }
  std::optional<std::int64_t> id_of(std::string_view token) const;
  const std::string* token_of(std::int64_t id) const;  ///< nullptr when the id is not in use

  /// Calls visit(token, id) for all, in no defined order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_) visit(entry.token, entry.id);
  }

 private:
  struct Entry {
    std::string token;
    std::int64_t id = 0;
  };
  static constexpr std::uint32_t kNone = FlatIndex::kNone;
  static std::uint64_t hash_of(std::string_view token) { return std::hash<std::string_view>()(token); }
  void index_ids(const std::function<void(const Entry& named, const Entry& other)>& on_shared);

  std::vector<Entry> entries_;
  FlatIndex by_token_;
  std::vector<std::uint32_t> by_id_;                         // positions in entries_ of the ids below twice their number
  std::unordered_map<std::int64_t, std::uint32_t> far_ids_;  // and of the others
};

}  // namespace headlight
