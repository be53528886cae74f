#include "app/gui/kit/shaping/shaped_texts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/figure/painters/pango_text.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 21U;  // of the atlas: over this, what the last frame did not show is forgotten
constexpr std::size_t kMostTexts = 20000;                   // likewise; most are only measured
constexpr int kSweepEvery = 120, kForgottenAfter = 240;     // frames
constexpr int kWidestPiece = 1024;                          // pixels: the atlas is at least as wide as its widest piece

struct Key {
  std::string_view text;
  FontFace face;
  float size;
  bool operator==(const Key&) const = default;
};
struct OwnedKey {
  std::string text;
  FontFace face;
  float size;
  operator Key() const { return {text, face, size}; }
};
struct Hash {
  using is_transparent = void;
  std::size_t operator()(const Key& key) const {
    return std::hash<std::string_view>()(key.text) * 31 + std::hash<float>()(key.size) * 3 + static_cast<std::size_t>(key.face);
  }
};
struct Equal {
  using is_transparent = void;
  bool operator()(const Key& a, const Key& b) const { return a == b; }
};

/// A part of a text in the atlas, `left` pixels from the left of its ink.
struct Piece {
  ImFontAtlasRectId rect = ImFontAtlasRectId_Invalid;
  int left = 0, width = 0;
  bool is_tinted = true;
};

struct ShapedText {
  std::optional<float> width = {};
  std::optional<std::pair<float, std::size_t>> fitting = {};  ///< a width that was asked for, and the bytes that fit
  bool is_painted = false;
  int left = 0, top = 0, height = 0;  ///< of the ink, from the left end of the baseline
  std::vector<Piece> pieces = {};
  int last_frame = 0;
};

std::size_t pixels_of(const ShapedText& text) {
  std::size_t pixels = 0;
  for (const Piece& piece : text.pieces) pixels += static_cast<std::size_t>(piece.width) * static_cast<std::size_t>(text.height);
  return pixels;
}

/// Writes the columns from `left` on of coverage (a byte a pixel) or colours (four) into a rectangle of the atlas.
void write_pixels(const ImFontAtlasRect& rect, const TextPixels& from, int left, bool is_tinted) {
  ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
  for (int y = 0; y < rect.h; ++y) {
    auto* to = static_cast<unsigned char*>(texture.GetPixelsAt(rect.x, rect.y + y));
    for (int x = 0; x < rect.w; ++x, to += texture.BytesPerPixel) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(from.width) + static_cast<std::size_t>(left + x);
      if (texture.BytesPerPixel == 1) {
        *to = is_tinted ? from.coverage[at] : from.colours[at * 4 + 3];
      } else if (is_tinted) {
        to[0] = to[1] = to[2] = 0xFF;
        to[3] = from.coverage[at];
      } else {
        std::memcpy(to, &from.colours[at * 4], 4);
      }
    }
  }
}

ImVec2 turned(ImVec2 point, const LinePlace& place) {
  if (place.degrees == 0) return point;
  const float angle = place.degrees * 3.14159265358979F / 180;
  const bool is_quarter = std::fmod(place.degrees, 90.0F) == 0;  // exact: pixels stay pixels
  const float c = is_quarter ? std::round(std::cos(angle)) : std::cos(angle);
  const float s = is_quarter ? std::round(std::sin(angle)) : std::sin(angle);
  const float x = point.x - place.pivot.x, y = point.y - place.pivot.y;
  return {place.pivot.x + x * c + y * s, place.pivot.y - x * s + y * c};
}

/// Pixels of the screen per pixel of Dear ImGui: more than one where the system counts the window in points.
float density() {
  return std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
}

}  // namespace

struct ShapedTexts::State {
  std::optional<PangoText> pango;
  std::unordered_map<OwnedKey, ShapedText, Hash, Equal> texts;
  std::size_t pixels = 0;
  int frame = 0, swept = 0;

  PangoText& shaper() {
    if (!pango) pango.emplace();
    return *pango;
  }
  ShapedText& entry(const Key& key);
  void sweep(int unused_for);
  void paint(ShapedText& into, const Key& key);
  float measured(std::string_view text, FontFace face, float size) {
    return shaper().width(std::string(text), face, size * density()) / density();
  }
};

