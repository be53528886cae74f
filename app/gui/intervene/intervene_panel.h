// The section Intervene of the left rail: what is put in the place of what heads do.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_intervene_panel(Panel& panel);

}  // namespace headlight
