#include "app/gui/kit/scene_painter.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <thread>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/kit/theme.h"
#include "app/gui/kit/written_text.h"
#include "engine/core/parallel.h"
#include "engine/figure/map/map_atlas.h"

namespace headlight {
namespace {

/// Threads that paint maps: more would not be done sooner.
int paint_threads() {
  constexpr unsigned kMost = 4;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMost));
}

/// Dear ImGui makes glyphs at whole sizes; any other would be drawn blurred.
float pixel_size(float points, float scale) {
  return std::max(1.0F, std::round(points * scale));
}

/// One scene's maps.
struct MapImage {
  int slot = 0;
  MapAtlas atlas;
  ImTextureRef texture;
};

/// An image of the last frame that was painted elsewhere. Holds it, so that no new one can get its address.
struct ShownImage {
  int slot = 0;
  std::shared_ptr<const Image> image;
  ImTextureRef texture;
};

/// A map of this frame: where it goes on the screen, and where its pixels are.
struct PlacedMap {
  const SceneMap* map = nullptr;
  ImVec2 from, to;
  AtlasMap painted;
  bool is_seen = false;
};

Box to_box(ImVec2 from, ImVec2 to) {
  return {from.x, from.y, to.x - from.x, to.y - from.y};
}

bool contains(const Box& outer, const Box& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom();
}

/// The map that directly follows a filled box and hides all of it but an edge; null for any other item.
const SceneMap* framed_map(const SceneItem& item, const Scene& scene) {
  const auto* box = std::get_if<SceneBox>(&item);
  if (box == nullptr || box->fill.alpha == 0 || box->radius > 0 || &item == &scene.items.back()) return nullptr;
  const auto* map = std::get_if<SceneMap>(&item + 1);
  return map != nullptr && map->picture && contains(box->box, map->box) ? map : nullptr;
}

/// Maps that follow each other are one draw call, whatever thin things lie between them; but a filled box must keep its place in the order.
bool covers(const SceneItem& item, const Scene& scene) {
  const auto* box = std::get_if<SceneBox>(&item);
  return box != nullptr && box->fill.alpha > 0 && framed_map(item, scene) == nullptr;
}

}  // namespace

struct ScenePainter::State {
  TextureStore& textures;
  const Fonts& fonts;
  std::map<std::string, MapImage, std::less<>> images = {};
  std::map<std::string, ShownImage, std::less<>> shown = {};
  int slots = 0;  // taken
  ThreadPool pool{paint_threads()};
  std::function<void(const Scene&, std::string_view)> watcher = {};

  std::vector<PlacedMap> place_maps(const Scene& scene, ImVec2 origin, PixelBox& extent) const;
  void paint_maps(const std::vector<PlacedMap>& maps, const PixelBox& extent, MapImage& into);
};

namespace {

/// Draws the items of one scene.
class Pen {
 public:
  Pen(const Fonts& fonts, ImVec2 origin)
      : fonts_(fonts), scale_(fonts.scale), place_{origin, fonts.scale}, list_(*ImGui::GetWindowDrawList()) {}

  void draw(const SceneBox& item) {
    const ImVec2 from = snapped(item.box.x, item.box.y), to = snapped(item.box.right(), item.box.bottom());
    const float radius = item.radius * scale_;
    if (item.fill.alpha > 0) fill_rounded(fonts_, list_, from, to, to_imgui(item.fill), radius);
    if (item.stroke.alpha == 0) return;
    // Even widths lie on the edge, odd ones with one pixel more inside.
    const float width = line_width(item.stroke_width), out = std::floor(width / 2);
    stroke_rounded(fonts_, list_, {from.x - out, from.y - out}, {to.x + out, to.y + out}, to_imgui(item.stroke),
                   radius > 0 ? radius + out : 0, width);
  }

