#include "engine/figure/compare/compared_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"

namespace headlight {
namespace {

constexpr float kBefore = 24, kHeadings = 28, kNames = 120, kLeastColumn = 88, kMostColumn = 240, kNumbers = 56, kBetween = 14;
constexpr std::size_t kUsualKeys = 16, kFewestLines = 2;

using TokensOf = const Encoding& (Snapshot::*)(int) const;

/// A card's run and layer, whose tokens are along its axes.
struct CardTexts {
  const Snapshot& run;
  int layer;
};

bool has_same(TokensOf tokens, CardTexts a, CardTexts b) {
  const Encoding &ours = (a.run.*tokens)(a.layer), &theirs = (b.run.*tokens)(b.layer);
  return &ours == &theirs || ours.tokens == theirs.tokens;
}

bool has_same_keys(CardTexts a, CardTexts b) {
  return has_same(&Snapshot::key_tokens, a, b);
}

/// The last row of a map that is shown.
Index last_row(const CompareCard& card) {
  const MapFigureRequest& map = card.map.request;
  const auto rows = static_cast<Index>(map.picture->rows());
  return map.window == CellWindow{} ? rows - 1 : std::min(rows, static_cast<Index>(std::ceil(map.window.row_end))) - 1;
}

std::string number_of(const CompareCard& card, float value) {
  const auto number = static_cast<double>(value);
  return (card.is_difference && number > 0 ? "+" : "") + weight_text(number);
}

/// A bar from the left, of a difference from the middle; then its number.
void draw_value(RowPen& pen, const CompareCard& card, float left, float right, float middle, float value, float largest) {
  constexpr float kHalf = 4;
  const float end = right - kNumbers, room = end - left, share = largest > 0 && std::isfinite(value) ? std::abs(value) / largest : 0;
  if (card.is_difference && room > 0) {
    const auto& colours = ramp(card.map.request.scale.map, card.map.request.scale.is_dark);
    const float zero = left + room / 2, to = zero + (value < 0 ? -share : share) * room / 2;
    pen.fill({std::min(zero, to), middle - kHalf, std::abs(to - zero), 2 * kHalf}, colours[value < 0 ? 48 : 208], 0);
    pen.line({zero, middle - kHalf - 2}, {zero, middle + kHalf + 2}, pen.colours().line);
  } else if (room > 0) {
    pen.fill({left, middle - kHalf, std::max(1.0F, share * room), 2 * kHalf},
             mix(pen.colours().raised, pen.colours().key, 0.35F + 0.65F * share), 1);
  }
  pen.text({right, middle}, number_of(card, value), kRowNumber, pen.colours().text, AlignX::right);
}

/// Cards side by side.
struct RowBlock {
  std::size_t begin = 0, end = 0;
  float step = 0;
};

std::vector<RowBlock> blocks_of(std::size_t cards, float width) {
  const auto most = static_cast<std::size_t>(std::max(1.0F, (width - kNames) / kLeastColumn));
  const std::size_t count = (cards + most - 1) / most, each = (cards + count - 1) / count;
  const float step = std::min((width - kNames) / static_cast<float>(each), kMostColumn);
  std::vector<RowBlock> blocks;
  for (std::size_t begin = 0; begin < cards; begin += each) blocks.push_back({begin, std::min(cards, begin + each), step});
  return blocks;
}

class ComparedRowPen {
 public:
  ComparedRowPen(const Snapshot& own, const std::vector<CompareCard>& cards, const ComparedRow& row, Theme theme,
                 const MeasureText& measure)
      : cards_(cards), row_(row), pen_(theme, measure) {
    for (first_ = 0; !row.queries[first_];) ++first_;
    const CompareCard& card = cards[first_];
    run_ = &run_of(card.head, own);
    labels_ = axis_labels(*run_, run_->key_tokens(card.layer));
  }

  float draw(const Box& box) {
    const std::vector<RowBlock> blocks = blocks_of(cards_.size(), box.width);
    std::size_t lines = std::min(lines_of(row_), kUsualKeys + 1);
    if (box.height > 0) {
      const float each = box.height / static_cast<float>(blocks.size()) - kBefore - kHeadings;
      lines = std::min(lines, static_cast<std::size_t>(std::max(0.0F, each / kEffectRow)));
    }
    if (lines < kFewestLines) return box.y;
    const std::vector<Index> listed = listed_keys(cards_, row_, lines_of(row_) > lines ? lines - 1 : lines);
    find_largest(listed);
    float y = box.y;
    for (const RowBlock& block : blocks) y = draw_block(block, listed, {box.x, y + kBefore});
    const std::string rest = rest_text(row_.keys.size() - listed.size(), row_.masked);
    if (rest.empty()) return y;
    pen_.text({box.x, y + kEffectRow / 2}, pen_.fitted(rest, box.width, kRowWords), kRowWords, pen_.colours().text_second);
    return y + kEffectRow;
  }
  Scene take() { return pen_.take(); }

