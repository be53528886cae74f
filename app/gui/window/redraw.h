// Which part of a frame has to reach the screen. On a software renderer a frame of 2560 x 1440 pixels costs 15 ms, whatever it shows, and a
// caret that blinks asks for two of them a second. So a frame is compared with the one on the screen: where nothing differs, nothing is
// drawn; where boxes do, such as a map under the pointer and the numbers beside it, only they are. A graphics card draws whole frames.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

/// How a frame differs from the one before it.
struct FrameChange {
  bool is_all = true;      ///< draw everything: too much differs, or no boxes enclose it
  std::vector<Box> boxes;  ///< otherwise everything that differs is in these, in whole pixels of the window; none overlap
  bool is_nothing() const { return !is_all && boxes.empty(); }
};

/// Keeps what the last frame drew, to compare the next with it: a copy of Dear ImGui's triangles.
class LastFrame {
 public:
  /// Compares and takes over. Call it after ImGui::Render and before anything changes or draws `data`. `ground`: what is seen where nothing is
  /// drawn. `written`: textures that were written since the last frame. Triangles alone show neither.
  FrameChange replace(const ImDrawData& data, Colour ground, const std::vector<ImTextureID>& written);
  /// What was taken over never reached the screen, or the screen lost it: the next frame is all new.
  void forget() { is_known_ = false; }

 private:
  /// What one window of Dear ImGui drew, or what lies behind or in front of all windows.
  struct List {
    std::string owner;
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
  };
  static Box extent(const List& list);
  static Box difference(const List& before, const ImDrawList& now, const std::vector<ImTextureID>& written);
  /// Around what differs, list by list. Of lists that lie in another order, all that they draw.
  std::vector<Box> differences(const ImDrawData& data, const std::vector<ImTextureID>& written) const;
  void keep(const ImDrawData& data);

  bool is_known_ = false;
  ImVec2 size_;
  Colour ground_;
  std::vector<List> lists_;
};

/// Keeps only what `data` draws inside a box, of whole pixels.
void restrict_to(ImDrawData& data, const Box& box);
/// Calls draw(box) with `data` restricted to each box, one after the other; afterwards it is as it was.
void for_each_part(ImDrawData& data, const std::vector<Box>& boxes, const std::function<void(const Box&)>& draw);

/// Seconds until the caret of the text box being typed in appears or disappears; empty if none blinks.
std::optional<double> seconds_to_blink();

}  // namespace headlight
