// The view in the saved state, and in the state that scripts write.
#pragma once

#include <span>

#include "app/gui/panel/panel.h"
#include "engine/formats/json.h"

namespace headlight {

/// `views`: each saves its own part. Scripts read more of it than the next start restores.
Json to_json(const ViewState& view, std::span<const ViewRow> views);
/// Restores what to_json wrote. Fields that are missing or make no sense keep their defaults: a broken state never stops a start.
ViewState view_from_json(const Json& json, std::span<const ViewRow> views);

/// What a document's file says of where one looked (kLookField): view, head, step, held row and zoom.
Json look_of(const ViewState& view, std::span<const ViewRow> views);
/// Looks there again. What is missing or makes no sense stays as it is.
void show_look(const Json& look, ViewState& view, std::span<const ViewRow> views);

}  // namespace headlight
