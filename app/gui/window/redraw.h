// Which part of a frame has to reach the screen. On a software renderer a frame of 2560 x 1440 pixels costs 15 ms, whatever it shows, and a
// caret that blinks asks for two of them a second. So a frame is compared with the one on the screen: where nothing differs, nothing is
// drawn; where a small box does, only that box is.
#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

/// How a frame differs from the one before it.
struct FrameChange {
  bool is_all = true;  ///< draw everything: too much differs, or no box encloses it
  Box box;             ///< otherwise everything that differs is in here, in pixels; without width if nothing does
  bool is_nothing() const { return !is_all && box.width <= 0; }
};

/// Keeps what the last frame drew, to compare the next with it: a copy of Dear ImGui's triangles.
class LastFrame {
 public:
  /// Compares and takes over. Call it after ImGui::Render and before anything changes or draws `data`. `textures`: how often a texture that
  /// `data` shows was written so far, as triangles alone do not show that a picture in them changed.
  FrameChange replace(const ImDrawData& data, int textures);
  /// What was taken over never reached the screen, or the screen lost it: the next frame is all new.
  void forget() { is_known_ = false; }

 private:
  struct List {
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
  };
  /// Empty if it is not known. `is_same_mesh`: vertices and indices are equal.
  static std::optional<Box> difference(const List& before, const ImDrawList& now, bool is_same_mesh);
  static void keep(List& list, const ImDrawList& now);

  bool is_known_ = false;
  ImVec2 size_;
  int textures_ = 0;
  std::vector<List> lists_;
};

/// Keeps only what `data` draws inside a box.
void restrict_to(ImDrawData& data, const Box& box);

/// Seconds until the caret of the text box being typed in appears or disappears; empty if none blinks.
std::optional<double> seconds_to_blink();

}  // namespace headlight
