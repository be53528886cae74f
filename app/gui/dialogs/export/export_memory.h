// How the last figure was set, for the next start.
#pragma once

#include "app/gui/dialogs/dialog_states.h"
#include "engine/formats/json.h"

namespace headlight {

inline constexpr std::size_t kMostOwnPresets = 32;

/// Ending, size, letters, parts and ground, and the presets that a person made.
Json export_to_keep(const ExportChoice& choice);
/// What is missing or makes no sense keeps the value it has: a broken state never stops a start.
void restore_export(const Json& json, ExportChoice& choice);

}  // namespace headlight
