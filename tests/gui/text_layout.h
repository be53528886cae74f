// Whether the texts of a frame can be read: computed from where they were written, not looked for by eye.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/kit/items.h"

namespace headlight::testing {

using Corners = std::array<ImVec2, 4>;

inline float dot(ImVec2 a, ImVec2 b) {
  return a.x * b.x + a.y * b.y;
}

/// Whether a line along an edge of `a` has all of `b` on its other side, or nearly: `slack` pixels may touch.
inline bool is_apart_along(const Corners& a, const Corners& b, float slack) {
  for (std::size_t edge = 0; edge < 2; ++edge) {
    const ImVec2 along{a[edge + 1].x - a[edge].x, a[edge + 1].y - a[edge].y};
    const float length = std::sqrt(dot(along, along));
    if (length <= 0) return true;
    const ImVec2 axis{along.x / length, along.y / length};
    float a_low = 1e9F, a_high = -1e9F, b_low = 1e9F, b_high = -1e9F;
    for (std::size_t i = 0; i < 4; ++i) {
      a_low = std::min(a_low, dot(a[i], axis)), a_high = std::max(a_high, dot(a[i], axis));
      b_low = std::min(b_low, dot(b[i], axis)), b_high = std::max(b_high, dot(b[i], axis));
    }
    if (a_high - b_low <= slack || b_high - a_low <= slack) return true;
  }
  return false;
}

/// The window that no other contains: "main" of "main/left rail_1A2B3C4D". Popups lie over others on purpose.
inline std::string_view root_of(const DrawnText& text) {
  return std::string_view(text.window).substr(0, text.window.find('/'));
}

inline Box bounds(const Corners& corners) {
  ImVec2 low = corners[0], high = corners[0];
  for (const ImVec2& corner : corners) {
    low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
    high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

/// How a text is cut off, empty where it is not.
inline std::string cut_of(const DrawnText& text, float slack) {
  const Box box = bounds(text.corners), &clip = text.clip;
  const bool is_cut_across = box.x < clip.x - slack || box.right() > clip.right() + slack;
  const bool is_cut_along = box.y < clip.y - slack || box.bottom() > clip.bottom() + slack;
  if ((!is_cut_across || text.can_scroll_across) && (!is_cut_along || text.can_scroll)) return {};
  return fmt::format("\"{}\" in {} is cut off: {:.0f} to {:.0f}, {:.0f} to {:.0f}; seen is {:.0f} to {:.0f}, {:.0f} to {:.0f}", text.text,
                     text.window, box.x, box.right(), box.y, box.bottom(), clip.x, clip.right(), clip.y, clip.bottom());
}

inline bool is_in_sight(const DrawnText& text) {
  const Box box = bounds(text.corners), &clip = text.clip;
  return box.right() > clip.x && box.x < clip.right() && box.bottom() > clip.y && box.y < clip.bottom();
}

/// A sentence for each two texts of one window that lie over each other, and for each text that is cut off where nothing scrolls it into
/// sight.
inline std::vector<std::string> layout_problems(const std::vector<DrawnText>& texts, float scale) {
  const float slack = scale;
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const DrawnText& text = texts[i];
    if (std::string cut = cut_of(text, slack); !cut.empty()) problems.push_back(std::move(cut));
    if (!is_in_sight(text)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      const DrawnText& other = texts[j];
      if (root_of(text) != root_of(other) || !is_in_sight(other)) continue;
      if (is_apart_along(text.corners, other.corners, slack) || is_apart_along(other.corners, text.corners, slack)) continue;
      problems.push_back(fmt::format("\"{}\" lies over \"{}\" in {}", text.text, other.text, text.window));
    }
  }
  return problems;
}

}  // namespace headlight::testing
