// Paints a Scene into Dear ImGui's draw list, with the same fonts, colours and map painter as files.
#pragma once

#include <imgui.h>

#include <functional>
#include <memory>
#include <string_view>

#include "app/gui/kit/fonts.h"
#include "engine/figure/scene.h"

namespace headlight {

/// A texture in memory of the renderer. The window makes OpenGL ones; tests without a display make none.
class TextureStore {
 public:
  TextureStore() = default;
  TextureStore(const TextureStore&) = delete;
  TextureStore& operator=(const TextureStore&) = delete;
  virtual ~TextureStore() = default;
  /// Makes or replaces the texture `slot`; returns what ImGui draws.
  virtual ImTextureRef upload(int slot, const Image& image) = 0;
  virtual int largest_side() const = 0;
  /// Between the two, textures that `list` draws replace the pixels that are there, instead of being tinted and blended with them. Both do
  /// nothing where the renderer has no such state.
  virtual void begin_opaque(ImDrawList& /*list*/) {}
  virtual void end_opaque(ImDrawList& /*list*/) {}
};

/// Where a scene lies in the window: from its points to pixels, and back.
struct ScenePlace {
  ImVec2 origin;  ///< pixels
  float scale = 1;
  ImVec2 pixels(Point point) const { return {origin.x + point.x * scale, origin.y + point.y * scale}; }
  Box pixels(const Box& box) const { return {origin.x + box.x * scale, origin.y + box.y * scale, box.width * scale, box.height * scale}; }
  Point points(ImVec2 pixel) const { return {(pixel.x - origin.x) / scale, (pixel.y - origin.y) / scale}; }
  Box points(const Box& box) const {
    return {(box.x - origin.x) / scale, (box.y - origin.y) / scale, box.width / scale, box.height / scale};
  }
};

/// All SceneMaps of a scene are painted by paint_map into one image, kept in one texture (MapAtlas). A map is painted again only when its
/// values, its window, its colours or its size changed; every other frame draws one quad per map.
/// Maps outside the clip rectangle are not painted. The scene's background is the caller's: the window's ground shows through.
class ScenePainter {
 public:
  ScenePainter(TextureStore& textures, const Fonts& fonts);
  ~ScenePainter();
  /// Draws `scene` into the current ImGui window with its origin at `origin` (pixels). `name` identifies the scene from frame to frame
  /// ("overview", "head"); one scene per name and frame.
  void paint(const Scene& scene, ImVec2 origin, std::string_view name);
  /// Draws an image that was painted elsewhere from `from` to `to` (pixels); one per name and frame. It is uploaded when it changes.
  void show_image(const std::shared_ptr<const Image>& image, ImVec2 from, ImVec2 to, std::string_view name);
  MeasureText measure() const;
  /// From now on `watcher` is given every scene just before it is painted: a test sees what a view shows.
  void watch(std::function<void(const Scene& scene, std::string_view name)> watcher);
  /// How many maps have been painted so far: a test checks that idle frames paint none.
  int map_paints() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
