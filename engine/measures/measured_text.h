// What measures need to know of the tokens along a map's axes: which are equal, and which keys a set of them means.
#pragma once

#include <vector>

#include "engine/core/matrix.h"
#include "engine/measures/key_set.h"

namespace headlight {

/// Tokens of maps from a file have no ids that say which are equal: here their texts give them ids.
std::vector<Token> told_by_texts(std::vector<Token> tokens);

/// One for each pair of axes, shared by all heads. Immutable; the tokens outlive it.
class MeasuredText {
 public:
  /// Maps of a text with itself.
  explicit MeasuredText(const std::vector<Token>& tokens) : MeasuredText(tokens, true) {}
  /// `shares_axis`: queries and keys count the same text; else only the keys' tokens are known, and distances mean nothing.
  MeasuredText(const std::vector<Token>& keys, bool shares_axis);
  /// Of maps whose tokens are not known.
  static MeasuredText without_tokens(bool shares_axis) { return MeasuredText(shares_axis); }

  bool shares_axis() const { return shares_axis_; }
  bool has_tokens() const { return tokens_ != nullptr; }
  /// The nearest earlier token with the same id; −1: there is none.
  Index copy_before(Index token) const { return copy_before_[static_cast<std::size_t>(token)]; }
  Index tokens() const { return static_cast<Index>(copy_before_.size()); }
  /// Rising positions; only those that need no token where the tokens are not known.
  std::vector<Index> keys_of(const KeySet& keys, Index all_keys) const;

 private:
  explicit MeasuredText(bool shares_axis) : shares_axis_(shares_axis) {}

  const std::vector<Token>* tokens_ = nullptr;
  std::vector<Index> copy_before_;
  bool shares_axis_ = true;
};

}  // namespace headlight
