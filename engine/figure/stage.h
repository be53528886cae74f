// The steps of one head as maps: what the Head view shows, and what a file of it holds.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/figure/map/map_picture.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// masked: what goes into the softmax, for the allowed keys.
/// value_weights: weight · ‖v‖, how much of a key's value gets through (Kobayashi et al. 2020, arXiv 2004.10102, without W_O).
/// value_share: the same less its unit, weight · ‖v‖ / max ‖v‖ of the keys that the query may see: a row sums to at most 1.
/// norm_weights: ‖weight · v·W_O‖, the paper's ‖αf(x)‖: how long what a key adds to the head's output is. Σ weight · v·W_O is that output.
/// z: Σ weight · v, what the head hands to W_O; a column for each of its numbers.
enum class Stage : std::uint8_t { weights, scores, scaled, mask, masked, value_weights, z, value_share, norm_weights };

/// What the columns of a map are; its rows are queries.
enum class MapColumns : std::uint8_t {
  keys,    ///< tokens
  numbers  ///< places in a vector, from 0
};

struct StageRow {
  Stage stage = Stage::weights;
  std::string_view name;   ///< for options and files
  const char* label = "";  ///< in menus
  const char* help = "";   ///< what it shows, its formula and, where it has one, its source
  MapColumns columns = MapColumns::keys;
};
/// In the order of the computation, in which they are offered.
inline constexpr std::array kStageRows{
    StageRow{Stage::scores, "scores", "scores", "What the score function makes of query and key, before scale and mask."},
    StageRow{Stage::scaled, "scaled", "scaled scores", "The scores after scale and temperature."},
    StageRow{Stage::mask, "mask", "mask", "Which keys each query may attend to."},
    StageRow{Stage::masked, "masked", "masked scores", "What goes into the softmax: scores of the keys that the mask allows."},
    StageRow{Stage::weights, "weights", "weights", "How each query shares its attention out: the softmax of the row."},
    StageRow{Stage::value_weights, "value-weights", "weights · ‖v‖", "How much of each key's value gets through: weight · length of v."},
    StageRow{Stage::value_share, "value-share", "weights · ‖v‖ / max",
             "The same as a share: weight · ‖v‖ / the longest v that the query may see, so that a row sums to at most 1 (value-weighted "
             "attention)."},
    StageRow{
        Stage::norm_weights, "norm-weights", "‖weight · v·W_O‖",
        "How much each key adds to the head's output: ‖αf(x)‖ with f(x) = v·W_O. A key with much weight and a short v·W_O adds little. "
        "Kobayashi et al. 2020, arXiv 2004.10102."},
    StageRow{Stage::z, "z", "z = Σ weight · v", "What the head hands to W_O, number by number.", MapColumns::numbers},
};
const StageRow& row_of(Stage stage);
inline constexpr std::array kStages = [] {
  std::array<Stage, kStageRows.size()> stages{};
  for (std::size_t i = 0; i < stages.size(); ++i) stages[i] = kStageRows[i].stage;
  return stages;
}();
std::string_view name_of(Stage stage);  ///< "weights"
std::string stage_names();              ///< "scores, scaled, …"
/// Maps from a file have no stage other than their weights.
bool has_stage(const Snapshot& snapshot, Stage stage);

/// How many columns a layer's maps have at a stage.
Index columns_of(const Snapshot& snapshot, int layer, Stage stage);

/// The numbers of one stage [queries, keys], of z [queries, d_value]. mask: 1 may attend, 0 may not; masked: −∞ where not; of lengths NaN
/// where the values are not known. `maps`: of this head of this run, which is read for norm_weights alone.
Matrix stage_values(const Snapshot& run, HeadId head, const HeadMaps& maps, Stage stage);

/// The picture of one stage. Scores and z are signed: their pictures are differences, on the diverging map, centred on zero. Of the mask,
/// allowed cells are filled and the others hatched.
std::shared_ptr<const MapPicture> make_stage_picture(const Snapshot& run, HeadId head, const HeadMaps& maps, Stage stage);

/// The stages that all heads can be shown at together: those of lengths, whose numbers say how much of it one head gives beside another.
bool is_of_lengths(Stage stage);
/// Small maps of all heads at such a stage, under one scale.
struct StagedMaps {
  Stage stage = Stage::norm_weights;
  std::vector<std::vector<std::shared_ptr<const MapPicture>>> maps;  ///< [layer][head], as small as HeadSummary::pooled; those made so far
  std::shared_ptr<const MapPicture> of(HeadId head) const;           ///< null: not made yet
};
/// The numbers of a layer's maps [blocks of queries, blocks of keys], one for each head: of a block's cells the largest. Costs the scores of
/// its heads. Throws Cancelled.
std::vector<Matrix> small_stage_values(const Snapshot& run, int layer, Stage stage, ThreadPool& pool, const Watch& watch = {});
/// The next layer's, in `maps.maps`. Throws Cancelled.
void add_staged_layer(const Snapshot& run, StagedMaps& maps, ThreadPool& pool, const Watch& watch = {});
StagedMaps make_staged_maps(const Snapshot& run, Stage stage, ThreadPool& pool, const Watch& watch = {});
/// From 0 to a round number that no cell of any head exceeds, or a percentile of those of the head with the largest.
ColourScale scale_of_staged(const Style& style, const StagedMaps& maps);

/// What a key adds to one number of z.
struct MixedPart {
  Index key = 0;
  float weight = 0, value = 0;  ///< of the key, and that number of its v
  float product() const { return weight * value; }
};
/// Of all keys with a weight, those that add most or take most away first. maps: of a head whose values are known.
std::vector<MixedPart> parts_of_z(const HeadMaps& maps, Index query, Index number);
/// One row of z, bit for bit that of stage_values.
RowVector row_of_z(const HeadMaps& maps, Index query);

/// Of stages other than weights (ShownMaps::scale).
ColourScale scale_of_stage(const Style& style, Stage stage, const MapPicture& picture);

/// What a stage's numbers are, after the head's own rule: "dot scores ÷ √8, soft-cap 30, of the keys that may be attended to". Empty for
/// plain weights.
std::string stage_text(const Snapshot& snapshot, HeadId head, Stage stage);
/// The same of a stage of all heads (is_of_lengths).
std::string staged_text(const Snapshot& snapshot, Stage stage);

/// How a score becomes a scaled one: "÷ √16 ÷ 0.50", "× 0.25" where a model has its own factor; empty: it stays as it is.
std::string scale_label(float factor, bool is_scaled, float temperature, Index d_head);
/// The same for a head of a snapshot.
std::string scale_label(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
