// What the window starts with: what is remembered, or what the command line asks for.
#pragma once

#include "app/gui/state/view_state.h"
#include "app/gui/window/platform_window.h"
#include "app/session/state.h"
#include "app/session/window_options.h"

namespace headlight {

struct WindowStart {
  RestoredState restored;
  StateStore store;
  WindowPlace place;
  std::filesystem::path file = {};   ///< of the document, empty: it has none
  Document saved = {};               ///< what that file holds
  std::filesystem::path study = {};  ///< that is shown beside the document
  bool opens_study = false;          ///< it is what the command line names
};

/// Throws Error (input) for a document that cannot be opened.
WindowStart make_start(const WindowOptions& options);

/// The view and the window's place, as settings keep them.
Json view_to_keep(const ViewState& view, const WindowPlace& place);

}  // namespace headlight
