// What a few typed letters may mean: how well they fit a name.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight {

struct Match {
  int score = 0;                     ///< the higher, the better
  std::vector<std::size_t> letters;  ///< bytes of the name that were typed, ascending
};

/// Every word that was typed must fit the name, or begin one of `words`: as a word of it, the beginning of one, a part of one, the first
/// letters of several ("saf": save as file), or letters in their order that lie close together. Case does not count. Empty: it does not
/// fit. Nothing typed fits everything.
std::optional<Match> match(std::string_view typed, std::string_view name, std::string_view words = {});

}  // namespace headlight
