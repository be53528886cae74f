// Taking a lesson: what its steps do with the document and with what is looked at, and how everything is as before when it is left.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Opens a lesson of `all`, with the document and the look of now to come back to.
void take_lesson(Panel& panel, const std::shared_ptr<const Lessons>& all, std::size_t place);

/// Sets the document that the open lesson asks for, as one step of the history, and looks where it looks once that is shown; gives back the
/// document and the look of before to whoever leaves; takes the lesson that is wanted by its name. Call it every frame, before the panels
/// draw.
void settle_lesson(Panel& panel);

}  // namespace headlight
