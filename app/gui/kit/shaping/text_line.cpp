#include "app/gui/kit/shaping/text_line.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/painters/pango_text.h"

namespace headlight {
namespace {

constexpr int kTileWidth = 512;  // pixels of the atlas

std::vector<std::uint32_t> stops_of(std::string_view text) {
  std::vector<std::uint32_t> stops;
  for (const ByteRange& character : graphemes_of(text)) stops.push_back(character.begin);
  stops.push_back(static_cast<std::uint32_t>(text.size()));
  return stops;
}

std::vector<std::uint32_t> word_starts_of(std::string_view text) {
  std::vector<std::uint32_t> starts;
  for (const ByteRange& word : split_words(text)) starts.push_back(word.begin);
  return starts;
}

float to_pixels(int pango_units) {
  return static_cast<float>(pango_units_to_double(pango_units)) / pixel_density();
}

int to_pango(float pixels) {
  return pango_units_from_double(static_cast<double>(pixels * pixel_density()));
}

}  // namespace

TextLine::TextLine(std::string text, ImFont& font, float size)
    : text_(std::move(text)), stops_(stops_of(text_)), starts_(word_starts_of(text_)), font_(&font), size_(size) {
  ImFontBaked& glyphs = *font.GetFontBaked(size);
  const float scale = size / glyphs.Size;
  auto stop = stops_.begin();
  for (std::size_t at = 0; at < text_.size();) {
    if (at == *stop) {
      places_.push_back(width_);
      ++stop;
    }
    const CodePoint point = code_point_at(text_, at);
    width_ += glyphs.GetCharAdvance(static_cast<ImWchar>(point.value)) * scale;
    at += point.bytes;
  }
  places_.push_back(width_);
}

TextLine::TextLine(std::string text, PangoText& pango, FontFace face, float size)
    : text_(std::move(text)),
      stops_(stops_of(text_)),
      starts_(word_starts_of(text_)),
      layout_(pango.layout(text_, face, size * pixel_density())),
      size_(size) {
  int width = 0;
  pango_layout_get_size(layout_.get(), &width, nullptr);
  width_ = to_pixels(width);
  runs_left_ = pango_layout_line_get_resolved_direction(pango_layout_get_line_readonly(layout_.get(), 0)) == PANGO_DIRECTION_RTL;
}

float TextLine::x_of(std::size_t caret) const {
  if (!layout_) return places_[static_cast<std::size_t>(std::lower_bound(stops_.begin(), stops_.end(), caret) - stops_.begin())];
  PangoRectangle strong = {};
  pango_layout_get_cursor_pos(layout_.get(), static_cast<int>(caret), &strong, nullptr);
  return to_pixels(strong.x);
}

std::size_t TextLine::snapped(std::size_t offset) const {
  const auto stop = std::lower_bound(stops_.begin(), stops_.end(), offset);
  return stop == stops_.end() ? text_.size() : *stop;
}

std::size_t TextLine::caret_at(float x) const {
  if (!layout_) {
    const auto right = std::lower_bound(places_.begin(), places_.end(), x);
    if (right == places_.end()) return text_.size();
    const auto index = static_cast<std::size_t>(right - places_.begin());
    return index > 0 && x - places_[index - 1] < *right - x ? stops_[index - 1] : stops_[index];
  }
  int index = 0, trailing = 0;
  pango_layout_xy_to_index(layout_.get(), to_pango(x), 0, &index, &trailing);
  const char* at = text_.data() + index;
  for (; trailing > 0; --trailing) at = g_utf8_next_char(at);
  // pango treats letters that share a glyph as one; a caret may go between them.
  std::size_t nearest = snapped(static_cast<std::size_t>(at - text_.data()));
  for (const std::size_t each : {before(nearest), after(nearest)}) {
    if (std::abs(x_of(each) - x) < std::abs(x_of(nearest) - x)) nearest = each;
  }
  return nearest;
}

std::size_t TextLine::before(std::size_t caret) const {
  const auto stop = std::lower_bound(stops_.begin(), stops_.end(), caret);
  return stop == stops_.begin() ? 0 : *(stop - 1);
}

std::size_t TextLine::after(std::size_t caret) const {
  const auto stop = std::upper_bound(stops_.begin(), stops_.end(), caret);
  return stop == stops_.end() ? text_.size() : *stop;
}

/// pango's next place in a direction that is one of ours too.
std::size_t TextLine::beside(std::size_t caret, int direction) const {
  auto at = static_cast<int>(caret);
  while (true) {
    int next = 0, trailing = 0;
    pango_layout_move_cursor_visually(layout_.get(), TRUE, at, 0, direction, &next, &trailing);
    if (next < 0 || next == G_MAXINT) return caret;  // the edge of the line
    const char* place = text_.data() + next;
    for (; trailing > 0; --trailing) place = g_utf8_next_char(place);
    const auto found = static_cast<std::size_t>(place - text_.data());
    if (static_cast<int>(found) == at) return caret;
    if (std::binary_search(stops_.begin(), stops_.end(), found)) return found;
    at = static_cast<int>(found);
  }
}

std::size_t TextLine::left_of(std::size_t caret) const {
  return layout_ ? beside(caret, -1) : before(caret);
}

std::size_t TextLine::right_of(std::size_t caret) const {
  return layout_ ? beside(caret, 1) : after(caret);
}

bool TextLine::runs_left_at(std::size_t caret) const {
  if (!layout_) return false;
  const std::size_t character = caret < text_.size() ? caret : before(caret);
  return pango_layout_get_direction(layout_.get(), static_cast<int>(character)) == PANGO_DIRECTION_RTL;
}

std::size_t TextLine::word_before(std::size_t caret) const {
  const auto start = std::lower_bound(starts_.begin(), starts_.end(), caret);
  return start == starts_.begin() ? 0 : snapped(*(start - 1));
}

std::size_t TextLine::word_after(std::size_t caret) const {
  const auto start = std::upper_bound(starts_.begin(), starts_.end(), caret);
  return start == starts_.end() ? text_.size() : snapped(*start);
}

std::size_t TextLine::word_left_of(std::size_t caret) const {
  return runs_left_at(caret) ? word_after(caret) : word_before(caret);
}

std::size_t TextLine::word_right_of(std::size_t caret) const {
  return runs_left_at(caret) ? word_before(caret) : word_after(caret);
}

ByteRange TextLine::word_around(std::size_t caret) const {
  const auto at = static_cast<std::uint32_t>(std::min(caret, before(text_.size())));
  ByteRange between{0, static_cast<std::uint32_t>(text_.size())};
  for (const ByteRange& word : split_words(text_)) {
    if (word.begin <= at && at < word.end) return word;
    if (word.end <= at) between.begin = word.end;
    if (word.begin > at) {
      between.end = word.begin;
      break;
    }
  }
  return between;
}

std::vector<std::pair<float, float>> TextLine::stretches(std::size_t begin, std::size_t end) const {
  if (begin >= end) return {};
  if (!layout_) return {{x_of(begin), x_of(end)}};
  int* ranges = nullptr;
  int count = 0;
  pango_layout_line_get_x_ranges(pango_layout_get_line_readonly(layout_.get(), 0), static_cast<int>(begin), static_cast<int>(end), &ranges,
                                 &count);
  std::vector<std::pair<float, float>> stretches;
  for (int i = 0; i < count; ++i) {
    const std::pair stretch{to_pixels(ranges[2 * i]), to_pixels(ranges[2 * i + 1])};
    if (stretch.second > stretch.first) stretches.push_back(stretch);
  }
  g_free(ranges);
  return stretches;
}

void TextLine::draw(ImDrawList& list, ImVec2 corner, float baseline, float from, float to, ImU32 colour) {
  if (!layout_) {
    const auto first = std::upper_bound(places_.begin(), places_.end(), from), last = std::lower_bound(first, places_.end(), to);
    const std::size_t begin = first == places_.begin() ? 0 : static_cast<std::size_t>(first - places_.begin()) - 1;
    const std::size_t end = last == places_.end() ? stops_.size() - 1 : static_cast<std::size_t>(last - places_.begin());
    const ImVec2 at{corner.x + places_[begin], corner.y};
    list.AddText(font_, size_, at, colour, text_.data() + stops_[begin], text_.data() + stops_[end]);
    return;
  }
  const float tile = static_cast<float>(kTileWidth) / pixel_density();
  // Letters may reach a little beyond the line's ends.
  const int first = static_cast<int>(std::floor((from - size_) / tile)), last = static_cast<int>(std::floor((to + size_) / tile));
  for (int index = first; index <= last; ++index) {
    if (static_cast<float>(index) * tile > width_ + size_ || static_cast<float>(index + 1) * tile < -size_) continue;
    const auto [entry, is_new] = tiles_.try_emplace(index);
    if (is_new) entry->second = AtlasInk(pixels_of(*layout_, index * kTileWidth, kTileWidth));
    entry->second.draw(list, {{corner.x, corner.y + baseline}}, colour);
  }
}

void TextLine::release() {
  for (auto& [index, ink] : tiles_) ink.release();
  tiles_.clear();
}

}  // namespace headlight
