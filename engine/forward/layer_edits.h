// Interventions as the layers of one run meet them: for which heads, with which numbers of other runs, and how they are put in place.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/forward/head_outputs.h"
#include "engine/forward/query.h"
#include "engine/forward/trace.h"

namespace headlight {

/// What other texts left behind for interventions. Immutable once shared.
struct OtherRun {
  std::string text;                                            ///< that was run; a set's name
  std::vector<std::shared_ptr<const LayerTrace>> layers = {};  ///< of one text
  MeanOutputs mean = {};                                       ///< of a set of texts
};

/// Of one intervention, what concerns one layer.
struct LayerEdit {
  InterventionKind kind = InterventionKind::off;
  std::vector<int> heads = {};  ///< of this layer; none where it replaces the stream
  HeadId from = {};
  std::vector<PositionRange> positions = {};
  /// The tokens of the other texts: what decides the numbers that are put in, beside the layers below.
  std::vector<std::int64_t> source = {};
  std::shared_ptr<const OtherRun> other = {};  ///< the numbers; null where the kind needs none, and before they are found
  std::size_t intervention = 0;                ///< its number in the query

  /// Equal edits of layers whose layers below are equal put in equal numbers.
  bool operator==(const LayerEdit& edit) const {
    return kind == edit.kind && heads == edit.heads && from == edit.from && positions == edit.positions && source == edit.source;
  }
};

/// The finished layer of a number.
using LayersBelow = std::function<const LayerTrace&(int layer)>;

/// The interventions of a query in one layer of `heads` heads, without the numbers of other runs. Heads that the model does not have are left
/// out. Throws Error (usage): for a map of a head that the model does not have, of a later layer or of another stack; for maps of cross-attention
/// that would need one axis for queries and keys; beside a mask that is edited on its map alone.
std::vector<LayerEdit> edits_of_layer_heads(const Query& query, const ModelConfig& config, int layer, int heads);

/// The stream that a layer reads, with what its edits put in. Throws Error (usage) where texts do not have the positions.
SharedRows stream_after_edits(const std::vector<LayerEdit>& edits, int layer, const SharedRows& stream);

/// Puts maps into the rules of the edited heads. `layer`: its q, k and rules are there. Throws Error (usage) for another text of another
/// number of tokens.
void place_maps(const std::vector<LayerEdit>& edits, int number, LayerTrace& layer, const LayersBelow& below, const Watch& watch);
/// Puts z of other texts into that of the edited heads. Throws Error (usage) where texts do not have the positions.
void place_outputs(const std::vector<LayerEdit>& edits, int layer, int heads, Matrix& z);

/// Whether a head is switched off, alone or with all of its layer, and no later edit puts something in its place.
bool is_switched_off(const Query& query, HeadId head);

/// Whether some take numbers from other texts.
bool needs_other_run(const std::vector<LayerEdit>& edits);

}  // namespace headlight
