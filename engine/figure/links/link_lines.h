// Which weights are drawn as lines: those above a threshold, or the largest of every query, between the chosen parts of a text.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/links/link_maps.h"

namespace headlight {

/// From the first or second text of a pair to the first or second. Where the text is not a pair everything is first_to_first.
enum class PairPart : std::uint8_t { first_to_first, first_to_second, second_to_first, second_to_second };
inline constexpr std::size_t kPairParts = 4;
/// "A → B"
std::string_view name_of(PairPart part);

enum class LinkRule : std::uint8_t {
  threshold,  ///< weights of at least LinkFilter::threshold
  top,        ///< the LinkFilter::top largest weights of every query, of each head
};
std::string_view name_of(LinkRule rule);

inline constexpr int kMostTop = 20;

/// Which lines are wanted.
struct LinkFilter {
  LinkRule rule = LinkRule::threshold;
  float threshold = 0.1F;
  int top = 3;
  std::array<bool, kPairParts> parts{true, true, true, true};  ///< of a pair: those that are shown
  bool has_special = true;                                     ///< lines from and to tokens that the tokenizer added are shown
  bool shows(PairPart part) const { return parts[static_cast<std::size_t>(part)]; }
  bool operator==(const LinkFilter&) const = default;
};
/// "weight ≥ 0.05" or "the 3 largest weights of each query and head".
std::string rule_text(const LinkFilter& filter);

/// What the tokens along one axis are.
struct LinkText {
  std::vector<bool> is_second;   ///< of a pair: belongs to the second text
  std::vector<bool> is_special;  ///< added by the tokenizer
  bool is_pair() const;
};
LinkText link_text(const Encoding& encoding);

/// Both axes. Only self-attention has the parts of a pair.
struct LinkTexts {
  LinkText queries, keys;
  bool is_one_text = true;  ///< queries and keys are the same tokens
  bool is_pair() const { return is_one_text && queries.is_pair(); }
  PairPart part(Index query, Index key) const;
};
LinkTexts link_texts(const Snapshot& snapshot, int layer);

struct LinkLine {
  Index query = 0, key = 0;
  std::uint32_t head = 0;  ///< its place in LinkMaps::heads
  float weight = 0;
  bool operator==(const LinkLine&) const = default;
};

/// Immutable. Masses are sums of weights; numbers that are not finite or not above 0 have none.
struct LinkLines {
  std::shared_ptr<const LinkMaps> maps;
  LinkTexts texts;
  LinkFilter filter;
  std::vector<LinkLine> lines;              ///< query by query, in each the heaviest first
  std::vector<std::size_t> query_begin;     ///< [queries + 1] into `lines`
  std::vector<std::uint32_t> by_key;        ///< indices into `lines`, key by key, in each the heaviest first
  std::vector<std::size_t> key_begin;       ///< [keys + 1] into `by_key`
  std::array<double, kPairParts> share{};   ///< of the mass of all weights that each part holds; they sum to 1 where there is any
  std::vector<double> shown_of_head;        ///< mass of each head's lines
  bool looks_ahead = false;                 ///< a line goes to a key after its query
  std::int64_t candidates = 0;              ///< weights above 0 in the parts that are shown
  double total = 0, shown = 0, hidden = 0;  ///< mass in the parts that are shown, of the lines among it, and of what has no line

  std::span<const LinkLine> of_query(Index query) const {
    const auto at = static_cast<std::size_t>(query);
    return std::span(lines).subspan(query_begin[at], query_begin[at + 1] - query_begin[at]);
  }
  std::span<const std::uint32_t> of_key(Index key) const {
    const auto at = static_cast<std::size_t>(key);
    return std::span(by_key).subspan(key_begin[at], key_begin[at + 1] - key_begin[at]);
  }
};

/// Throws Cancelled.
LinkLines choose_lines(std::shared_ptr<const LinkMaps> maps, LinkTexts texts, const LinkFilter& filter, Progress& progress);

/// "88 of 225 lines, 15.7 % of the attention has no line"
std::string lines_text(const LinkLines& lines);

}  // namespace headlight