  /// A box that a map will hide, as four strips around it.
  void draw_frame(const SceneBox& item, const SceneMap& map) {
    const ImVec2 from = snapped(item.box.x, item.box.y), to = snapped(item.box.right(), item.box.bottom());
    const ImVec2 inner = snapped(map.box.x, map.box.y), inner_to = snapped(map.box.right(), map.box.bottom());
    const ImU32 colour = to_imgui(item.fill);
    list_.AddRectFilled(from, {to.x, inner.y}, colour);
    list_.AddRectFilled({from.x, inner_to.y}, to, colour);
    list_.AddRectFilled({from.x, inner.y}, {inner.x, inner_to.y}, colour);
    list_.AddRectFilled({inner_to.x, inner.y}, {to.x, inner_to.y}, colour);
    if (item.stroke.alpha > 0) draw(SceneBox{.box = item.box, .stroke = item.stroke, .stroke_width = item.stroke_width});
  }

  void draw(const SceneLine& item) {
    const float width = line_width(item.width);
    if (item.from.x == item.to.x || item.from.y == item.to.y) {  // on whole pixels, as a rectangle: no blur
      const ImVec2 a = at(item.from), b = at(item.to);
      const bool is_upright = item.from.x == item.to.x;
      const float half = width / 2;
      const ImVec2 from = is_upright ? ImVec2(std::round(a.x - half), std::round(std::min(a.y, b.y)))
                                     : ImVec2(std::round(std::min(a.x, b.x)), std::round(a.y - half));
      const ImVec2 to =
          is_upright ? ImVec2(from.x + width, std::round(std::max(a.y, b.y))) : ImVec2(std::round(std::max(a.x, b.x)), from.y + width);
      list_.AddRectFilled(from, to, to_imgui(item.colour));
      return;
    }
    list_.AddLine(at(item.from), at(item.to), to_imgui(item.colour), width);
  }

  void draw(const SceneCurve& item) {
    if (item.colour.alpha == 0) return;
    list_.PathLineTo(at(item.from));
    list_.PathBezierCubicCurveTo(at(item.from_control), at(item.to_control), at(item.to));
    stroke_path(list_, to_imgui(item.colour), std::max(1.0F, item.width * scale_));
  }

  void draw(const SceneText& item) {
    if (item.text.empty() || item.colour.alpha == 0) return;
    const float size = pixel_size(item.size, scale_);
    const float width = written_width(fonts_, item.face, size, item.text);
    const ImVec2 corner{item.align_x == AlignX::left ? 0 : std::round(item.align_x == AlignX::centre ? -width / 2 : -width),
                        std::round(baseline_below(item.align_y, size) - baseline_of(fonts_, item.face, size))};
    const ImVec2 anchor = at(item.at);
    const ImVec2 pivot{std::round(anchor.x), std::round(anchor.y)};
    note_turned(item, pivot, {corner.x, std::round(baseline_below(item.align_y, size))}, width, size);
    if (item.degrees == 0) {
      add_text(list_, fonts_, item.face, size, {pivot.x + corner.x, pivot.y + corner.y}, to_imgui(item.colour), item.text);
      return;
    }
    add_turned_text(list_, fonts_, item.face, size, pivot, corner, item.degrees, to_imgui(item.colour), item.text);
  }

  void draw(const SceneRamp& item) {
    const auto& colours = ramp(item.scale.map, item.scale.is_dark);
    const ImVec2 from = snapped(item.box.x, item.box.y), to = snapped(item.box.right(), item.box.bottom());
    constexpr std::size_t kSteps = 51;  // every fifth of the 256 colours; between them the renderer mixes
    for (std::size_t step = 0; step < kSteps; ++step) {
      const ImU32 low = to_imgui(colours[step * 5]);
      const ImU32 high = to_imgui(colours[step * 5 + 5]);
      const float bottom = to.y + (from.y - to.y) * static_cast<float>(step) / kSteps;
      const float top = to.y + (from.y - to.y) * static_cast<float>(step + 1) / kSteps;
      list_.AddRectFilledMultiColor({from.x, top}, {to.x, bottom}, high, high, low, low);
    }
  }

