// Lines of a list of which one can be chosen: models, files, documents.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

/// One line: a name, and what it is at the right. `label` names it for scripts.
bool draw_choice(const Look& look, const std::string& label, const std::string& name, const std::string& what, bool is_chosen,
                 Colour colour);

/// Lines that scroll by themselves, wider than the column by what the mark of a chosen line needs at both sides.
void begin_list(const Look& look, const char* name, float height);
void end_list();
/// Of a list that shows at most three of its rows at once.
float list_height(const Look& look, std::size_t rows);

/// The documents that the program keeps by itself; nothing where there are none. Choosing one opens it.
void draw_kept_documents(Panel& panel);

}  // namespace headlight
