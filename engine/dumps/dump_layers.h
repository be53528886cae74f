// The maps of a file as the layers of a model: which stack and number each has, and which text its sides belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/dumps/dump_tensors.h"
#include "engine/model/config.h"

namespace headlight {

/// One layer's maps, still in the array that they came in.
struct LayerMaps {
  LayerPlace place;        ///< the file's own number
  std::int64_t batch = 1;  ///< texts in the array, of which these maps are one
  std::int64_t heads = 0, queries = 0, keys = 0;
  DType type = DType::f32;  ///< as stored
  const float* values = nullptr;
  std::string name;
};

/// Finds the layers by names and shapes, in the order of a model: an encoder's, then those of the decoder, each followed by its
/// cross-attention. Maps without a stack's name beside cross-attention are the decoder's. `item`: which text of a batch. An array of four
/// axes is [batch, heads, query, key] where an item is chosen, where `headlight attend` wrote it or where its name has a layer's number, else
/// [layers, heads, query, key]. Throws Error: input, also for a batch of several texts without an item; usage for an item that is not there.
std::vector<LayerMaps> find_layers(const DumpFile& file, std::optional<int> item = {});

/// Whether an array holds the maps of several texts, so that one of them has to be chosen. Throws Error (input) for a rank that no map has.
bool holds_batch(const DumpFile& file);

/// A note on how an array of four axes was read if its name does not say what the first one is; empty where there is none.
std::string note_on_axes(const DumpFile& file, std::optional<int> item);

/// Layers, heads and places. Layers may have different numbers of heads, as after pruning (HeadShape::counts).
ModelConfig config_of(const std::vector<LayerMaps>& layers);

/// The lengths of the texts along the keys and along the queries; `decoder` is 0 where there is one text.
struct DumpLengths {
  std::int64_t text = 0, decoder = 0;
};
/// Throws Error (input) where the layers' sides do not fit together.
DumpLengths check_sides(const DumpFile& file, const std::vector<LayerMaps>& layers, const ModelConfig& config);

}  // namespace headlight