  void draw(const SceneMap&) {}  // drawn by the next overload, which knows its pixels
  /// Maps hide what is under them: blending would cost as much again.
  void draw(std::span<const PlacedMap> maps, const MapImage& image, TextureStore& textures) {
    if (std::none_of(maps.begin(), maps.end(), [](const PlacedMap& map) { return map.is_seen; })) return;
    textures.begin_opaque(list_);
    for (const PlacedMap& map : maps) {
      if (map.is_seen) draw(map, image);
    }
    textures.end_opaque(list_);
  }

 private:
  /// `begin`: of the baseline, seen from the pivot, before it is turned.
  void note_turned(const SceneText& item, ImVec2 pivot, ImVec2 begin, float width, float size) const {
    const float angle = item.degrees * 3.14159265F / 180;
    const ImVec2 from{pivot.x + begin.x * std::cos(angle) + begin.y * std::sin(angle),
                      pivot.y - begin.x * std::sin(angle) + begin.y * std::cos(angle)};
    note_text(item.text, from, width, size, item.degrees);
  }

  void draw(const PlacedMap& map, const MapImage& image) {
    const auto width = static_cast<float>(image.atlas.image().width), height = static_cast<float>(image.atlas.image().height);
    const PixelBox& place = map.painted.place;
    const ImVec2 from{static_cast<float>(place.x) / width, static_cast<float>(place.y) / height};
    const ImVec2 to{static_cast<float>(place.x + place.width) / width, static_cast<float>(place.y + place.height) / height};
    list_.AddImage(image.texture, map.from, map.to, from, to);
  }

  ImVec2 at(Point point) const { return place_.pixels(point); }
  ImVec2 snapped(float x, float y) const {
    const ImVec2 point = at({x, y});
    return {std::round(point.x), std::round(point.y)};
  }
  float line_width(float points) const { return std::max(1.0F, std::round(points * scale_)); }

  const Fonts& fonts_;
  float scale_;
  ScenePlace place_;
  ImDrawList& list_;
};

}  // namespace

/// The visible maps, in the scene's order. Their places in the image follow from the scene alone, so that scrolling moves them all alike.
std::vector<PlacedMap> ScenePainter::State::place_maps(const Scene& scene, ImVec2 origin, PixelBox& extent) const {
  const float scale = fonts.scale;
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const Box clip = to_box(list.GetClipRectMin(), list.GetClipRectMax());
  std::vector<PlacedMap> maps;
  Box all{FLT_MAX, FLT_MAX, 0, 0};
  ImVec2 most{-FLT_MAX, -FLT_MAX};
  for (const SceneItem& item : scene.items) {
    const auto* map = std::get_if<SceneMap>(&item);
    if (map == nullptr) continue;
    const Box place = ScenePlace{origin, scale}.pixels(map->box);
    maps.push_back({map, {std::round(place.x), std::round(place.y)}, {}, {}});
    PlacedMap& placed = maps.back();
    placed.is_seen = map->picture && overlap(clip, {placed.from.x, placed.from.y, place.width, place.height});
    if (!placed.is_seen) continue;
    all = {std::min(all.x, map->box.x), std::min(all.y, map->box.y), 0, 0};
    most = {std::max(most.x, map->box.right()), std::max(most.y, map->box.bottom())};
  }
  if (most.x < all.x) return maps;  // none is visible
  const float side = std::max(most.x - all.x, most.y - all.y) * scale + 2;
  // Pixels of the image per pixel of Dear ImGui: more than one where the system counts the window in points.
  const float density = std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
  const float shrink = std::min(density, static_cast<float>(textures.largest_side()) / side);
  const auto pixel = [&](float points) { return static_cast<int>(std::round(points * scale * shrink)); };
  extent = {0, 0, pixel(most.x - all.x) + 1, pixel(most.y - all.y) + 1};
  for (PlacedMap& placed : maps) {
    if (!placed.is_seen) continue;
    const SceneMap& map = *placed.map;
    const PixelBox place{pixel(map.box.x - all.x), pixel(map.box.y - all.y), 0, 0};
    const int width = std::max(1, pixel(map.box.right() - all.x) - place.x),
              height = std::max(1, pixel(map.box.bottom() - all.y) - place.y);
    placed.painted = {map.picture, map.window, map.scale, map.hatch, {place.x, place.y, width, height}};
    placed.painted.hatch.spacing *= scale * shrink;
    placed.to = {placed.from.x + static_cast<float>(width) / shrink, placed.from.y + static_cast<float>(height) / shrink};
  }
  return maps;
}

