// Maps of a snapshot as pictures, and the scales they are drawn with.
#include "engine/figure/pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/figure/figures.h"

namespace headlight {
namespace {

float largest_of_layer(const Snapshot& snapshot, int layer) {
  float largest = 0;
  for (int head = 0; head < snapshot.heads(layer); ++head) largest = std::max(largest, snapshot.summary({layer, head}).largest);
  return largest;
}

/// The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten that is at least `value`, so that colour bars end in round numbers. A
/// weight may be a rounding error above 1.
float round_up(float value) {
  constexpr float kRounding = 1.0001F;
  if (!(value > 0) || !std::isfinite(value)) return value;
  const float power = std::pow(10.0F, std::floor(std::log10(value)));
  for (const float factor : {1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 8.0F}) {
    if (factor * power * kRounding >= value) return factor * power;
  }
  return 10 * power;
}

float range_end(const Snapshot& snapshot, const Style& style, HeadId head) {
  switch (style.range) {
    case RangeKind::unit:
      return 1;
    case RangeKind::head:
      return round_up(snapshot.summary(head).largest);
    case RangeKind::layer:
      return round_up(largest_of_layer(snapshot, head.layer));
    case RangeKind::fixed:
      return style.fixed_high;
  }
  return 1;
}

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

}  // namespace

ColourScale scale_of_head(const Snapshot& snapshot, const Style& style, HeadId head) {
  const float high = range_end(snapshot, style, head);
  return {style.map, style.theme == Theme::dark, style.scale, style.gamma, 0, high > 0 && std::isfinite(high) ? high : 1};
}

ColourScale scale_of_difference(const Style& style, const MapPicture& difference) {
  const float farthest = std::abs(difference.value(0, static_cast<float>(difference.rows()), 0, static_cast<float>(difference.columns())));
  const float high = farthest > 0 && std::isfinite(farthest) ? round_up(farthest) : 1;
  return {ColourMap::coolwarm, style.theme == Theme::dark, style.scale, style.gamma, -high, high};
}

std::shared_ptr<const MapPicture> picture_of_summary(const Snapshot& snapshot, HeadId head) {
  const HeadSummary& summary = snapshot.summary(head);
  const HeadRule& rule = snapshot.trace.layer(head.layer).rule(head.head);
  return std::make_shared<MapPicture>(*summary.pooled.whole(), summary.pool, summary.queries, summary.keys, rule.mask, false);
}

std::shared_ptr<const MapPicture> picture_of_maps(const HeadMaps& maps) {
  return std::make_shared<MapPicture>(maps.weights, 1, maps.weights.rows(), maps.weights.cols(), maps.mask, false);
}

std::shared_ptr<const MapPicture> picture_of_difference(const HeadMaps& a, const HeadMaps& b) {
  if (a.weights.rows() != b.weights.rows() || a.weights.cols() != b.weights.cols()) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "compare",
                 .problem = "maps of different sizes cannot be subtracted",
                 .found = fmt::format("{} × {} and {} × {}", a.weights.rows(), a.weights.cols(), b.weights.rows(), b.weights.cols())});
  }
  Matrix difference = a.weights - b.weights;
  const Index rows = difference.rows(), columns = difference.cols();
  return std::make_shared<MapPicture>(std::move(difference), 1, rows, columns, either(a.mask, b.mask), true);
}

}  // namespace headlight