 private:
  void find_largest(const std::vector<Index>& listed) {
    for (std::size_t card = 0; card < cards_.size(); ++card) {
      for (const Index key : listed) {
        const float value = row_.queries[card] ? std::abs(value_of(cards_[card], *row_.queries[card], key)) : 0;
        if (value > largest_) largest_ = value;
      }
    }
  }

  float draw_block(const RowBlock& block, const std::vector<Index>& listed, Point at) {
    const Palette& colours = pen_.colours();
    const auto left_of = [&](std::size_t card) { return at.x + kNames + block.step * static_cast<float>(card - block.begin); };
    const float middle = at.y + kEffectRow / 2, right = left_of(block.end) - kBetween;
    const Index query = *row_.queries[first_];
    const std::string words =
        fmt::format("Row “{}” {}", (*axis_labels(*run_, run_->query_tokens(cards_[first_].layer)))[static_cast<std::size_t>(query)], query);
    pen_.text({at.x, middle}, pen_.fitted(words, kNames - kBetween, kRowStrong), kRowStrong, colours.query);
    for (std::size_t card = block.begin; card < block.end; ++card)
      pen_.text({left_of(card), middle}, cards_[card].letter, kRowStrong, colours.text_second);
    pen_.line({at.x, at.y + kEffectRow + 2}, {right, at.y + kEffectRow + 2}, colours.line);
    float y = at.y + kHeadings - 2;
    for (const Index key : listed) {
      draw_key(key, block, at.x, y);
      y += kEffectRow;
    }
    return y;
  }

  void draw_key(Index key, const RowBlock& block, float x, float y) {
    const Palette& colours = pen_.colours();
    const float middle = y + kEffectRow / 2;
    const std::string number = std::to_string(key), &label = (*labels_)[static_cast<std::size_t>(key)];
    const float room = kNames - kBetween - 6 - pen_.width_of(number, kRowNumber);
    pen_.text({x, middle}, pen_.fitted(label, room, kRowWords), kRowWords, colours.key);
    pen_.text({x + kNames - kBetween, middle}, number, kRowNumber, colours.text_second, AlignX::right);
    std::string words = fmt::format("{} {}:", label, key);
    for (std::size_t card = block.begin; card < block.end; ++card) {
      const float left = x + kNames + block.step * static_cast<float>(card - block.begin), right = left + block.step - kBetween;
      const std::optional<Index>& query = row_.queries[card];
      if (!query) {
        pen_.text({right, middle}, "–", kRowNumber, colours.text_second, AlignX::right);
      } else if (is_masked(cards_[card], *query, key)) {
        pen_.text({right, middle}, "masked", kRowWords, colours.text_second, AlignX::right);
      } else {
        const float value = value_of(cards_[card], *query, key);
        draw_value(pen_, cards_[card], left, right, middle, value, largest_);
        words += fmt::format(" {} {}", cards_[card].letter, value);
      }
    }
    pen_.say({x, y, kNames + block.step * static_cast<float>(block.end - block.begin), kEffectRow}, std::move(words));
  }

