// Dear ImGui without a display: frames are built and thrown away, hands are played by the test. 0.003 ms a frame of an empty window.
//
//   NullWindow window({1280, 800});
//   window.draw = [&] { draw_frame(context, frame_state); };
//   window.click("Export");
//   window.type("hello");
//   window.settle(session);   // until worker and exporter are idle, and what they found is drawn
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <chrono>
#include <functional>
#include <map>
#include <string_view>
#include <thread>

#include "app/gui/kit/items.h"
#include "app/gui/kit/scene_painter.h"
#include "app/gui/script/input_feed.h"
#include "app/session/session.h"

namespace headlight::testing {

/// Keeps what was uploaded, for tests to look at.
class NullTextures final : public TextureStore {
 public:
  ImTextureRef upload(int slot, const Image& image) override {
    images[slot] = image;
    ++uploads;
    written.push_back(static_cast<ImTextureID>(1000 + slot));
    return ImTextureRef(written.back());
  }
  int largest_side() const override { return largest; }

  std::map<int, Image> images;
  int uploads = 0;
  std::vector<ImTextureID> written;
  int largest = 16384;
};

class NullContext {
 public:
  explicit NullContext(ImVec2 size) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0F / 60;
    io.ConfigInputTextCursorBlink = false;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
  }
  ~NullContext() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext();
  }
  NullContext(const NullContext&) = delete;
  NullContext& operator=(const NullContext&) = delete;

  /// What a renderer does with the atlas, without a renderer.
  static void acknowledge_textures() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_WantCreate || texture->Status == ImTextureStatus_WantUpdates) {
        texture->SetTexID(static_cast<ImTextureID>(1));
        texture->SetStatus(ImTextureStatus_OK);
      } else if (texture->Status == ImTextureStatus_WantDestroy) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
      }
    }
  }
};

class NullWindow {
  NullContext context_;  // first: everything else needs it

 public:
  explicit NullWindow(ImVec2 size = {1600, 1000}, float scale = 1) : context_(size), fonts(load_fonts(scale)), painter(textures, fonts) {}

  std::function<void()> draw;  ///< what a frame draws; `draw_frame`, or a test's own few widgets
  Fonts fonts;
  NullTextures textures;
  ScenePainter painter;
  ItemRecorder items;
  InputFeed feed;

  void frame(int count = 1) {
    for (int i = 0; i < count; ++i) {
      feed.step();
      items.begin_frame();
      ImGui::NewFrame();
      if (draw) draw();
      ImGui::Render();
      context_.acknowledge_textures();
    }
  }
  /// Plays what is in `feed`, and two frames more for what it caused.
  void play() {
    while (!feed.is_empty()) frame();
    frame(2);
  }
  void resize(ImVec2 size) {
    ImGui::GetIO().DisplaySize = size;
    frame(2);
  }

  bool has(std::string_view label) { return frame(), items.contains(label); }
  Box box_of(std::string_view label) { return frame(), items.find(label).box; }
  ImVec2 centre_of(std::string_view label) {
    const Box box = box_of(label);
    return {box.x + box.width / 2, box.y + box.height / 2};
  }
  /// The middle of a cell of a named map.
  ImVec2 cell_of(std::string_view label, Cell cell) {
    frame();
    return centre_of_cell(items.find(label), cell);
  }

  void click(std::string_view label) { click(centre_of(label)); }
  void click(ImVec2 at) { feed.click(at), play(); }
  void ctrl_click(std::string_view label) { feed.click(centre_of(label), ImGuiMouseButton_Left, 1, ImGuiMod_Ctrl), play(); }
  void right_click(std::string_view label) { feed.click(centre_of(label), ImGuiMouseButton_Right), play(); }
  void double_click(std::string_view label) { feed.click(centre_of(label), ImGuiMouseButton_Left, 2), play(); }
  void hover(std::string_view label) { hover(centre_of(label)); }
  void hover(ImVec2 at) { feed.move(at), play(); }
  void drag(ImVec2 from, ImVec2 to) { feed.drag(from, to), play(); }
  void type(std::string_view text) { feed.type(text), play(); }
  void key(std::string_view chord) { feed.key(parse_key(chord)), play(); }
  void wheel(float up) { feed.wheel(0, up), play(); }

  /// Draws frames until nothing is computed or written any more. The deadline is against hanging only.
  void settle(Session& session) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    for (int round = 0; round < 4; ++round) {  // a picture may ask for maps, whose frame asks for the next ones
      frame(2);
      while (!session.worker().is_idle() || session.exporter().status().is_busy) {
        if (std::chrono::steady_clock::now() > deadline) {
          ADD_FAILURE() << "the session did not come to rest within two minutes";
          return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    frame(2);
  }
};

}  // namespace headlight::testing
