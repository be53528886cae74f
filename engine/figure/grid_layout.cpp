#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/figure/axes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/figures.h"

namespace headlight {
namespace {

constexpr float kGap = 8;            // least space between two tiles side by side
constexpr float kReadableTile = 64;  // where a grid scrolls, layers with smaller tiles continue on another line
constexpr float kDenseTile = 36;     // smaller ones show too little, even where all layers would be in sight at once
constexpr float kLargestTile = 640;
constexpr float kScrolledTile = 96;  // limit where not all layers fit, so that more are visible at a time
constexpr float kThinnest = 8;       // of a map of very few rows or columns
constexpr float kCaptionWidth = 72;  // tiles are no narrower, or "h12" and "0.62" would not fit side by side
constexpr float kCaptionsApart = 6;
constexpr float kLabelledCell = kCaptionPitch;
constexpr float kWidestQuery = 96, kTallestKey = 72;
constexpr float kWidestBeside = 96;
constexpr float kBracket = 18;
constexpr int kMostLines = 12;  // that a layer is tried on
constexpr int kPageColumns = 16;
constexpr float kWithLabels = 0.8F;  // names may cost this share of the tiles' size

/// Where captions go and how far apart lines are, in points. Larger tiles win, weighted by how well the arrangement reads.
struct Manner {
  bool is_beside = false;  ///< captions on two lines at the right of their tiles
  float caption = 20;      ///< height below a tile
  float line = 8;          ///< between two lines of one layer
  float layer = 20;
  float merit = 1;
};
constexpr std::array kManners{Manner{false, 20, 8, 20, 1}, Manner{false, 15, 3, 7, 0.93F}, Manner{true, 0, 10, 14, 0.93F},
                              Manner{true, 0, 4, 5, 0.88F}};
constexpr float kMostSpread = 0.75F;  // of a tile, between two: further apart they would not look like one grid
constexpr float kAnotherLine = 0.9F;  // merit of a layer on one line more

/// Room for the names of tokens.
struct TokenWidths {
  float query_width = 0;
  std::vector<float> key_heights;  ///< of each layer; 0: none
  float keys_of(int layer) const { return key_heights.empty() ? 0 : key_heights[static_cast<std::size_t>(layer)]; }
};

/// Height and width of a layer's maps as shares of a tile's side: the longer one is 1.
Point shape_of_layer(const Snapshot& snapshot, int layer) {
  const auto rows = static_cast<float>(std::max(Index{1}, snapshot.queries(layer)));
  const auto columns = static_cast<float>(std::max(Index{1}, snapshot.keys(layer)));
  const float longer = std::max(rows, columns);
  return {columns / longer, rows / longer};
}

class GridPlan {
 public:
  GridPlan(const Snapshot& snapshot, const GridFigureRequest& request, float layer_width, const MeasureText& measure)
      : snapshot_(snapshot), request_(request), layer_width_(layer_width), measure_(measure) {
    const LabelStyle style{FontFace::mono, kCaptionSize};
    const auto width = [&](const std::string& text) { return std::ceil(measure_(text, style.face, style.size)); };
    beside_ = width("11.11") + kTileLabelGap;
    const std::string longest_name = std::to_string(snapshot.layers() - 1) + "." + std::to_string(snapshot.heads() - 1);
    caption_ = width(longest_name) + kTileLabelGap + width("0.00");
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      const Point shape = shape_of_layer(snapshot, layer);
      widest_ = std::max(widest_, shape.x);
      flattest_ = std::min(flattest_, shape.y);
      heights_ += shape.y;
      brackets_ += has_groups(snapshot, layer) ? kBracket : 0;
    }
  }

  GridLayout make() {
    if (request_.tile > 0) return laid_out(page_choice(), names_at(request_.tile));
    TokenWidths names;
    std::optional<Choice> chosen = best(names);
    if (!chosen) return laid_out(scrolled_choice(), {});
    const TokenWidths wanted = names_at(chosen->side);
    if (wanted.query_width > 0) {
      const std::optional<Choice> named = best(wanted);
      if (named && named->side >= kWithLabels * chosen->side && names_at(named->side).key_heights == wanted.key_heights) {
        chosen = named;
        names = wanted;
      }
    }
    return laid_out(*chosen, names);
  }

