// The steps of one head as maps: what the Head view shows, and what a file of it holds.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/map/map_picture.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// masked: what goes into the softmax, for the allowed keys.
/// value_weights: weight · ‖v‖, how much of a key's value gets through (Kobayashi et al. 2020, arXiv 2004.10102, without W_O).
/// z: Σ weight · v, what the head hands to W_O; a column for each of its numbers.
enum class Stage : std::uint8_t { weights, scores, scaled, mask, masked, value_weights, z };

/// What the columns of a map are; its rows are queries.
enum class MapColumns : std::uint8_t {
  keys,    ///< tokens
  numbers  ///< places in a vector, from 0
};

struct StageRow {
  Stage stage = Stage::weights;
  std::string_view name;   ///< for options and files
  const char* label = "";  ///< in menus
  MapColumns columns = MapColumns::keys;
};
/// In the order of the computation, in which they are offered.
inline constexpr std::array kStageRows{
    StageRow{Stage::scores, "scores", "scores"},
    StageRow{Stage::scaled, "scaled", "scaled scores"},
    StageRow{Stage::mask, "mask", "mask"},
    StageRow{Stage::masked, "masked", "masked scores"},
    StageRow{Stage::weights, "weights", "weights"},
    StageRow{Stage::value_weights, "value-weights", "weights · ‖v‖"},
    StageRow{Stage::z, "z", "z = Σ weight · v", MapColumns::numbers},
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

/// The numbers of one stage [queries, keys], of z [queries, d_value]. mask: 1 may attend, 0 may not; masked: −∞ where not.
Matrix stage_values(const HeadMaps& maps, Stage stage);

/// The picture of one stage. Scores and z are signed: their pictures are differences, on the diverging map, centred on zero. Of the mask,
/// allowed cells are filled and the others hatched.
std::shared_ptr<const MapPicture> make_stage_picture(const HeadMaps& maps, Stage stage);

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

/// How a score becomes a scaled one: "÷ √16 ÷ 0.50", "× 0.25" where a model has its own factor; empty: it stays as it is.
std::string scale_label(float factor, bool is_scaled, float temperature, Index d_head);
/// The same for a head of a snapshot.
std::string scale_label(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
