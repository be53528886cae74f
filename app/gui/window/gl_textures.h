// Textures of the window's pictures in OpenGL.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

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
  void begin_opaque(ImDrawList& list) override;
  void end_opaque(ImDrawList& list) override;
  std::vector<ImTextureID> take_written() { return std::exchange(written_, {}); }  ///< since the last call

 private:
  struct Texture {
    unsigned int name = 0;
    int width = 0, height = 0;
  };
  /// A program of OpenGL that draws textures as they are; without a name where the driver made none.
  struct Copier {
    unsigned int name = 0;
    int projection = -1;  ///< the uniform
  };
  static void use_copier(const ImDrawList* list, const ImDrawCmd* command);
  static Copier make_copier(unsigned int like);

  std::map<int, Texture> textures_;
  std::optional<Copier> copier_;  ///< made when the first map is drawn, as Dear ImGui's program is not there before
  int largest_side_ = 0;
  std::vector<ImTextureID> written_;
};

}  // namespace headlight