 private:
  struct Choice {
    Manner manner;
    int lines = 1;
    float side = 0;
    bool is_spread = true;  ///< what is left goes between the tiles
  };

  int columns_of(int lines) const { return std::max(1, (snapshot_.heads() + lines - 1) / lines); }
  float beside(const Manner& manner) const { return manner.is_beside ? beside_ : 0; }

  /// TokenWidths for the layers whose cells have room for them when the tiles have this side.
  TokenWidths names_at(float side) const {
    TokenWidths names;
    std::vector<std::pair<const Encoding*, float>> widths;
    const auto width_of = [&](const Encoding& encoding) {
      const auto known = std::find_if(widths.begin(), widths.end(), [&](const auto& each) { return each.first == &encoding; });
      if (known != widths.end()) return known->second;
      const float width = widest(*axis_labels(snapshot_, encoding), kWidestQuery, {FontFace::ui, kCaptionSize}, measure_);
      return widths.emplace_back(&encoding, std::ceil(width)).second;
    };
    for (int layer = 0; layer < snapshot_.layers(); ++layer) {
      const auto longer = static_cast<float>(std::max(snapshot_.queries(layer), snapshot_.keys(layer)));
      names.key_heights.push_back(0);
      if (longer < 1 || side < kLabelledCell * longer) continue;
      names.query_width = std::max(names.query_width, width_of(snapshot_.query_tokens(layer)) + kTileLabelGap);
      names.key_heights.back() = std::min(width_of(snapshot_.key_tokens(layer)), kTallestKey) + kTileLabelGap;
    }
    return names;
  }

  float room(const TokenWidths& names) const { return request_.area.width - layer_width_ - names.query_width; }

  float widest_side(const Manner& manner, int lines, const TokenWidths& names) const {
    const auto columns = static_cast<float>(columns_of(lines));
    const float each = (room(names) - (columns - 1) * kGap) / columns - beside(manner);
    return each >= kCaptionWidth ? each / widest_ : each;
  }

  /// Everything above and below the tiles.
  float between(const Manner& manner, int lines, const TokenWidths& names) const {
    const auto layers = static_cast<float>(snapshot_.layers()), count = static_cast<float>(lines);
    float keys = 0;
    for (int layer = 0; layer < snapshot_.layers(); ++layer) keys += names.keys_of(layer);
    return layers * (count * (manner.caption + manner.line) - manner.line + manner.layer) - manner.layer + count * (keys + brackets_);
  }

  float tallest_side(const Manner& manner, int lines, const TokenWidths& names) const {
    return (request_.area.height - between(manner, lines, names)) / (static_cast<float>(lines) * heights_);
  }

  /// The best way in which all layers fit; none if their tiles would be too small.
  std::optional<Choice> best(const TokenWidths& names) const {
    std::optional<Choice> found;
    float merit_of_found = 0;
    float merit_of_lines = 1;
    for (int lines = 1; lines <= std::min(snapshot_.heads(), kMostLines); ++lines, merit_of_lines *= kAnotherLine) {
      if (lines > 1 && columns_of(lines) == columns_of(lines - 1)) continue;
      for (const Manner& manner : kManners) {
        const float side = std::floor(std::min({widest_side(manner, lines, names), tallest_side(manner, lines, names), kLargestTile}));
        // Below large tiles captions cost little and read better; beside flat ones they would touch those of the next line.
        if (manner.is_beside && (side > kWidestBeside || side * flattest_ < 2 * kCaptionPitch)) continue;
        const float merit = side * manner.merit * merit_of_lines;
        if (side < kDenseTile || merit <= merit_of_found) continue;
        merit_of_found = merit;
        found = Choice{manner, lines, side};
      }
    }
    return found;
  }

