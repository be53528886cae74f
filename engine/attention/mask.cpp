#include "engine/attention/mask.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/core/large_pages.h"

namespace headlight {
namespace {

/// The rule of one scope, made of all that were given for it: the last text, and every stroke in order.
struct MergedRule {
  std::string text;
  std::vector<CellBlock> strokes;
  bool operator==(const MergedRule&) const = default;

  void append(const MaskRule& rule) {
    if (!rule.text.empty()) text = rule.text;
    strokes.insert(strokes.end(), rule.strokes.begin(), rule.strokes.end());
  }
  bool is_empty() const { return text.empty() && strokes.empty(); }
};

MergedRule merge(const MaskEdits& edits, const Scope& scope) {
  MergedRule merged;
  for (const MaskRule& rule : edits.rules) {
    if (rule.scope == scope) merged.append(rule);
  }
  return merged;
}

Scope normal_scope(Scope::Kind kind, int layer, int head) {
  return {kind, {layer, kind == Scope::Kind::head ? head : 0}};
}

/// Scopes may carry numbers that do not count, such as a head in a layer's scope.
Scope normal_scope(const Scope& scope) {
  switch (scope.kind) {
    case Scope::Kind::all:
      return {};
    case Scope::Kind::stack:
      return {scope.kind, {}, scope.stack};
    case Scope::Kind::layer:
    case Scope::Kind::head:
      break;
  }
  return normal_scope(scope.kind, scope.where.layer, scope.where.head);
}

void paint(Mask& mask, const CellBlock& block, const Watch& watch) {
  const Index query_end = std::min<Index>(block.query_end, mask.queries());
  const Index key_end = std::min<Index>(block.key_end, mask.keys());
  for (Index query = std::max(block.query_begin, 0); query < query_end; ++query) {
    watch.check();
    for (Index key = std::max(block.key_begin, 0); key < key_end; ++key) mask.set(query, key, block.is_allowed);
  }
}

std::shared_ptr<const Mask> make_mask(const MergedRule& rule, std::string_view own_mask, const MaskContext& context, const Watch& watch) {
  Mask mask = MaskText(rule.text.empty() ? own_mask : rule.text).cells(context, watch);
  for (const CellBlock& stroke : rule.strokes) paint(mask, stroke, watch);
  return std::make_shared<const Mask>(std::move(mask));
}

}  // namespace

bool Scope::contains(HeadId head, Stack of) const {
  switch (kind) {
    case Kind::all:
      return true;
    case Kind::stack:
      return stack == of && of != Stack::only;
    case Kind::layer:
      return where.layer == head.layer;
    case Kind::head:
      return where == head;
  }
  return false;
}

Mask::Mask(Index queries, Index keys, bool is_allowed, const Watch& watch) : queries_(queries), keys_(keys) {
  cells_.reserve(static_cast<std::size_t>(queries * keys));
  prefer_large_pages(cells_.data(), cells_.capacity());
  for (Index query = 0; query < queries; ++query) {
    watch.check();
    cells_.insert(cells_.end(), static_cast<std::size_t>(keys), is_allowed ? 1 : 0);
  }
}

Mask Mask::of_differences(Index queries, Index keys, std::vector<std::uint8_t> line) {
  Mask mask(0, keys, true);
  mask.queries_ = queries;
  mask.first_row_ = std::max<Index>(queries - 1, 0);
  mask.to_next_row_ = -1;
  mask.cells_ = std::move(line);
  return mask;
}

std::uint8_t* Mask::row(Index query) {
  if (to_next_row_ != keys_) {
    Mask whole(queries_, keys_, true);
    for (Index each = 0; each < queries_; ++each) std::copy_n(std::as_const(*this).row(each), keys_, whole.row(each));
    *this = std::move(whole);
  }
  return cells_.data() + query * keys_;
}

bool Mask::operator==(const Mask& other) const {
  if (queries_ != other.queries_ || keys_ != other.keys_) return false;
  if (to_next_row_ == other.to_next_row_) return cells_ == other.cells_;
  for (Index query = 0; query < queries_; ++query) {
    if (!std::equal(row(query), row(query) + keys_, other.row(query))) return false;
  }
  return true;
}

Index Mask::allowed_in_row(Index query, Index keys) const {
  constexpr Index kMost = 255 * sizeof(std::uint64_t);  // cells whose sums fit into eight bytes side by side
  const std::uint8_t* cells = row(query);
  Index allowed = 0;
  for (const std::uint8_t* const end = cells + keys; cells != end;) {
    const std::uint8_t* const stop = std::min(end, cells + std::min<Index>(kMost, end - cells));
    std::uint64_t sums = 0, eight = 0;
    for (; stop - cells >= static_cast<Index>(sizeof(eight)); cells += sizeof(eight)) {
      std::memcpy(&eight, cells, sizeof(eight));
      sums += eight;
    }
    for (; cells != stop; ++cells) allowed += *cells;
    for (; sums != 0; sums >>= 8U) allowed += static_cast<Index>(sums & 0xFFU);
  }
  return allowed;
}

Index reach_of(const Mask& mask, Index first_query, Index rows) {
  constexpr Index kAtOnce = 8;  // keys of one comparison
  Index reach = 0;
  for (Index query = first_query; query < first_query + rows; ++query) {
    const std::uint8_t* const row = mask.row(query);
    Index key = mask.keys();
    const auto has_none_before = [&] {
      std::uint64_t keys = 0;
      std::memcpy(&keys, row + key - kAtOnce, sizeof(keys));
      return keys == 0;
    };
    while (key >= reach + kAtOnce && has_none_before()) key -= kAtOnce;
    while (key > reach && row[key - 1] == 0) --key;
    reach = std::max(reach, key);
  }
  return reach;
}

MaskEdits edits_of_layer(const MaskEdits& edits, int layer, Stack stack) {
  MaskEdits scoped = edits;
  for (MaskRule& rule : scoped.rules) rule.scope = normal_scope(rule.scope);

  MergedRule base = merge(scoped, {});
  const auto append = [&](const Scope& scope) {
    const MergedRule rule = merge(scoped, scope);
    base.append({{}, rule.text, rule.strokes});
  };
  if (stack != Stack::only) append({Scope::Kind::stack, {}, stack});
  append(normal_scope(Scope::Kind::layer, layer, 0));

  std::vector<int> heads;
  for (const MaskRule& rule : scoped.rules) {
    if (rule.scope.kind == Scope::Kind::head && rule.scope.where.layer == layer) heads.push_back(rule.scope.where.head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());

  MaskEdits normal;
  if (!base.is_empty()) normal.rules.push_back({{}, base.text, base.strokes});
  for (const int head : heads) {
    const MergedRule rule = merge(scoped, normal_scope(Scope::Kind::head, layer, head));
    if (!rule.is_empty()) normal.rules.push_back({normal_scope(Scope::Kind::head, 0, head), rule.text, rule.strokes});
  }
  return normal;
}

LayerMasks layer_masks(const MaskEdits& edits, int layer, int heads, std::string_view own_mask, const MaskContext& context,
                       const Watch& watch) {
  const MaskEdits normal = edits_of_layer(edits, layer);
  const MergedRule base = merge(normal, {});

  std::vector<MergedRule> rules;  // those that have a mask already
  LayerMasks made;
  LayerMasks masks;
  for (int head = 0; head < heads; ++head) {
    MergedRule rule = base;
    const MergedRule own = merge(normal, normal_scope(Scope::Kind::head, 0, head));
    rule.append({{}, own.text, own.strokes});
    const auto known = std::find(rules.begin(), rules.end(), rule) - rules.begin();
    if (known == std::ssize(rules)) {
      made.push_back(make_mask(rule, own_mask, context, watch));
      rules.push_back(std::move(rule));
    }
    masks.push_back(made[static_cast<std::size_t>(known)]);
  }
  return masks;
}

LayerMasks layer_masks(const MaskEdits& edits, int layer, const LayerMasks& own_masks, const MaskContext& context, const Watch& watch) {
  const MaskEdits normal = edits_of_layer(edits, layer);
  const MergedRule base = merge(normal, {});
  struct Made {
    MergedRule rule;
    std::shared_ptr<const Mask> own, mask;
  };
  std::vector<Made> made;
  LayerMasks masks;
  for (std::size_t head = 0; head < own_masks.size(); ++head) {
    MergedRule rule = base;
    const MergedRule own = merge(normal, normal_scope(Scope::Kind::head, 0, static_cast<int>(head)));
    rule.append({{}, own.text, own.strokes});
    auto known = std::find_if(made.begin(), made.end(),
                              [&](const Made& each) { return each.rule == rule && (!rule.text.empty() || each.own == own_masks[head]); });
    if (known == made.end()) {
      std::shared_ptr<const Mask> mask = own_masks[head];
      if (!rule.is_empty()) {
        Mask edited = rule.text.empty() ? *mask : MaskText(rule.text).cells(context, watch);
        for (const CellBlock& stroke : rule.strokes) paint(edited, stroke, watch);
        mask = std::make_shared<const Mask>(std::move(edited));
      }
      known = made.insert(made.end(), {rule, own_masks[head], std::move(mask)});
    }
    masks.push_back(known->mask);
  }
  return masks;
}

}  // namespace headlight
