// Lists from which one line can be chosen: models, files, documents.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

/// One line: a name at the left, what it is at the right. `label` names the line for scripts.
bool draw_choice(const Look& look, const std::string& label, const std::string& name, const std::string& what, bool is_chosen,
                 Colour colour);

/// Begins a list that scrolls on its own. It is wider than the column by the room that a chosen line's mark needs at both sides.
void begin_list(const Look& look, const char* name, float height);
void end_list();
/// Height of a list that shows at most three rows at once.
float list_height(const Look& look, std::size_t rows);

/// The documents that the program saved automatically; nothing if there are none. Choosing one opens it.
void draw_kept_documents(Panel& panel);

}  // namespace headlight
