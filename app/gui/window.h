// The window: GLFW, OpenGL, the event loop.
#pragma once

#include "app/session/window_options.h"

namespace headlight {

/// Opens the window and runs until it is closed or its script ends. Returns the exit status: 0, or 1 with one message on stderr when there is
/// no usable display or OpenGL 3.3.
int run_window(const WindowOptions& options);

}  // namespace headlight
