#include "engine/measures/measured_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headlight {

std::vector<Token> told_by_texts(std::vector<Token> tokens) {
  std::map<std::string, std::int64_t> ids;
  for (Token& token : tokens) token.id = ids.try_emplace(token.text, static_cast<std::int64_t>(ids.size())).first->second;
  return tokens;
}

MeasuredText::MeasuredText(const std::vector<Token>& keys, bool shares_axis)
    : tokens_(&keys), copy_before_(keys.size(), -1), shares_axis_(shares_axis) {
  std::vector<std::pair<std::int64_t, Index>> places;  // sorted, copies of a token lie side by side from the first to the last
  places.reserve(keys.size());
  for (const Token& token : keys) places.emplace_back(token.id, std::ssize(places));
  std::sort(places.begin(), places.end());
  for (std::size_t at = 1; at < places.size(); ++at) {
    if (places[at].first == places[at - 1].first) copy_before_[static_cast<std::size_t>(places[at].second)] = places[at - 1].second;
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
