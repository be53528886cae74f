#include "engine/figure/scene.h"

#include <utility>
#include <variant>

namespace headlight {

bool SceneMap::operator==(const SceneMap& other) const {
  const bool is_same_place = box == other.box && window == other.window && scale == other.scale && hatch == other.hatch;
  if (!is_same_place || !picture || !other.picture) return is_same_place && picture == other.picture;
  return picture == other.picture || *picture == *other.picture;
}

namespace {

/// Of everything in a scene.
struct Transform {
  float factor = 1;
  Point by = {};

  void operator()(Point& point) const { point = {point.x * factor + by.x, point.y * factor + by.y}; }
  void operator()(Box& box) const { box = {box.x * factor + by.x, box.y * factor + by.y, box.width * factor, box.height * factor}; }

  void operator()(SceneBox& item) const {
    (*this)(item.box);
    item.stroke_width *= factor;
    item.radius *= factor;
  }
  void operator()(SceneLine& item) const {
    (*this)(item.from);
    (*this)(item.to);
    item.width *= factor;
  }
  void operator()(SceneCurve& item) const {
    for (Point* point : {&item.from, &item.from_control, &item.to_control, &item.to}) (*this)(*point);
    item.width *= factor;
  }
  void operator()(SceneText& item) const {
    (*this)(item.at);
    item.size *= factor;
  }
  void operator()(SceneMap& item) const {
    (*this)(item.box);
    item.hatch.spacing *= factor;
  }
  void operator()(SceneRamp& item) const { (*this)(item.box); }
};

Scene transformed(Scene scene, const Transform& transform) {
  for (SceneItem& item : scene.items) std::visit(transform, item);
  for (SceneSpot& spot : scene.spots) transform(spot.box);
  scene.width *= transform.factor;
  scene.height *= transform.factor;
  return scene;
}

}  // namespace

Scene scaled(Scene scene, float factor) {
  return transformed(std::move(scene), {.factor = factor});
}

Scene moved(Scene scene, Point by) {
  return transformed(std::move(scene), {.by = by});
}

// Shares of the size that suit Inter and JetBrains Mono alike.
float baseline_below(AlignY align, float size) {
  switch (align) {
    case AlignY::top:
      return 0.95F * size;
    case AlignY::middle:
      return kMiddleToBaseline * size;
    case AlignY::baseline:
      return 0;
    case AlignY::bottom:
      return -0.22F * size;
  }
  return 0;
}

}  // namespace headlight
