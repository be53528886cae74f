#include "engine/text/byte_trie.h"

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 24U;

/// The items [begin, end) that share a node's text, which has `depth` bytes.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t depth = 0;
};

}  // namespace

ByteTrie::ByteTrie(std::vector<Item> items, const std::string& file) {
  std::erase_if(items, [](const Item& item) { return item.text.empty(); });
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.text < b.text; });
  std::vector<Span> spans = {{0, static_cast<std::uint32_t>(items.size()), 0}};
  nodes_.emplace_back();
  labels_.push_back('\0');
  // Level by level: when a node's turn comes, its children are added after all nodes so far.
  for (std::size_t node = 0; node < spans.size(); ++node) {
    Span span = spans[node];
    for (; span.begin < span.end && items[span.begin].text.size() == span.depth; ++span.begin) nodes_[node].value = items[span.begin].value;
    nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (span.begin < span.end) {
      const char label = items[span.begin].text[span.depth];
      std::uint32_t end = span.begin + 1;
      while (end < span.end && items[end].text[span.depth] == label) ++end;
      if (nodes_.size() == kMostNodes) {
        throw Error({.kind = ErrorKind::limit,
                     .file = file,
                     .problem = "the tokens are too long in total",
                     .expected = "less than 2^24 bytes that tokens do not share"});
      }
      spans.push_back({span.begin, end, span.depth + 1});
      nodes_.emplace_back();
      labels_.push_back(label);
      ++nodes_[node].children;
      span.begin = end;
    }
  }
}

void TrieSteps::refuse() const {
  throw Error({.kind = ErrorKind::limit,
               .file = file_,
               .problem = "splitting this text into tokens would take too long",
               .found = "long tokens that almost match at every position"});
}

ByteTrie::Match ByteTrie::longest(std::string_view subject, TrieSteps& steps, std::uint32_t from) const {
  Match match;
  std::uint32_t node = from;
  std::uint32_t at = 0;
  while (at < subject.size()) {
    node = step(node, subject[at]);
    if (node == kNone) break;
    ++at;
    if (value_at(node) != kNone) match = {at, value_at(node)};
  }
  steps.take(at + 1);
  return match;
}

}  // namespace headlight
