#include "engine/dumps/token_lists.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight {
namespace {

bool holds_strings(const Json& list) {
  return list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_string(); });
}

}  // namespace

std::optional<std::vector<DumpTexts>> token_lists(const Json& tree, const std::string& name) {
  std::vector<DumpTexts> lists;
  if (holds_strings(tree)) {
    lists.push_back({name, tree.get<std::vector<std::string>>()});
    return lists;
  }
  if (!tree.is_array() || !std::all_of(tree.begin(), tree.end(), holds_strings)) return std::nullopt;
  for (const Json& each : tree) lists.push_back({fmt::format("{}.{}", name, lists.size()), each.get<std::vector<std::string>>()});
  return lists;
}

}  // namespace headlight
