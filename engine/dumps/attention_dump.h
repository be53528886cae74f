// Attention maps that another program computed: no model, no weights, only maps and tokens. Shown as they are, never rescaled.
//
// Maps are [heads, query, key] for each layer (with or without a batch axis of 1 before them), or [layers, heads, query, key] in one
// array, in safetensors, .npy, .npz or JSON. A batch of several texts is read one item at a time. Masks: dump_masks.h. A number in an
// array's name is its layer; "encoder", "decoder" and "cross" say which stack. Steps of a generation: dump_steps.h. Texts: dump_text.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/forward/dump_axes.h"
#include "engine/forward/trace.h"
#include "engine/model/model.h"

namespace headlight {

struct AttentionDump {
  /// Sizes, where it came from, and a tokenizer that names tokens; no parameters.
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Encoding> encoding;          ///< along the keys; of all axes where there is one text
  std::shared_ptr<const Encoding> decoder_encoding;  ///< along the queries where those are another text's; else null
  std::vector<std::shared_ptr<const LayerTrace>> layers;
  std::vector<std::string> notices;
  DumpAxes axes;
  std::optional<int> item;  ///< which text of the batch was read; none: the arrays were not read as a batch
};

/// Whether a choice of model names a file that is to be opened as maps rather than as weights.
bool names_attention_dump(const std::string& model_name);

/// Reads maps, and tokens from the file or from a file beside it: FILE.tokens.json, FILE.tokens.txt, tokens.json or tokens.txt (a JSON
/// list, or one token a line).
/// `item`: which text of a batch, where the arrays hold one. Throws Error (input, limit) for shapes that do not fit together, also for a batch
/// that `unchosen` refuses; usage for an item that is not there; or Cancelled.
AttentionDump read_attention_dump(const std::filesystem::path& path, Progress& progress, std::optional<int> item = {},
                                  UnchosenItem unchosen = UnchosenItem::refuse);

}  // namespace headlight
