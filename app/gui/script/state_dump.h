// What the window knows and shows, as JSON: for scripts, which compare it with what they expect.
#pragma once

#include "app/gui/kit/items.h"
#include "app/session/session.h"
#include "engine/formats/json.h"

namespace headlight {

/// {"document": …, "view": …, "snapshot": {"tokens": […], "layers", "heads", …}, "worker": {…}, "history": {…},
///  "joined": null or {"what", "reduction", "heads", "values": [[…]]} of the map that Flow shows, "items": [{"label", "box"}]}. Nothing in it depends on how long anything took.
Json dump_state(Session& session, const Json& view, const std::vector<DrawnItem>& items);

}  // namespace headlight
