// One frame of the whole window: panels in, draft out. Knows ImGui but neither GLFW nor OpenGL, so tests run it without a display.
#pragma once

#include "app/gui/scene_painter.h"
#include "app/gui/view_state.h"
#include "app/hub/downloader.h"
#include "app/session/session.h"

namespace headlight {

/// What keeps documents by itself, as panels see it.
struct Keeping {
  std::filesystem::path state_folder;     ///< empty: nothing is remembered
  std::filesystem::path document_folder;  ///< where the open document is kept; empty before its first save
  std::string problem;                    ///< why it is not saved; empty when all is well
};

/// What panels are given besides snapshot, draft and view.
struct FrameContext {
  Session& session;
  ScenePainter& painter;
  const Fonts& fonts;
  std::vector<std::string> dropped_paths;  ///< files and folders dropped on the window since the last frame
  Downloader* downloader = nullptr;        ///< null: nothing can be downloaded
  bool is_scripted = false;                ///< nothing that depends on the time is shown: the same pixels every run
  Keeping keeping = {};
};

/// Draws everything, then hands the changed draft to the session. `draft` is a copy of the document that lives for this frame only.
void draw_frame(FrameContext& context, ViewState& view);

/// Colours, spacing and corners of Dear ImGui for a theme and scale.
void apply_theme(Theme theme, float scale);

}  // namespace headlight
