#include "engine/text/vocabulary.h"

#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"

namespace headlight {

Vocabulary::Vocabulary(const JsonFields& tokens, std::vector<std::string>& warnings) : by_token_(tokens.value().size()) {
  const Json& object = tokens.value();
  if (object.empty()) {
    throw Error({.kind = ErrorKind::input, .file = tokens.file(), .field = tokens.path(), .problem = "the vocabulary is empty"});
  }
  entries_.reserve(object.size());
  for (auto item = object.begin(); item != object.end(); ++item) {
    const bool is_id = item->is_number_unsigned() && item->get<std::uint64_t>() <= static_cast<std::uint64_t>(kHighestId);
    // The slow way explains what is wrong.
    const std::int64_t id = is_id ? item->get<std::int64_t>() : tokens.integer(item.key(), 0, kHighestId);
    const auto position = static_cast<std::uint32_t>(entries_.size());
    by_token_.insert(hash_of(item.key()), position, [&](std::uint32_t other) { return entries_[other].token == item.key(); });
    entries_.push_back({item.key(), id});
  }
  index_ids([&](const Entry& named, const Entry& other) {
    warnings.push_back(fmt::format("{}: {}: tokens \"{}\" and \"{}\" share the id {}", tokens.file(), tokens.path(),
                                   printable(named.token, 60), printable(other.token, 60), named.id));
  });
}

Vocabulary::Vocabulary(std::vector<std::string> tokens, const std::function<void(std::size_t, std::size_t)>& on_repeat)
    : by_token_(tokens.size()) {
  entries_.reserve(tokens.size());
  for (std::size_t id = 0; id < tokens.size(); ++id) entries_.push_back({std::move(tokens[id]), static_cast<std::int64_t>(id)});
  // From the end, so that the last of equal tokens is the one that is found.
  for (auto position = static_cast<std::uint32_t>(entries_.size()); position-- > 0;) {
    const std::string& token = entries_[position].token;
    const auto [last, is_new] =
        by_token_.insert(hash_of(token), position, [&](std::uint32_t other) { return entries_[other].token == token; });
    if (!is_new && on_repeat) on_repeat(position, last);
  }
  index_ids({});
}

void Vocabulary::index_ids(const std::function<void(const Entry& named, const Entry& other)>& on_shared) {
  by_id_.assign(2 * entries_.size(), kNone);
  for (std::uint32_t position = 0; position < entries_.size(); ++position) {
    const auto id = static_cast<std::uint64_t>(entries_[position].id);
    std::uint32_t& known = id < by_id_.size() ? by_id_[id] : far_ids_.try_emplace(entries_[position].id, kNone).first->second;
    if (known == kNone) {
      known = position;
    } else if (on_shared) {
      on_shared(entries_[known], entries_[position]);
    }
  }
}

std::optional<std::int64_t> Vocabulary::id_of(std::string_view token) const {
  const std::uint32_t position = by_token_.find(hash_of(token), [&](std::uint32_t other) { return entries_[other].token == token; });
  if (position == kNone) return std::nullopt;
  return entries_[position].id;
}

const std::string* Vocabulary::token_of(std::int64_t id) const {
  if (id >= 0 && static_cast<std::uint64_t>(id) < by_id_.size()) {
    const std::uint32_t position = by_id_[static_cast<std::size_t>(id)];
    return position == kNone ? nullptr : &entries_[position].token;
  }
  const auto item = far_ids_.find(id);
  return item == far_ids_.end() ? nullptr : &entries_[item->second].token;
}

}  // namespace headlight
