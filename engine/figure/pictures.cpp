// Maps of a snapshot as pictures, and the scales they are drawn with.
#include "engine/figure/pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/figure/figures.h"

namespace headlight {
namespace {

/// Allowed in a difference: what either head may attend to.
std::shared_ptr<const Mask> either(const std::shared_ptr<const Mask>& a, const std::shared_ptr<const Mask>& b) {
  if (a == b) return a;
  if (!a || !b) return nullptr;
  if (*a == *b) return a;
  auto joined = std::make_shared<Mask>(*a);
  for (Index query = 0; query < a->queries(); ++query) {
    for (Index key = 0; key < a->keys(); ++key) {
      if (b->allows(query, key)) joined->set(query, key, true);
    }
  }
  return joined;
}

bool are_weights(const Snapshot& run, HeadId head) {
  const LayerTrace& layer = run.trace.layer(head.layer);
  return layer.given.empty() || layer.given[static_cast<std::size_t>(head.head)].sums.are_weights();
}

/// What the whole of a text's weights lose, where the map itself is not at hand.
double known_mass(const HeadSummary& summary, const std::vector<std::uint8_t>& hidden) {
  const bool is_first_alone = hidden.front() != 0 && std::count(hidden.begin(), hidden.end(), 1) == 1;
  return is_first_alone ? summary.value("first-token") : std::nan("");
}

/// As a style asks for it: small maps of long texts, and numbers that are not attention weights, cannot be renormalised. `when`: it was.
std::string hiding_text(const Style& style, bool is_renormalised, Index pool, std::string_view when = {}) {
  const std::string blocks = pool > 1 ? fmt::format(", with what shares its blocks of {0} × {0} cells", pool) : std::string();
  const bool is_refused = style.hiding == Hiding::renormalise && !is_renormalised;
  const std::string renormalised = is_renormalised ? fmt::format(", renormalised{}", when) : is_refused ? ", not renormalised" : "";
  return fmt::format("derived: {} hidden{}{}", hidden_keys_text(style.hidden), blocks, renormalised);
}

void set_ranks(ColourScale& scale, const Style& style, const ValueCounts& counts) {
  const float largest = counts.entries().empty() ? 0 : counts.entries().back().largest;
  float high = style.scale == ScaleKind::percentile ? counts.percentile(static_cast<double>(style.percentile)) : largest;
  if (!(high > 0)) high = largest;
  scale.high = high > 0 ? high : 1;
  scale.clipped = static_cast<float>(counts.share_above(scale.high));
  if (style.scale == ScaleKind::rank) scale.ranks = counts.ranks();
}

}  // namespace

float round_up(float value) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const float power = std::pow(10.0F, std::floor(std::log10(value)));
  for (const float factor : {1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 8.0F}) {
    if (factor * power * kRounding >= value) return factor * power;
  }
  return 10 * power;
}

ColourScale scale_of_difference(const Style& style, const MapPicture& difference) {
  const float farthest = std::abs(difference.value(0, static_cast<float>(difference.rows()), 0, static_cast<float>(difference.columns())));
  float high = farthest > 0 && std::isfinite(farthest) ? round_up(farthest) : 1;
  ColourScale scale{ColourMap::coolwarm, style.theme == Theme::dark, style.scale, style.gamma, -high, high};
  if (style.scale == ScaleKind::rank) scale.ranks = difference.counts().ranks();
  if (style.scale != ScaleKind::percentile) return scale;
  if (const float percentile = difference.counts().percentile(static_cast<double>(style.percentile)); percentile > 0) high = percentile;
  scale.low = -high;
  scale.high = high;
  scale.clipped = static_cast<float>(difference.counts().share_above(high));
  return scale;
}

std::shared_ptr<const MapPicture> picture_of_derived(const Snapshot& snapshot, const Style& style, int layer, Matrix values,
                                                     const std::shared_ptr<const Mask>& mask, bool has_weights) {
  const std::vector<std::uint8_t> keys = hidden_keys(snapshot, style, layer);
  const Index rows = values.rows(), columns = values.cols();
  if (keys.empty()) return std::make_shared<MapPicture>(std::move(values), 1, rows, columns, mask, false);
  ShownCells shown = leave_out(values, *mask, keys, style.hiding == Hiding::renormalise, has_weights);
  return std::make_shared<MapPicture>(std::move(shown.values), 1, rows, columns, mask, false,
                                      std::make_shared<const LeftOut>(std::move(shown.left_out)));
}