  Choice scrolled_choice() const {
    constexpr float kLeast = 16;
    int lines = 1;
    while (columns_of(lines) > 1 && widest_side(kManners[0], lines, {}) < kReadableTile) ++lines;
    return {kManners[0], lines, std::floor(std::clamp(widest_side(kManners[0], lines, {}), kLeast, kScrolledTile)), false};
  }

  Choice page_choice() const { return {kManners[0], (snapshot_.heads() + kPageColumns - 1) / kPageColumns, request_.tile, false}; }

  GridLayout laid_out(const Choice& choice, const TokenWidths& names) const {
    GridLayout layout;
    layout.heads = snapshot_.heads();
    layout.columns = columns_of(choice.lines);
    layout.tile = choice.side;
    layout.caption = choice.manner.caption;
    layout.beside = beside(choice.manner);
    const float left = layer_width_ + names.query_width;
    const auto columns = static_cast<float>(layout.columns);
    float column = std::max(choice.side * widest_, std::min(kCaptionWidth, choice.side)) + layout.beside;
    // Small tiles are set so far apart that name and number fit under them, where there is room.
    const float captions = caption_ - kGap + kCaptionsApart;
    const bool has_room = columns * (captions + kGap) - kGap <= room(names);
    if (choice.is_spread && !choice.manner.is_beside && has_room) {
      layout.caption_width = caption_;
      column = std::max(column, captions);
    }
    const float width = columns * (column + kGap) - kGap;
    const float height = between(choice.manner, choice.lines, names) + static_cast<float>(choice.lines) * heights_ * choice.side;
    float gap = kGap, layer_gap = choice.manner.layer;
    if (choice.is_spread) {
      gap += spread(room(names) - width, layout.columns - 1, kMostSpread * choice.side);
      layer_gap += spread(request_.area.height - height, snapshot_.layers() - 1, kMostSpread * choice.side);
    }
    layout.step = column + gap;
    layout.content_width = left + width + (columns - 1) * (gap - kGap);
    float top = 0;
    for (int layer = 0; layer < snapshot_.layers(); ++layer) {
      layout.layers.push_back(layer_at(top, layer, choice, names));
      const GridLayout::Layer& placed = layout.layers.back();
      top += static_cast<float>(choice.lines) * placed.line_step - choice.manner.line + layer_gap;
    }
    layout.content_height = top - layer_gap;
    layout.first = {request_.area.x + left, request_.area.y - request_.scroll};
    return layout;
  }

  GridLayout::Layer layer_at(float top, int layer, const Choice& choice, const TokenWidths& names) const {
    const Point shape = shape_of_layer(snapshot_, layer);
    GridLayout::Layer placed;
    placed.keys = names.keys_of(layer);
    placed.top = top + placed.keys;
    placed.width = std::max(choice.side * shape.x, std::min(kCaptionWidth, choice.side));
    placed.height = std::max(choice.side * shape.y, std::min(kThinnest, choice.side));
    const float bracket = has_groups(snapshot_, layer) ? kBracket : 0;
    placed.line_step = placed.keys + placed.height + choice.manner.caption + bracket + choice.manner.line;
    return placed;
  }

  /// The share of what is left that each of `count` gaps gets.
  static float spread(float left, int count, float most) {
    return count > 0 && left > 0 ? std::floor(std::min(left / static_cast<float>(count), most)) : 0;
  }

  const Snapshot& snapshot_;
  const GridFigureRequest& request_;
  float layer_width_;
  const MeasureText& measure_;
  float caption_ = 0;               // width of name and number side by side
  float beside_ = 0;                // width of captions at the right of tiles
  float widest_ = 0, heights_ = 0;  // of all layers' maps, as shares of a tile's side: the widest, and all heights together
  float flattest_ = 1;
  float brackets_ = 0;  // under one line of every layer that has groups
};

}  // namespace

bool has_groups(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = snapshot.trace.layer(layer);
  return trace.kv_heads > 0 && trace.kv_heads < snapshot.heads(layer);
}

GridLayout make_grid_layout(const Snapshot& snapshot, const GridFigureRequest& request, float layer_width, const MeasureText& measure) {
  return GridPlan(snapshot, request, layer_width, measure).make();
}

}  // namespace headlight
