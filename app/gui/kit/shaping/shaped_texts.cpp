#include "app/gui/kit/shaping/shaped_texts.h"

#include <algorithm>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "app/gui/kit/shaping/scripts.h"
#include "engine/core/error.h"
#include "engine/figure/painters/pango_text.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 21U;     // of the atlas: over this, what the last frame did not show is forgotten
constexpr std::size_t kMostTexts = 20000;                      // likewise; most are only measured
constexpr int kSweepEvery = 120, kForgottenAfter = 240;        // frames
constexpr std::size_t kKeptLines = 4;                          // that are typed into
constexpr std::size_t kLongestShaped = std::size_t{1} << 16U;  // bytes of such a line

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

struct ShapedText {
  std::optional<float> width = {};
  std::optional<std::pair<float, std::size_t>> fitting = {};  ///< a width that was asked for, and the bytes that fit
  std::optional<AtlasInk> ink = {};                           ///< once it has been drawn
  int last_frame = 0;
};

/// A line and what it was made from.
struct KeptLine {
  FontFace face;
  const ImFont* font;
  float size, density;
  TextLine line;
};

}  // namespace

struct ShapedTexts::State {
  std::optional<PangoText> pango;
  std::unordered_map<OwnedKey, ShapedText, Hash, Equal> texts;
  std::list<KeptLine> lines;  ///< the last that was asked for is the first
  std::size_t pixels = 0;
  int frame = 0, swept = 0;

  PangoText& shaper() {
    if (!pango) pango.emplace();
    return *pango;
  }
  ShapedText& entry(const Key& key);
  void sweep(int unused_for);
  float measured(std::string_view text, FontFace face, float size) {
    return shaper().width(std::string(text), face, size * pixel_density()) / pixel_density();
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
  for (auto entry = texts.begin(); entry != texts.end();) {
    ShapedText& text = entry->second;
    const bool is_kept = frame - text.last_frame <= unused_for;
    if (!is_kept && text.ink) {
      pixels -= text.ink->pixels();
      text.ink->release();
    }
    entry = is_kept ? std::next(entry) : texts.erase(entry);
  }
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
  ShapedText& entry = state_->entry({text, face, size});
  if (!entry.ink) {
    entry.ink.emplace(state_->shaper().pixels(std::string(text), face, size * pixel_density()));
    state_->pixels += entry.ink->pixels();
  }
  entry.ink->draw(list, place, colour);
  return true;
} catch (const Error&) {
  return false;
}

TextLine& ShapedTexts::line(std::string_view text, FontFace face, ImFont& font, float size) {
  std::list<KeptLine>& lines = state_->lines;
  const auto known = std::find_if(lines.begin(), lines.end(), [&](const KeptLine& kept) {
    return kept.face == face && kept.font == &font && kept.size == size && kept.density == pixel_density() && kept.line.text() == text;
  });
  if (known != lines.end()) {
    lines.splice(lines.begin(), lines, known);
    return lines.front().line;
  }
  if (lines.size() >= kKeptLines) {
    lines.back().line.release();
    lines.pop_back();
  }
  std::string copy(text);
  if (needs_shaping(text) && text.size() <= kLongestShaped) {
    try {
      lines.push_front({face, &font, size, pixel_density(), TextLine(copy, state_->shaper(), face, size)});
      return lines.front().line;
    } catch (const Error&) {  // no memory for fonts: Dear ImGui sets it as it can
    }
  }
  lines.push_front({face, &font, size, pixel_density(), TextLine(std::move(copy), font, size)});
  return lines.front().line;
}

void ShapedTexts::forget(const ImFont& font) {
  for (KeptLine& kept : state_->lines) {
    if (kept.font == &font) kept.line.release();
  }
  state_->lines.remove_if([&](const KeptLine& kept) { return kept.font == &font; });
}

std::size_t ShapedTexts::texts() const {
  return state_->texts.size();
}

std::size_t ShapedTexts::pixels() const {
  return state_->pixels;
}

}  // namespace headlight
