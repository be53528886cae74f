// Output: what the model expects, and what heads do to it.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Its row of the table of views.
ViewRow output_row();

}  // namespace headlight
