#include "app/gui/state/pictures.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/axes.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

std::vector<std::shared_ptr<const MapPicture>> layer_pictures(const Snapshot& snapshot, int layer) {
  std::vector<std::shared_ptr<const MapPicture>> pictures;
  for (int head = 0; head < snapshot.heads(layer); ++head) pictures.push_back(picture_of_summary(snapshot, {layer, head}));
  pictures.resize(static_cast<std::size_t>(snapshot.heads()));  // every layer takes the same number of places, however many heads it has
  return pictures;
}

std::shared_ptr<const TokenNames> make_names(const Snapshot& snapshot, const Encoding& encoding) {
  TokenNames names;
  for (const Token& token : encoding.tokens) {
    names.labels.push_back(snapshot.label(encoding, token));
    names.axis.push_back(axis_label(names.labels.back()));
  }
  return std::make_shared<const TokenNames>(std::move(names));
}

/// Forgets what the last frame did not show.
template <typename Kept>
void forget_unshown(std::vector<Kept>& kept) {
  std::erase_if(kept, [](const Kept& each) { return !each.was_shown; });
  for (Kept& each : kept) each.was_shown = false;
}

}  // namespace

float extreme_of(const MapPicture& picture) {
  if (picture.rows() == 0 || picture.columns() == 0) return 0;
  const float value = picture.value(0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns()));
  return std::isfinite(value) ? std::abs(value) : 0;
}

void Pictures::begin_frame(const std::shared_ptr<const Snapshot>& snapshot) {
  forget_unshown(entries_);
  forget_unshown(others_);
  if (snapshot == snapshot_) return;
  snapshot_ = snapshot;
  overview_.clear();
  names_ = decoder_names_ = nullptr;
  if (!snapshot) return;
  names_ = make_names(*snapshot, *snapshot->encoding);
  if (snapshot->decoder_encoding) decoder_names_ = make_names(*snapshot, *snapshot->decoder_encoding);
}

AxisLabels Pictures::labels(const Snapshot& run, const Encoding& encoding) {
  const std::shared_ptr<const TokenNames> names = kept_names(run, encoding);
  return {names, &names->axis};
}

std::shared_ptr<const TokenNames> Pictures::kept_names(const Snapshot& run, const Encoding& encoding) {
  if (&run == snapshot_.get()) return names_of(encoding);
  auto known = std::find_if(others_.begin(), others_.end(), [&](const OtherText& each) { return each.encoding.get() == &encoding; });
  if (known == others_.end()) {
    const bool is_decoders = &encoding == run.decoder_encoding.get();
    known = others_.insert(known, {is_decoders ? run.decoder_encoding : run.encoding, make_names(run, encoding)});
  }
  known->was_shown = true;
  return known->names;
}

const std::vector<std::shared_ptr<const MapPicture>>& Pictures::overview() {
  if (!overview_.empty() || !snapshot_) return overview_;
  std::vector<Layer> layers;
  for (int layer = 0; layer < snapshot_->layers(); ++layer) {
    const auto& trace = snapshot_->trace.layers[static_cast<std::size_t>(layer)];
    const auto known = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& old) { return old.trace == trace; });
    layers.push_back(known != layers_.end() ? *known : Layer{trace, layer_pictures(*snapshot_, layer)});
    overview_.insert(overview_.end(), layers.back().pictures.begin(), layers.back().pictures.end());
  }
  layers_ = std::move(layers);
  return overview_;
}

std::shared_ptr<const MapPicture> Pictures::summary(HeadId head) {
  const auto heads = static_cast<std::size_t>(snapshot_->heads());
  return overview()[static_cast<std::size_t>(head.layer) * heads + static_cast<std::size_t>(head.head)];
}

std::shared_ptr<const MapPicture> Pictures::stage(const std::shared_ptr<const HeadMaps>& maps, Stage stage) {
  for (Entry& entry : entries_) {
    if (entry.a == maps && !entry.b && entry.stage == stage) {
      entry.was_shown = true;
      return entry.picture;
    }
  }
  entries_.push_back({maps, nullptr, stage, make_stage_picture(*maps, stage)});
  return entries_.back().picture;
}

std::shared_ptr<const MapPicture> Pictures::difference(const std::shared_ptr<const HeadMaps>& a, const std::shared_ptr<const HeadMaps>& b) {
  for (Entry& entry : entries_) {
    if (entry.a == a && entry.b == b) {
      entry.was_shown = true;
      return entry.picture;
    }
  }
  entries_.push_back({a, b, Stage::weights, picture_of_difference(*a, *b)});
  return entries_.back().picture;
}

}  // namespace headlight
