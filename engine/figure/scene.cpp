#include "engine/figure/scene.h"

namespace headlight {

bool SceneMap::operator==(const SceneMap& other) const {
  const bool is_same_place = box == other.box && window == other.window && scale == other.scale && hatch == other.hatch;
  if (!is_same_place || !picture || !other.picture) return is_same_place && picture == other.picture;
  return picture == other.picture || *picture == *other.picture;
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