ColourScale scale_of_derived(const Style& style, const MapPicture& picture) {
  ColourScale scale{style.map, style.theme == Theme::dark, style.scale, style.gamma, 0, 1};
  if (ranks_cells(style)) {
    set_ranks(scale, style, picture.counts());
    return scale;
  }
  const float value = picture.value(0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns()));
  const float largest = std::isfinite(value) ? value : 0;
  const bool is_own = style.range == RangeKind::head || style.range == RangeKind::layer;
  const float high = is_own ? round_up(largest) : style.range == RangeKind::fixed ? style.fixed_high : 1;
  if (high > 0) scale.high = high;
  if (largest > scale.high * kRounding) scale.clipped = static_cast<float>(picture.counts().share_above(scale.high * kRounding));
  return scale;
}

std::shared_ptr<const MapPicture> picture_of_summary(const Snapshot& snapshot, HeadId head) {
  const HeadSummary& summary = snapshot.summary(head);
  const HeadRule& rule = snapshot.trace.layer(head.layer).rule(head.head);
  return std::make_shared<MapPicture>(*summary.pooled.whole(), summary.pool, summary.queries, summary.keys, rule.mask, false);
}

std::shared_ptr<const MapPicture> picture_of_maps(const HeadMaps& maps) {
  return std::make_shared<MapPicture>(maps.weights, 1, maps.weights.rows(), maps.weights.cols(), maps.mask, false);
}

std::shared_ptr<const MapPicture> picture_of_difference(const ShownCells& a, const std::shared_ptr<const Mask>& mask_of_a,
                                                        const ShownCells& b, const std::shared_ptr<const Mask>& mask_of_b) {
  if (a.values.rows() != b.values.rows() || a.values.cols() != b.values.cols()) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "compare",
                 .problem = "maps of different sizes cannot be subtracted",
                 .found = fmt::format("{} × {} and {} × {}", a.values.rows(), a.values.cols(), b.values.rows(), b.values.cols())});
  }
  Matrix difference = a.values - b.values;
  const Index rows = difference.rows(), columns = difference.cols();
  const bool has_hidden = !a.left_out.keys.empty() || !b.left_out.keys.empty();
  for (Index cell = 0; has_hidden && cell < difference.size(); ++cell) {
    if (a.values.data()[cell] == kHiddenCell || b.values.data()[cell] == kHiddenCell) difference.data()[cell] = kHiddenCell;
  }
  const LeftOut& out = a.left_out.keys.empty() ? b.left_out : a.left_out;
  return std::make_shared<MapPicture>(std::move(difference), 1, rows, columns, either(mask_of_a, mask_of_b), true,
                                      has_hidden ? std::make_shared<const LeftOut>(out) : nullptr);
}

std::vector<std::uint8_t> hidden_keys(const Snapshot& snapshot, const Style& style, int layer) {
  if (style.hidden.is_empty()) return {};
  const std::vector<Token>& tokens = snapshot.key_tokens(layer).tokens;
  const std::vector<std::int64_t> found = keys_of_text(style.hidden, tokens);
  if (found.empty()) return {};
  std::vector<std::uint8_t> keys(tokens.size());
  for (const std::int64_t key : found) keys[static_cast<std::size_t>(key)] = 1;
  return keys;
}

std::string hiding_text(const KeySet& keys, bool is_renormalised) {
  return fmt::format("derived: {} hidden{}", hidden_keys_text(keys), is_renormalised ? ", renormalised" : "");
}

std::string hidden_mass_text(double mass) {
  return std::isnan(mass) ? std::string() : fmt::format(" · {} of the weight hidden", percent_text(mass));
}

std::string hidden_keys_text(const KeySet& keys) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) { parts.push_back(std::move(part)); };
  for (const std::int64_t position : keys.positions) add(position == 0 ? "first token" : fmt::format("token {}", position));
  if (keys.has_special) add("special tokens");
  if (keys.has_punctuation) add("punctuation");
  for (const std::int64_t id : keys.ids) add(fmt::format("tokens of id {}", id));
  std::string text;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    text += (part == 0 ? "" : part + 1 == parts.size() ? " and " : ", ") + parts[part];
  }
  return text;
}

RowLeft left_of_row(const Snapshot& run, const Style& style, HeadId head, const HeadMaps& maps, Index query) {
  RowLeft left{.keys = hidden_keys(run, style, head.layer)};
  if (left.keys.empty() || !are_weights(run, head)) return left;
  left.is_known = true;
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    (left.hides(key) ? left.hidden : left.rest) += static_cast<double>(maps.weights(query, key));
  }
  return left;
}

