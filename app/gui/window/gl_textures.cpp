#include "app/gui/window/gl_textures.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include <array>

#include "engine/core/error.h"

// Mesa's software renderer copies rows of pixels, in place of computing each of them, where three things hold: the shader does nothing but
// read a texture, the texture has the window's own order of bytes (blue, green, red, alpha), and nothing is blended. A map as large as a
// window of 2560 x 1440 then takes 7 ms instead of 20. (Mesa 22.3, lp_linear.c. Its fast path for shaders that also multiply by a colour, as
// Dear ImGui's does, draws wrong colours: the fonts stay as they are.)

namespace headlight {
namespace {

constexpr std::array<const char*, 2> kAttributes{"Position", "UV"};  // as Dear ImGui's program calls them

constexpr const char* kVertices = R"(#version 330 core
in vec2 Position;
in vec2 UV;
uniform mat4 ProjMtx;
out vec2 at;
void main() {
  at = UV;
  gl_Position = ProjMtx * vec4(Position, 0, 1);
}
)";

constexpr const char* kPixels = R"(#version 330 core
in vec2 at;
uniform sampler2D Texture;
layout(location = 0) out vec4 colour;
void main() { colour = texture(Texture, at); }
)";

void attach(GLuint program, GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glDeleteShader(shader);  // with the program
}

}  // namespace

GlTextures::GlTextures() {
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_side_);
}

GlTextures::~GlTextures() {
  for (const auto& [slot, texture] : textures_) glDeleteTextures(1, &texture.name);
  if (copier_) glDeleteProgram(copier_->name);  // 0 is ignored
}

ImTextureRef GlTextures::upload(int slot, const Image& image) {
  const GLenum order = image.order == ByteOrder::bgra ? GL_BGRA : GL_RGBA;
  Texture& texture = textures_[slot];
  if (texture.name == 0) glGenTextures(1, &texture.name);
  glBindTexture(GL_TEXTURE_2D, texture.name);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (texture.width == image.width && texture.height == image.height) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, order, GL_UNSIGNED_BYTE, image.pixels.data());
  } else {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    // Without a size in the name of its format, a texture keeps the order of bytes that it is made with.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, image.width, image.height, 0, GL_BGRA, GL_UNSIGNED_BYTE, nullptr);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, order, GL_UNSIGNED_BYTE, image.pixels.data());
    if (glGetError() == GL_OUT_OF_MEMORY) {
      throw Error({.kind = ErrorKind::limit,
                   .problem = "the graphics memory has no room for a picture",
                   .found = fmt::format("{}x{} pixels", image.width, image.height),
                   .hint = "Make the window smaller."});
    }
    texture.width = image.width;
    texture.height = image.height;
  }
  written_.push_back(static_cast<ImTextureID>(texture.name));
  return ImTextureRef(written_.back());
}

void GlTextures::begin_opaque(ImDrawList& list) {
  list.AddCallback(use_copier, this);
}

void GlTextures::end_opaque(ImDrawList& list) {
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

/// `like`: Dear ImGui's program, whose vertices it is given.
GlTextures::Copier GlTextures::make_copier(unsigned int like) {
  Copier copier{.name = glCreateProgram()};
  for (const char* attribute : kAttributes) {
    glBindAttribLocation(copier.name, static_cast<GLuint>(glGetAttribLocation(like, attribute)), attribute);
  }
  attach(copier.name, GL_VERTEX_SHADER, kVertices);
  attach(copier.name, GL_FRAGMENT_SHADER, kPixels);
  glLinkProgram(copier.name);
  GLint is_linked = GL_FALSE;
  glGetProgramiv(copier.name, GL_LINK_STATUS, &is_linked);
  if (is_linked == GL_FALSE) {
    glDeleteProgram(copier.name);
    return {};
  }
  copier.projection = glGetUniformLocation(copier.name, "ProjMtx");
  return copier;
}

void GlTextures::use_copier(const ImDrawList* /*list*/, const ImDrawCmd* command) {
  glDisable(GL_BLEND);
  auto& copier = static_cast<GlTextures*>(command->UserCallbackData)->copier_;
  GLint own = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &own);
  const auto imgui = static_cast<GLuint>(own);
  if (!copier) copier = make_copier(imgui);
  if (copier->name == 0) return;  // Dear ImGui's program does the same, more slowly
  std::array<float, 16> projection{};
  glGetUniformfv(imgui, glGetUniformLocation(imgui, "ProjMtx"), projection.data());
  glUseProgram(copier->name);
  glUniformMatrix4fv(copier->projection, 1, GL_FALSE, projection.data());
}

}  // namespace headlight