  const std::vector<CompareCard>& cards_;
  const ComparedRow& row_;
  RowPen pen_;
  std::size_t first_ = 0;  // card with the row
  const Snapshot* run_ = nullptr;
  AxisLabels labels_;
  float largest_ = 0;
};

/// Of the first map of the figure's own text, and of all others of the same.
std::optional<ComparedRow> last_row_of_text(const Snapshot& own, const std::vector<CompareCard>& cards) {
  const auto is_of = [&](const CompareCard& card, CardTexts texts) {
    if (!card.has_map() || !card.maps) return false;
    const CardTexts ours{run_of(card.head, own), card.layer};
    return has_same(&Snapshot::query_tokens, ours, texts) && has_same_keys(ours, texts);
  };
  const auto first = std::find_if(cards.begin(), cards.end(), [&](const CompareCard& card) {
    return card.layer < own.layers() && is_of(card, {own, card.layer});
  });
  if (first == cards.end()) return std::nullopt;
  ComparedRow row;
  for (const CompareCard& card : cards)
    row.queries.push_back(is_of(card, {own, first->layer}) ? std::optional(last_row(*first)) : std::nullopt);
  find_keys(row, cards, first->maps->weights.cols());
  return row;
}

}  // namespace

bool is_masked(const CompareCard& card, Index query, Index key) {
  const auto forbids = [&](const HeadMaps& maps) { return maps.mask && !maps.mask->allows(query, key); };
  return forbids(*card.maps) && (!card.subtracted || forbids(*card.subtracted));
}

float value_of(const CompareCard& card, Index query, Index key) {
  const float weight = card.maps->weights(query, key);
  return card.subtracted ? weight - card.subtracted->weights(query, key) : weight;
}

void find_keys(ComparedRow& row, const std::vector<CompareCard>& cards, Index keys) {
  for (Index key = 0; key < keys; ++key) {
    bool is_allowed = false;
    for (std::size_t card = 0; card < cards.size() && !is_allowed; ++card)
      is_allowed = row.queries[card] && !is_masked(cards[card], *row.queries[card], key);
    if (is_allowed) row.keys.push_back(key);
  }
  row.masked = static_cast<std::size_t>(keys) - row.keys.size();
}

std::vector<Index> listed_keys(const std::vector<CompareCard>& cards, const ComparedRow& row, std::size_t most) {
  std::vector<Index> listed = row.keys;
  if (listed.size() <= most) return listed;
  std::vector<float> largest(row.keys.size() + row.masked, 0);
  for (std::size_t card = 0; card < cards.size(); ++card) {
    for (std::size_t key = 0; row.queries[card] && key < largest.size(); ++key) {
      const float value = std::abs(value_of(cards[card], *row.queries[card], static_cast<Index>(key)));
      if (value > largest[key]) largest[key] = value;
    }
  }
  const auto weight = [&](Index key) { return largest[static_cast<std::size_t>(key)]; };
  std::stable_sort(listed.begin(), listed.end(), [&](Index a, Index b) { return weight(a) > weight(b); });
  listed.resize(most);
  std::sort(listed.begin(), listed.end());
  return listed;
}

std::size_t lines_of(const ComparedRow& row) {
  return row.keys.size() + (row.masked > 0 ? 1 : 0);
}

std::string rest_text(std::size_t less, std::size_t masked) {
  std::string text = less > 0 ? fmt::format("and {} {} with less", less, less == 1 ? "key" : "keys") : "";
  if (masked > 0)
    text += fmt::format("{}{}{} masked", text.empty() ? "" : " · ", masked, text.empty() ? (masked == 1 ? " key" : " keys") : "");
  return text;
}

std::optional<ComparedRow> listed_row(const Snapshot& own, const std::vector<CompareCard>& cards) {
  const auto has_row = [](const CompareCard& card) { return card.has_map() && card.maps && card.map.request.pinned_query; };
  const auto first = std::find_if(cards.begin(), cards.end(), has_row);
  if (first == cards.end()) return last_row_of_text(own, cards);
  const CardTexts texts{run_of(first->head, own), first->layer};
  ComparedRow row;
  for (const CompareCard& card : cards) {
    const bool is_there = has_row(card) && has_same_keys({run_of(card.head, own), card.layer}, texts);
    row.queries.push_back(is_there ? card.map.request.pinned_query : std::nullopt);
  }
  find_keys(row, cards, first->maps->weights.cols());
  return row;
}

float room_for_row(Index keys) {
  return kBefore + kHeadings + kEffectRow * static_cast<float>(std::min<Index>(keys, kUsualKeys) + 1);
}

float draw_compared_row(Scene& scene, const Snapshot& own, const std::vector<CompareCard>& cards, const ComparedRow& row, const Box& box,
                        Theme theme, const MeasureText& measure) {
  ComparedRowPen pen(own, cards, row, theme, measure);
  const float bottom = pen.draw(box);
  Scene drawn = pen.take();
  std::move(drawn.items.begin(), drawn.items.end(), std::back_inserter(scene.items));
  std::move(drawn.spots.begin(), drawn.spots.end(), std::back_inserter(scene.spots));
  return bottom;
}

}  // namespace headlight
