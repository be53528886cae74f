// A set of texts, for finding those that a text starts with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

/// How many steps the searches in one text may take. Tokens have a few dozen bytes at most; a file whose tokens overlap a text by thousands
/// of bytes at every place would take hours.
class TrieSteps {
 public:
  TrieSteps(std::size_t text_bytes, std::string file)
      : left_((std::uint64_t{1} << 24U) + 64 * std::uint64_t{text_bytes}), file_(std::move(file)) {}
  /// Throws Error (limit) naming the file when the steps are used up.
  void take(std::uint64_t steps) {
    if (steps > left_) refuse();
    left_ -= steps;
  }

 private:
  [[noreturn]] void refuse() const;
  std::uint64_t left_;
  std::string file_;
};

/// Built once, with a node's children side by side. Immutable afterwards: may be read from any thread.
class ByteTrie {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::uint32_t kRoot = 0;

  struct Item {
    std::string_view text;
    std::uint32_t value = 0;  ///< anything but kNone
  };

  ByteTrie() : ByteTrie({}, {}) {}
  /// Of equal texts the last one counts; empty texts are left out. Throws Error (limit) with `file` for texts of more than 2^24 bytes
  /// that are not shared.
  ByteTrie(std::vector<Item> items, const std::string& file);

  bool empty() const { return nodes_.size() == 1; }
  /// The node after `byte`; kNone when no text continues like this.
  std::uint32_t step(std::uint32_t node, char byte) const {
    const Node& from = nodes_[node];
    const std::size_t found = std::string_view(labels_).substr(from.first_child, from.children).find(byte);
    return found == std::string_view::npos ? kNone : from.first_child + static_cast<std::uint32_t>(found);
  }
  /// The value of the text that ends at the node; kNone when none does.
  std::uint32_t value_at(std::uint32_t node) const { return nodes_[node].value; }

  struct Match {
    std::uint32_t bytes = 0;  ///< 0: nothing was found
    std::uint32_t value = kNone;
  };
  /// The longest text that `subject` starts with; from another node than the root, the longest continuation of that node's text.
  Match longest(std::string_view subject, TrieSteps& steps, std::uint32_t from = kRoot) const;

 private:
  struct Node {
    std::uint32_t first_child = 0;
    std::uint32_t children = 0;
    std::uint32_t value = kNone;
  };
  std::vector<Node> nodes_;
  std::string labels_;  // the byte that leads to each node
};

}  // namespace headlight
