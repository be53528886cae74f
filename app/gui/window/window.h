// The window: GLFW, OpenGL, the event loop.
#pragma once

#include "app/session/window_options.h"

namespace headlight {

/// Opens the window and runs until it is closed or its script ends; returns 0. With a script nothing is remembered from the last time or
/// for the next one, unless the options say so. SIGTERM, SIGHUP and SIGINT close it, with everything saved, and then end the program as
/// they would have; so does a display that goes away, with exit status 1. Throws Error: internal (no usable display, no OpenGL 3.3, an
/// OpenGL error in a scripted run), usage (a script that cannot be played, with its line), input (a document that cannot be opened).
int run_window(const WindowOptions& options);

}  // namespace headlight
