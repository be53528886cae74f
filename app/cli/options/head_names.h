// Layers and heads as people type them: "2" and "2.5" count through all layers, or are the numbers that a file gives its maps; "cross.0"
// and "cross.0.5" name a layer of an encoder-decoder model by its stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/model/model.h"

namespace headlight {

/// What a name refers to, before the model is known.
struct NamedHead {
  LayerPlace layer;
  std::optional<int> head = {};  ///< none: the whole layer
};

/// "2", "2.5", "cross.0" or "cross.0.5". Throws Error (usage) for anything else.
NamedHead parse_name(const std::string& text, const std::string& option);
/// "2" or "cross.0", without a head. Throws Error (usage).
LayerPlace parse_layer(const std::string& text, const std::string& option);
/// The parts between commas and blanks.
std::vector<std::string> split_list(std::string_view text);

/// The layer that a place is, counted through all stacks. Bare numbers are taken as they are, unless a file's maps have their own. Throws
/// Error (usage) listing the names there are.
int layer_number(const LayerPlace& place, const ModelConfig& config, const std::string& option);

/// Names as layers and heads of one model. The model is looked at only when a stack is named or it is a file of maps, and then only once.
class HeadNames {
 public:
  /// `item`: of a file of maps that holds a batch, whose texts all have the same heads.
  explicit HeadNames(const ModelChoice& model, std::optional<int> item = {}) : model_(model), item_(item) {}
  /// "2.5" or "cross.0.5". Throws Error (usage).
  HeadId head(const std::string& text, const std::string& option);
  /// Heads separated by commas.
  std::vector<HeadId> heads(const std::string& text, const std::string& option);
  /// A layer, a head, or "encoder", "decoder" or "cross": all heads of a stack.
  Scope scope(const std::string& text, const std::string& option);

 private:
  int number_of(const LayerPlace& place, const std::string& option);
  const ModelChoice& model_;
  std::optional<int> item_;
  std::optional<ModelConfig> config_;
};

}  // namespace headlight
