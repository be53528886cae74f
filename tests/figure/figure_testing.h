// For the tests of figures: a measure that is the same on every machine, a small snapshot, and scenes as text.
#pragma once

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "engine/figure/figures.h"
#include "engine/pipeline/pipeline.h"

namespace headlight::testing {

/// Every character 0.6 of the size wide (0.55 in the proportional faces).
inline MeasureText plain_measure() {
  return [](const std::string& text, FontFace face, float size) {
    std::size_t characters = 0;
    for (const char byte : text) characters += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
    return static_cast<float>(characters) * size * (face == FontFace::mono ? 0.6F : 0.55F);
  };
}

inline std::shared_ptr<const Snapshot> sandbox_snapshot(const std::string& text, int layers, int heads, const std::string& mask = {}) {
  Query query;
  query.text = text;
  query.model.sandbox.layers = layers;
  query.model.sandbox.heads = heads;
  query.model.sandbox.d_model = heads * 4;
  if (!mask.empty()) query.mask.rules.push_back({{}, mask, {}});
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

/// An encoder–decoder: layers 0, 1 the encoder's, 2, 4 the decoder's own, 3, 5 cross-attention.
inline std::shared_ptr<const Snapshot> pair_snapshot(const std::string& text, const std::string& decoder_text) {
  Query query;
  query.text = text;
  query.decoder_text = decoder_text;
  query.model.sandbox = {.layers = 2, .d_model = 12, .heads = 3, .kind = SandboxKind::encoder_decoder};
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

/// A text's box before it is turned about `at`: left, top, right, bottom, relative to that point.
inline std::array<float, 4> unturned(const SceneText& text, const MeasureText& measure) {
  const float width = measure(text.text, text.face, text.size);
  const float left = text.align_x == AlignX::left ? 0 : text.align_x == AlignX::centre ? -width / 2 : -width;
  const float middle = baseline_below(text.align_y, text.size) - baseline_below(AlignY::middle, text.size);
  return {left, middle - text.size / 2, left + width, middle + text.size / 2};
}

/// The corners of a text on the page.
inline std::array<Point, 4> corners_of(const SceneText& text, const MeasureText& measure) {
  const auto [left, top, right, bottom] = unturned(text, measure);
  const float angle = text.degrees * std::numbers::pi_v<float> / 180;
  const auto turned = [&](float x, float y) {
    return Point{text.at.x + x * std::cos(angle) + y * std::sin(angle), text.at.y - x * std::sin(angle) + y * std::cos(angle)};
  };
  return {turned(left, top), turned(right, top), turned(right, bottom), turned(left, bottom)};
}

/// Whether two texts of the same direction cover each other anywhere.
inline bool overlap(const SceneText& a, const SceneText& b, const MeasureText& measure) {
  const float angle = a.degrees * std::numbers::pi_v<float> / 180;
  const auto straight = [&](const SceneText& text) {
    const auto [left, top, right, bottom] = unturned(text, measure);
    const float x = text.at.x * std::cos(angle) - text.at.y * std::sin(angle);
    const float y = text.at.x * std::sin(angle) + text.at.y * std::cos(angle);
    return std::array{x + left, y + top, x + right, y + bottom};
  };
  const auto p = straight(a), q = straight(b);
  return p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3];
}

/// One line per item.
inline std::string to_text(const Scene& scene) {
  struct Lines {
    std::string text;
    static std::string of(const Box& box) { return fmt::format("{:.1f} {:.1f} {:.1f} {:.1f}", box.x, box.y, box.width, box.height); }
    static std::string of(const ColourScale& scale) {
      return fmt::format("{} {} {:.2f} {:.3f}…{:.3f}", name_of(scale.map), name_of(scale.kind), scale.gamma, scale.low, scale.high);
    }
    void operator()(const SceneBox& item) {
      text += fmt::format("box {} fill {} stroke {} {:.1f} radius {:.1f}\n", of(item.box), hex_text(item.fill), hex_text(item.stroke),
                          item.stroke_width, item.radius);
    }
    void operator()(const SceneLine& item) {
      text += fmt::format("line {:.1f} {:.1f} {:.1f} {:.1f} {} {:.1f}\n", item.from.x, item.from.y, item.to.x, item.to.y,
                          hex_text(item.colour), item.width);
    }
    void operator()(const SceneText& item) {
      constexpr std::array kFaces = {"ui", "bold", "mono"};
      constexpr std::array kAligns = {"left", "centre", "right"};
      text += fmt::format("text {:.1f} {:.1f} {} {} {} {} {} “{}”\n", item.at.x, item.at.y, kFaces[static_cast<std::size_t>(item.face)],
                          item.size, hex_text(item.colour), kAligns[static_cast<std::size_t>(item.align_x)], item.degrees, item.text);
    }
    void operator()(const SceneMap& item) {
      text += fmt::format("map {} of {} × {} window {:.1f}…{:.1f} × {:.1f}…{:.1f} {}\n", of(item.box), item.picture->rows(),
                          item.picture->columns(), item.window.row_begin, item.window.row_end, item.window.column_begin,
                          item.window.column_end, of(item.scale));
    }
    void operator()(const SceneCurve& item) {
      text += fmt::format("curve {:.1f} {:.1f} … {:.1f} {:.1f} {} {:.2f}\n", item.from.x, item.from.y, item.to.x, item.to.y,
                          hex_text(item.colour), item.width);
    }
    void operator()(const SceneRamp& item) { text += fmt::format("ramp {} {}\n", of(item.box), of(item.scale)); }
  } lines;
  lines.text = fmt::format("scene {:.1f} × {:.1f} on {} “{}”\n", scene.width, scene.height, hex_text(scene.background), scene.title);
  for (const SceneItem& item : scene.items) std::visit(lines, item);
  return lines.text;
}

/// The items of one kind.
template <typename Item>
std::vector<Item> items_of(const Scene& scene) {
  std::vector<Item> items;
  for (const SceneItem& item : scene.items) {
    if (const auto* found = std::get_if<Item>(&item)) items.push_back(*found);
  }
  return items;
}

}  // namespace headlight::testing