void ShownMaps::show(const Snapshot& run, const Style& style) {
  if (run_ == &run && style == style_ && layers_.size() == static_cast<std::size_t>(run.layers())) return;
  std::vector<Layer> layers;
  bool is_same = layers_.size() == static_cast<std::size_t>(run.layers());
  for (int number = 0; number < run.layers(); ++number) {
    const auto& trace = run.trace.layers[static_cast<std::size_t>(number)];
    Layer layer{trace, hidden_keys(run, style, number), style.hiding == Hiding::renormalise, {}, {}};
    const auto known = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& old) {
      return old.trace == trace && old.hidden == layer.hidden && (old.hidden.empty() || old.is_renormalised == layer.is_renormalised);
    });
    if (known != layers_.end()) {
      layer = *known;
    } else {
      layer.small.resize(static_cast<std::size_t>(run.heads(number)));
      is_same = false;
    }
    layers.push_back(std::move(layer));
  }
  layers_ = std::move(layers);
  if (!is_same) all_counts_.reset();
  run_ = &run;
  style_ = style;
}

std::shared_ptr<const MapPicture> ShownMaps::make_small(HeadId head) const {
  const std::vector<std::uint8_t>& keys = hidden(head.layer);
  if (keys.empty()) return picture_of_summary(*run_, head);
  const HeadSummary& summary = run_->summary(head);
  const std::shared_ptr<const Mask>& mask = run_->trace.layer(head.layer).rule(head.head).mask;
  const auto pooled = summary.pooled.whole();
  ShownCells shown = summary.pool == 1 && mask
                         ? leave_out(*pooled, *mask, keys, style_.hiding == Hiding::renormalise, are_weights(*run_, head))
                         : leave_out_blocks(*pooled, summary.pool, keys);
  if (std::isnan(shown.left_out.mean_mass)) shown.left_out.mean_mass = known_mass(summary, keys);
  return std::make_shared<MapPicture>(std::move(shown.values), summary.pool, summary.queries, summary.keys, mask, false,
                                      std::make_shared<const LeftOut>(std::move(shown.left_out)));
}

const std::shared_ptr<const MapPicture>& ShownMaps::small(HeadId head) {
  std::shared_ptr<const MapPicture>& picture = layers_[static_cast<std::size_t>(head.layer)].small[static_cast<std::size_t>(head.head)];
  if (!picture) picture = make_small(head);
  return picture;
}

ShownCells ShownMaps::cells(HeadId head, const HeadMaps& maps) const {
  const std::vector<std::uint8_t>& keys = hidden(head.layer);
  if (keys.empty()) return {maps.weights, {}};
  return leave_out(maps.weights, *maps.mask, keys, style_.hiding == Hiding::renormalise, are_weights(*run_, head));
}

std::shared_ptr<const MapPicture> ShownMaps::full(HeadId head, const HeadMaps& maps) const {
  if (hidden(head.layer).empty()) return picture_of_maps(maps);
  ShownCells shown = cells(head, maps);
  return std::make_shared<MapPicture>(std::move(shown.values), 1, maps.weights.rows(), maps.weights.cols(), maps.mask, false,
                                      std::make_shared<const LeftOut>(std::move(shown.left_out)));
}

std::shared_ptr<const MapPicture> ShownMaps::stage(HeadId head, const HeadMaps& maps, Stage stage) const {
  return stage == Stage::weights ? full(head, maps) : make_stage_picture(*run_, head, maps, stage);
}

float ShownMaps::largest(HeadId head) {
  if (hidden(head.layer).empty()) return run_->summary(head).largest;
  const MapPicture& picture = *small(head);
  const float value = picture.value(0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns()));
  return std::isfinite(value) ? value : 0;
}

float ShownMaps::range_end(HeadId head) {
  switch (style_.range) {
    case RangeKind::unit:
      return 1;
    case RangeKind::head:
      return round_up(largest(head));
    case RangeKind::layer: {
      float most = 0;
      for (int each = 0; each < run_->heads(head.layer); ++each) most = std::max(most, largest({head.layer, each}));
      return round_up(most);
    }
    case RangeKind::fixed:
      return style_.fixed_high;
  }
  return 1;
}

