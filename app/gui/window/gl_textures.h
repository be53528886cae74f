// Textures of the window's pictures in OpenGL.
#pragma once

#include <map>

#include "app/gui/kit/scene_painter.h"

namespace headlight {

/// Pixels as they are: nearest neighbour, no mipmaps. The OpenGL context must be current as long as it lives.
class GlTextures final : public TextureStore {
 public:
  GlTextures();
  ~GlTextures() override;
  /// Throws Error (limit) when the graphics memory does not take the image.
  ImTextureRef upload(int slot, const Image& image) override;
  int largest_side() const override { return largest_side_; }
  ImDrawCallback opaque() const override;
  int uploads() const { return uploads_; }  ///< so far

 private:
  struct Texture {
    unsigned int name = 0;
    int width = 0, height = 0;
  };
  std::map<int, Texture> textures_;
  int largest_side_ = 0;
  int uploads_ = 0;
};

}  // namespace headlight
