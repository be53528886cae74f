// One image that holds all maps of a scene from frame to frame, and paints only what is new.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/figure/map/map_picture.h"

namespace headlight {

/// A map of an atlas: everything that decides its pixels. Its hatch begins at its own corner, so that a map may move and stay as it is.
/// Holds the picture, so that no new one can get its address.
struct AtlasMap {
  std::shared_ptr<const MapPicture> picture;
  CellWindow window;
  ColourScale scale;
  HatchStyle hatch;
  PixelBox place;  ///< inside the image
  bool operator==(const AtlasMap&) const = default;
};

/// Scrolling through thousands of maps brings a line of new ones with each frame, and a zoomed map that is dragged is another one in every
/// frame: the others are copied, and what is new is painted by several threads. While a colour scale of all of them is dragged,
/// what the pixels show stays as it is, and only gets other colours. Thread contract: one thread at a time.
class MapAtlas {
 public:
  /// Makes the image show these maps, which do not overlap, in at least width × height pixels. Between them is what was there before.
  /// Returns whether the image has changed.
  bool show(std::vector<AtlasMap> maps, int width, int height, ThreadPool& pool);
  /// As large as it had to be of late; larger than asked for where it was needed before. In the order of bytes of a window, bgra.
  const Image& image() const { return image_; }
  /// How many maps have been painted so far; those that were copied, or only got other colours, do not count.
  int paints() const { return paints_; }

 private:
  /// What is done with one map: `from` is where it was in the image before, null: it is painted.
  struct Step {
    const AtlasMap* map = nullptr;
    const AtlasMap* from = nullptr;
  };
  bool has_size_for(int width, int height) const;
  bool differs_in_scales_alone(const std::vector<AtlasMap>& maps) const;
  void recolour(ThreadPool& pool);
  void take(const std::vector<Step>& steps, ThreadPool& pool);

  Image image_{0, 0, {}, ByteOrder::bgra}, before_{0, 0, {}, ByteOrder::bgra};
  std::vector<AtlasMap> maps_;
  std::vector<float> values_;  // of the pixels of image_, while only scales change; empty: not known
  int paints_ = 0;
};

}  // namespace headlight