const ValueCounts& ShownMaps::counts(HeadId head, const MapPicture* shown) {
  if (style_.among == Among::head) return shown != nullptr ? shown->counts() : small(head)->counts();
  std::optional<ValueCounts>& of_layer = layers_[static_cast<std::size_t>(head.layer)].counts;
  if (style_.among == Among::layer && of_layer) return *of_layer;
  if (style_.among == Among::model && all_counts_) return *all_counts_;
  ValueCounter counter;
  const bool is_layer = style_.among == Among::layer;
  for (int layer = is_layer ? head.layer : 0; layer < (is_layer ? head.layer + 1 : run_->layers()); ++layer) {
    for (int each = 0; each < run_->heads(layer); ++each) counter.add(small({layer, each})->counts());
  }
  return (is_layer ? of_layer : all_counts_).emplace(counter.finish());
}

ColourScale ShownMaps::scale(HeadId head, const MapPicture* shown) {
  ColourScale scale{style_.map, style_.theme == Theme::dark, style_.scale, style_.gamma, 0, 1};
  if (ranks_cells(style_)) {
    set_ranks(scale, style_, counts(head, shown));
    return scale;
  }
  const float high = range_end(head);
  if (high > 0 && std::isfinite(high)) scale.high = high;
  const bool may_clip = style_.range == RangeKind::unit || style_.range == RangeKind::fixed;
  const float above = scale.high * kRounding;
  if (may_clip && largest(head) > above) {
    scale.clipped = static_cast<float>((shown != nullptr ? *shown : *small(head)).counts().share_above(above));
  }
  return scale;
}

bool ShownMaps::has_one_scale() const {
  if (ranks_cells(style_)) return style_.among == Among::model;
  return style_.range == RangeKind::unit || style_.range == RangeKind::fixed;
}

ColourScale ShownMaps::scale_of_all() {
  ColourScale all = scale({});
  if (ranks_cells(style_) || !has_one_scale()) return all;
  double above = 0, cells = 0;
  for (int layer = 0; layer < run_->layers(); ++layer) {
    for (int head = 0; head < run_->heads(layer); ++head) {
      const float clipped = scale({layer, head}).clipped;
      const auto count = static_cast<double>(run_->queries(layer)) * static_cast<double>(run_->keys(layer));
      above += static_cast<double>(clipped) * count;
      cells += count;
    }
  }
  all.clipped = static_cast<float>(cells > 0 ? above / cells : 0);
  return all;
}

std::string ShownMaps::derived_text(HeadId head, const MapPicture* shown) {
  return left_out_text(style_, shown != nullptr ? *shown : *small(head));
}

std::string left_out_text(const Style& style, const MapPicture& picture, std::string_view when) {
  const LeftOut* out = picture.left_out().get();
  if (out == nullptr) return {};
  std::string text = hiding_text(style, out->is_renormalised, picture.pool(), when) + hidden_mass_text(out->mean_mass);
  if (out->dropped_rows > 0) text += fmt::format(" · {} row{} with nothing left", out->dropped_rows, out->dropped_rows == 1 ? "" : "s");
  return text;
}

std::string ShownMaps::derived_text() {
  double sum = 0;
  int heads = 0;
  Index dropped = 0;
  Index largest_pool = 1;
  bool is_any = false, is_each_renormalised = true;
  for (int layer = 0; layer < run_->layers(); ++layer) {
    for (int head = 0; head < run_->heads(layer) && !hidden(layer).empty(); ++head) {
      const LeftOut& out = *small({layer, head})->left_out();
      largest_pool = std::max(largest_pool, small({layer, head})->pool());
      is_any = true;
      is_each_renormalised = is_each_renormalised && out.is_renormalised;
      dropped += out.dropped_rows;
      if (std::isnan(out.mean_mass)) continue;
      sum += out.mean_mass;
      ++heads;
    }
  }
  if (!is_any) return {};
  std::string text = hiding_text(style_, is_each_renormalised, largest_pool);
  if (heads > 0) text += hidden_mass_text(sum / heads) + ", mean of the heads";
  if (dropped > 0) text += fmt::format(" · {} row{} with nothing left", dropped, dropped == 1 ? "" : "s");
  return text;
}

ColourScale shared_scale(const Style& style, const std::vector<ColourScale>& scales, const std::vector<const ValueCounts*>& counts) {
  ColourScale shared = scales.front();
  if (ranks_cells(style)) {
    ValueCounter counter;
    for (std::size_t place = 0; place < counts.size(); ++place) {
      if (std::find(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(place), counts[place]) ==
          counts.begin() + static_cast<std::ptrdiff_t>(place)) {
        counter.add(*counts[place]);
      }
    }
    set_ranks(shared, style, counter.finish());
    return shared;
  }
  for (const ColourScale& scale : scales) {
    shared.high = std::max(shared.high, scale.high);
    shared.clipped = std::max(shared.clipped, scale.clipped);
  }
  return shared;
}

}  // namespace headlight