void ScenePainter::State::paint_maps(const std::vector<PlacedMap>& maps, const PixelBox& extent, MapImage& into) {
  std::vector<AtlasMap> seen;
  for (const PlacedMap& map : maps) {
    if (map.is_seen) seen.push_back(map.painted);
  }
  if (into.atlas.show(std::move(seen), extent.width, extent.height, pool)) into.texture = textures.upload(into.slot, into.atlas.image());
}

ScenePainter::ScenePainter(TextureStore& textures, const Fonts& fonts) : state_(new State{.textures = textures, .fonts = fonts}) {}
ScenePainter::~ScenePainter() = default;

void ScenePainter::paint(const Scene& scene, ImVec2 origin, std::string_view name) {
  if (state_->watcher) state_->watcher(scene, name);
  auto entry = state_->images.find(name);
  if (entry == state_->images.end()) {
    entry = state_->images.emplace(name, MapImage{}).first;
    entry->second.slot = state_->slots++;
  }
  PixelBox extent;
  const std::vector<PlacedMap> maps = state_->place_maps(scene, origin, extent);
  if (extent.width > 0) state_->paint_maps(maps, extent, entry->second);
  Pen pen(state_->fonts, origin);
  auto map = maps.begin();
  auto item = scene.items.begin();
  while (item != scene.items.end()) {
    const auto end = std::find_if(item, scene.items.end(), [&](const SceneItem& each) { return covers(each, scene); });
    const auto next_map = map + std::count_if(item, end, [](const SceneItem& each) { return std::holds_alternative<SceneMap>(each); });
    pen.draw(std::span(map, next_map), entry->second, state_->textures);
    map = next_map;
    const auto after = end == scene.items.end() ? end : end + 1;
    for (; item != after; ++item) {
      if (const SceneMap* framed = framed_map(*item, scene)) {
        pen.draw_frame(std::get<SceneBox>(*item), *framed);
      } else {
        std::visit([&pen](const auto& record) { pen.draw(record); }, *item);
      }
    }
  }
}

void ScenePainter::show_image(const std::shared_ptr<const Image>& image, ImVec2 from, ImVec2 to, std::string_view name) {
  auto entry = state_->shown.find(name);
  if (entry == state_->shown.end()) entry = state_->shown.emplace(name, ShownImage{state_->slots++, nullptr, {}}).first;
  ShownImage& shown = entry->second;
  if (shown.image != image) {
    shown.image = image;
    shown.texture = state_->textures.upload(shown.slot, *image);
  }
  ImGui::GetWindowDrawList()->AddImage(shown.texture, from, to);
}

MeasureText ScenePainter::measure() const {
  return [&fonts = state_->fonts](const std::string& text, FontFace face, float size) {
    const float pixels = pixel_size(size, fonts.scale);
    return written_width(fonts, face, pixels, text) / fonts.scale;
  };
}

void ScenePainter::watch(std::function<void(const Scene&, std::string_view)> watcher) {
  state_->watcher = std::move(watcher);
}

int ScenePainter::map_paints() const {
  int paints = 0;
  for (const auto& [name, image] : state_->images) paints += image.atlas.paints();
  return paints;
}

}  // namespace headlight
