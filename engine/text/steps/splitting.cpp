#include "engine/text/steps/splitting.h"

#include <algorithm>

namespace headlight {
namespace {

struct Cut {
  ByteRange range;
  bool is_delimiter = false;
};

std::vector<Piece> to_pieces(const std::vector<Cut>& cuts) {
  std::vector<Piece> pieces;
  pieces.reserve(cuts.size());
  for (const Cut& cut : cuts) pieces.push_back({cut.range});
  return pieces;
}

/// The whole text as delimiters and what lies between them.
std::vector<Cut> cover(std::string_view text, const std::vector<ByteRange>& delimiters) {
  std::vector<Cut> cuts;
  cuts.reserve(2 * delimiters.size() + 1);
  std::uint32_t last = 0;
  for (const ByteRange& delimiter : delimiters) {
    if (last != delimiter.begin) cuts.push_back({{last, delimiter.begin}, false});
    cuts.push_back({delimiter, true});
    last = delimiter.end;
  }
  const auto size = static_cast<std::uint32_t>(text.size());
  if (last != size) cuts.push_back({{last, size}, false});
  return cuts;
}

/// A delimiter joins its neighbour on the left, unless that neighbour is a delimiter too.
std::vector<Cut> merge_with_previous(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  bool was_delimiter = false;
  for (const Cut& cut : cuts) {
    if (cut.is_delimiter && !was_delimiter && !result.empty()) {
      result.back().range.end = cut.range.end;
    } else {
      result.push_back(cut);
    }
    was_delimiter = cut.is_delimiter;
  }
  return result;
}

std::vector<Cut> merge_with_next(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  bool was_delimiter = false;
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    if (cut->is_delimiter && !was_delimiter && !result.empty()) {
      result.back().range.begin = cut->range.begin;
    } else {
      result.push_back(*cut);
    }
    was_delimiter = cut->is_delimiter;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<Cut> merge_runs(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  for (const Cut& cut : cuts) {
    if (!result.empty() && result.back().is_delimiter == cut.is_delimiter) {
      result.back().range.end = cut.range.end;
    } else {
      result.push_back(cut);
    }
  }
  return result;
}

std::vector<Piece> arrange(std::vector<Cut> cuts, Behavior behavior) {
  switch (behavior) {
    case Behavior::isolated:
      return to_pieces(cuts);
    case Behavior::merged_with_previous:
      return to_pieces(merge_with_previous(cuts));
    case Behavior::merged_with_next:
      return to_pieces(merge_with_next(cuts));
    case Behavior::contiguous:
      return to_pieces(merge_runs(cuts));
    case Behavior::removed:
      break;
  }
  std::erase_if(cuts, [](const Cut& cut) { return cut.is_delimiter; });
  return to_pieces(cuts);
}

}  // namespace

std::vector<Piece> split_at(std::string_view text, const std::vector<ByteRange>& delimiters, Behavior behavior, bool is_inverted) {
  std::vector<Cut> cuts = cover(text, delimiters);
  for (Cut& cut : cuts) cut.is_delimiter = cut.is_delimiter != is_inverted;
  return arrange(std::move(cuts), behavior);
}

}  // namespace headlight
