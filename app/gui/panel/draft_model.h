// The sizes of the model that the document asks for, before it has been made.
#pragma once

#include <optional>
#include <string>

#include "engine/model/model.h"

namespace headlight {

struct Panel;

/// Null while another model than the shown one is being loaded, and for a sandbox whose sizes do not fit together.
std::optional<ModelConfig> draft_config(const Panel& panel);

/// Why a sandbox cannot be built like this, with the numbers; empty: it can.
std::string problem_of(const SandboxSpec& spec);

/// Sets the head count, and what no longer fits it: key/value heads that do not divide it, more rotary dimensions than a head has.
void set_heads(SandboxSpec& spec, int heads);

/// The model's own mask of a layer, as a mask text.
std::string own_mask_of(const Panel& panel, int layer);

/// The stack that a layer belongs to.
Stack stack_of(const Panel& panel, int layer);

}  // namespace headlight
