#include "app/gui/panel/cell_words.h"

#include <fmt/core.h>

#include "app/gui/panel/focus.h"
#include "engine/core/numbers.h"

namespace headlight {

std::vector<Span> words_of_cell(const Palette& colours, const HeadMaps& maps, Cell cell, const TokenNames& queries, const TokenNames& keys,
                                bool is_mask_assumed) {
  const Colour plain = colours.text_second;
  const auto quoted = [](const TokenNames& names, Index token) { return "“" + names[token] + "”" + names.counted(token); };
  const auto share = [&](Index key) { return percent_text(static_cast<double>(maps.weights(cell.query, key))); };
  std::vector<Span> spans{{quoted(queries, cell.query), colours.query}};
  const bool is_masked = maps.mask != nullptr && !maps.mask->allows(cell.query, cell.key);
  const char* may_not = is_mask_assumed ? " gives no attention to " : " may not look at ";
  spans.push_back({is_masked ? may_not : fmt::format(" gives {} of this head’s attention to ", share(cell.key)), plain});
  spans.push_back({quoted(keys, cell.key), colours.key});
  if (is_masked) spans.push_back({is_mask_assumed ? ": a causal mask is assumed" : ": the mask forbids it", plain});
  const std::vector<Index> largest = largest_keys(maps, cell.query, 2);
  const bool is_largest = !largest.empty() && largest.front() == cell.key;
  if (is_largest && largest.size() > 1) {
    spans.push_back({"; next is ", plain});
    spans.push_back({quoted(keys, largest[1]), colours.key});
    spans.push_back({fmt::format(" with {}", share(largest[1])), plain});
  } else if (!is_largest && !largest.empty()) {
    spans.push_back({"; ", plain});
    spans.push_back({quoted(keys, largest.front()), colours.key});
    spans.push_back({fmt::format(" gets the most, {}", share(largest.front())), plain});
  }
  spans.push_back({".", plain});
  return spans;
}

}  // namespace headlight
