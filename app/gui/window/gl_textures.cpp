#include "app/gui/window/gl_textures.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include "engine/core/error.h"

namespace headlight {

GlTextures::GlTextures() {
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_side_);
}

GlTextures::~GlTextures() {
  for (const auto& [slot, texture] : textures_) glDeleteTextures(1, &texture.name);
}

ImTextureRef GlTextures::upload(int slot, const Image& image) {
  ++uploads_;
  Texture& texture = textures_[slot];
  if (texture.name == 0) glGenTextures(1, &texture.name);
  glBindTexture(GL_TEXTURE_2D, texture.name);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (texture.width == image.width && texture.height == image.height) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
  } else {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    if (glGetError() == GL_OUT_OF_MEMORY) {
      throw Error({.kind = ErrorKind::limit,
                   .problem = "the graphics memory has no room for a picture",
                   .found = fmt::format("{}x{} pixels", image.width, image.height),
                   .hint = "Make the window smaller."});
    }
    texture.width = image.width;
    texture.height = image.height;
  }
  return ImTextureRef(static_cast<ImTextureID>(texture.name));
}

ImDrawCallback GlTextures::opaque() const {
  return [](const ImDrawList*, const ImDrawCmd*) { glDisable(GL_BLEND); };
}

}  // namespace headlight
