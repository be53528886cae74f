#include "engine/measures/measured_text.h"

#include <map>
#include <unordered_map>

namespace headlight {

std::vector<Token> told_by_texts(std::vector<Token> tokens) {
  std::map<std::string, std::int64_t> ids;
  for (Token& token : tokens) token.id = ids.try_emplace(token.text, static_cast<std::int64_t>(ids.size())).first->second;
  return tokens;
}

MeasuredText::MeasuredText(const std::vector<Token>& keys, bool shares_axis) : tokens_(&keys), shares_axis_(shares_axis) {
  std::unordered_map<std::int64_t, Index> last;
  copy_before_.reserve(keys.size());
  for (const Token& token : keys) {
    const auto [entry, is_new] = last.try_emplace(token.id, -1);
    copy_before_.push_back(entry->second);
    entry->second = std::ssize(copy_before_) - 1;
  }
}

std::vector<Index> MeasuredText::keys_of(const KeySet& keys, Index all_keys) const {
  std::vector<std::int64_t> found;
  if (has_tokens()) {
    found = keys_of_text(keys, *tokens_);
  } else {
    found = keys_of_text({.positions = keys.positions}, std::vector<Token>(static_cast<std::size_t>(all_keys)));
  }
  return {found.begin(), found.end()};
}

}  // namespace headlight
