// The first start: one line of welcome above the picture, with three doors.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// While Notes::is_welcoming: the line at the top of `views`, gone with the first key, door or ×. Returns what is left for the views.
Box draw_welcome(Panel& panel, const Box& views);

}  // namespace headlight
