#include "app/gui/state/pictures.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/axes.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

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
void forget_unshown(Kept& kept) {
  std::erase_if(kept, [](const auto& each) { return !each.was_shown; });
  for (auto& each : kept) each.was_shown = false;
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
  forget_unshown(runs_);
  if (snapshot == snapshot_) return;
  snapshot_ = snapshot;
  own_run_ = snapshot;  // at once: own_ must not hold what is shown no longer
  if (snapshot) {
    own_.show(*snapshot, own_.style());
  } else {
    own_ = {};
  }
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
  if (known == others_.end()) known = others_.insert(known, {held(run, encoding), make_names(run, encoding)});
  known->was_shown = true;
  return known->names;
}

ShownMaps& Pictures::shown(const std::shared_ptr<const Snapshot>& run, const Style& style) {
  if (!run || run == snapshot_) {
    own_.show(*snapshot_, style);
    return own_;
  }
  auto known = std::find_if(runs_.begin(), runs_.end(), [&](const OtherRun& each) { return each.run == run; });
  OtherRun& other = known != runs_.end() ? *known : runs_.emplace_back(OtherRun{run, {}, true});
  other.was_shown = true;
  other.maps.show(*run, style);
  return other.maps;
}

std::shared_ptr<const MapPicture> Pictures::stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                                  const Style& style) {
  const ShownMaps& run = shown(head.of, style);
  const std::vector<std::uint8_t> hidden = stage == Stage::weights ? run.hidden(head.head.layer) : std::vector<std::uint8_t>();
  for (Entry& entry : entries_) {
    if (entry.a == maps && !entry.b && entry.stage == stage && entry.hidden == hidden && entry.hiding == style.hiding) {
      entry.was_shown = true;
      return entry.picture;
    }
  }
  entries_.push_back({maps, nullptr, stage, hidden, style.hiding, run.stage(head.head, *maps, stage)});
  return entries_.back().picture;
}

std::shared_ptr<const MapPicture> Pictures::difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) {
  const ShownMaps &left_run = shown(left.head.of, style), &right_run = shown(right.head.of, style);
  std::vector<std::uint8_t> hidden = left_run.hidden(left.head.head.layer);
  const std::vector<std::uint8_t>& hidden_right = right_run.hidden(right.head.head.layer);
  hidden.insert(hidden.end(), hidden_right.begin(), hidden_right.end());
  for (Entry& entry : entries_) {
    if (entry.a == left.maps && entry.b == right.maps && entry.hidden == hidden && entry.hiding == style.hiding) {
      entry.was_shown = true;
      return entry.picture;
    }
  }
  entries_.push_back(
      {left.maps, right.maps, Stage::weights, hidden, style.hiding, picture_of_difference(left_run, left, right_run, right)});
  return entries_.back().picture;
}

}  // namespace headlight
