// The steps of one head as maps: what the Head view shows, and what a file of it holds.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "engine/figure/map/map_picture.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// masked: what goes into the softmax, for the allowed keys.
/// value_weights: weight · ‖v‖, how much of a key's value gets through (Kobayashi et al. 2020, arXiv 2004.10102, without W_O).
enum class Stage : std::uint8_t { weights, scores, scaled, mask, masked, value_weights };
/// In the order of the computation, in which they are offered.
inline constexpr std::array kStages{Stage::scores, Stage::scaled, Stage::mask, Stage::masked, Stage::weights, Stage::value_weights};
std::string_view name_of(Stage stage);  ///< "weights"
/// Maps from a file have no stage other than their weights.
bool has_stage(const Snapshot& snapshot, Stage stage);

/// The numbers of one stage [queries, keys]. mask: 1 may attend, 0 may not; masked: −∞ where not.
Matrix stage_values(const HeadMaps& maps, Stage stage);

/// The picture of one stage. Scores are signed: their pictures are differences, on the diverging map, centred on zero. Of the mask, allowed
/// cells are filled and the others hatched.
std::shared_ptr<const MapPicture> make_stage_picture(const HeadMaps& maps, Stage stage);

/// The colour scale that a head's stage is drawn with under a style.
ColourScale scale_of_stage(const Snapshot& snapshot, const Style& style, HeadId head, Stage stage, const MapPicture& picture);

/// What a stage's numbers are, after the head's own rule: "dot scores ÷ √8, soft-cap 30, of the keys that may be attended to". Empty for
/// plain weights.
std::string stage_text(const Snapshot& snapshot, HeadId head, Stage stage);

/// How a score becomes a scaled one: "÷ √16 ÷ 0.50", "× 0.25" where a model has its own factor; empty: it stays as it is.
std::string scale_label(float factor, bool is_scaled, float temperature, Index d_head);
/// The same for a head of a snapshot.
std::string scale_label(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