ShapedText& ShapedTexts::State::entry(const Key& key) {
  frame = ImGui::GetFrameCount();
  if (frame - swept >= kSweepEvery) sweep(kForgottenAfter);
  if (pixels > kMostPixels || texts.size() > kMostTexts) sweep(1);
  auto found = texts.find(key);
  if (found == texts.end()) found = texts.emplace(OwnedKey{std::string(key.text), key.face, key.size}, ShapedText{}).first;
  found->second.last_frame = frame;
  return found->second;
}

/// Forgets what has not been asked for in the last frames.
void ShapedTexts::State::sweep(int unused_for) {
  if (swept == frame) return;
  swept = frame;
  std::erase_if(texts, [&](const auto& entry) {
    if (frame - entry.second.last_frame <= unused_for) return false;
    pixels -= pixels_of(entry.second);
    for (const Piece& piece : entry.second.pieces) ImGui::GetIO().Fonts->RemoveCustomRect(piece.rect);
    return true;
  });
}

void ShapedTexts::State::paint(ShapedText& into, const Key& key) {
  const TextPixels ink = shaper().pixels(std::string(key.text), key.face, key.size * density());
  into.is_painted = true;
  into.left = ink.left, into.top = ink.top, into.height = ink.height;
  for (const bool is_tinted : {true, false}) {
    if (!is_tinted && ink.colours.empty()) break;
    for (int left = 0; left < ink.width; left += kWidestPiece) {
      ImFontAtlasRect rect;
      Piece piece{ImFontAtlasRectId_Invalid, left, std::min(kWidestPiece, ink.width - left), is_tinted};
      piece.rect = ImGui::GetIO().Fonts->AddCustomRect(piece.width, ink.height, &rect);
      if (piece.rect == ImFontAtlasRectId_Invalid) continue;  // the atlas is as large as it can be
      write_pixels(rect, ink, left, is_tinted);
      into.pieces.push_back(piece);
    }
  }
  pixels += pixels_of(into);
}

ShapedTexts::ShapedTexts() : state_(new State) {}
ShapedTexts::~ShapedTexts() = default;

float ShapedTexts::width(std::string_view text, FontFace face, float size) try {
  ShapedText& entry = state_->entry({text, face, size});
  if (!entry.width) entry.width = state_->measured(text, face, size);
  return *entry.width;
} catch (const Error&) {
  return -1;
}

std::size_t ShapedTexts::fitting_bytes(std::string_view text, FontFace face, float size, float width) try {
  ShapedText& entry = state_->entry({text, face, size});
  if (entry.fitting && entry.fitting->first == width) return entry.fitting->second;
  const std::vector<ByteRange> characters = graphemes_of(text);
  const auto is_too_long = [&](const ByteRange& last) { return state_->measured(text.substr(0, last.end), face, size) > width; };
  const auto first_too_long =
      std::partition_point(characters.begin(), characters.end(), [&](const ByteRange& each) { return !is_too_long(each); });
  entry.fitting = {width, first_too_long == characters.begin() ? 0 : (first_too_long - 1)->end};
  return entry.fitting->second;
} catch (const Error&) {
  return text.size();
}

bool ShapedTexts::draw(ImDrawList& list, std::string_view text, FontFace face, float size, const LinePlace& place, ImU32 colour) try {
  const Key key{text, face, size};
  ShapedText& entry = state_->entry(key);
  if (!entry.is_painted) state_->paint(entry, key);
  const ImU32 untinted = (colour & IM_COL32_A_MASK) | (IM_COL32_WHITE & ~IM_COL32_A_MASK);
  for (const Piece& piece : entry.pieces) {
    ImFontAtlasRect rect;  // they move when the atlas grows
    if (!ImGui::GetIO().Fonts->GetCustomRect(piece.rect, &rect)) continue;
    const auto at = [&](int x, int y) {
      return turned({place.baseline.x + static_cast<float>(entry.left + piece.left + x) / density(),
                     place.baseline.y + static_cast<float>(entry.top + y) / density()},
                    place);
    };
    list.PrimReserve(6, 4);
    list.PrimQuadUV(at(0, 0), at(rect.w, 0), at(rect.w, rect.h), at(0, rect.h), rect.uv0, {rect.uv1.x, rect.uv0.y}, rect.uv1,
                    {rect.uv0.x, rect.uv1.y}, piece.is_tinted ? colour : untinted);
  }
  return true;
} catch (const Error&) {
  return false;
}

std::size_t ShapedTexts::texts() const {
  return state_->texts.size();
}

std::size_t ShapedTexts::pixels() const {
  return state_->pixels;
}

}  // namespace headlight
