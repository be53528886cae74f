#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/figure/axes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/grid/grid_figure.h"

namespace headlight {
namespace {

// Of tiles one after the other.
constexpr float kFlowCaption = 22, kFlowLine = 8;
constexpr float kMostFlowTile = 240, kLeastFlowTile = 48, kScrolledFlowTile = 80;

constexpr float kGap = 8;            // least space between two tiles side by side
constexpr float kReadableTile = 64;  // where a grid scrolls, layers with smaller tiles continue on another line
constexpr float kDenseTile = 36;     // smaller ones show too little, even where all layers would be in sight at once
constexpr float kLargestTile = 960;
constexpr float kScrolledTile = 96;  // limit where not all layers fit, so that more are visible at a time
constexpr float kThinnest = 8;       // of a map of very few rows or columns
constexpr float kCaptionWidth = 72;  // tiles are no narrower, or "h12" and "0.62" would not fit side by side
constexpr float kCaptionsApart = 6;
constexpr float kLabelledCell = kCaptionPitch;
constexpr float kWidestQuery = 96, kTallestKey = 72;
constexpr float kWidestBeside = 96;
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
  float bracket = 18;  ///< height under the captions of heads that share keys and values: with its name, or 0: a line in the gap
};
constexpr std::array kManners{Manner{false, 20, 8, 20, 1}, Manner{false, 15, 3, 7, 0.93F}, Manner{true, 0, 10, 14, 0.93F},
                              Manner{true, 0, 4, 5, 0.88F}, Manner{false, 15, 6, 7, 0.9F, 0}};
// Of a page whose tiles have no room for their names.
constexpr Manner kBareManner{false, 0, 4, 6, 1, 0};
constexpr float kMostGap = 24, kMostLayerGap = 36;  // further apart tiles would not look like one grid
constexpr float kAnotherLine = 0.9F;                // merit of a layer on one line more
constexpr float kAnotherColumn = 0.9F;              // and of one more column of layers
constexpr int kMostAbreast = 4;
constexpr float kBetweenColumns = 40, kBeforeSpare = 32;
constexpr float kLeastSpare = 176;  // a map in less room would show little more than a tile
constexpr float kLargerSpare = 1.6F;

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
    name_ = width(longest_name);
    caption_ = name_ + kTileLabelGap + width("0.00");
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      shapes_.push_back(shape_of_layer(snapshot, layer));
      widest_ = std::max(widest_, shapes_.back().x);
      flattest_ = std::min(flattest_, shapes_.back().y);
    }
  }

  GridLayout make() {
    if (request_.tile > 0) {
      const TokenWidths names = names_at(request_.tile);
      return laid_out(page_choice(names), names);
    }
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
    int lines = 1;    ///< of a layer
    int abreast = 1;  ///< columns of layers, each read downwards
    float side = 0;
    bool is_spread = true;  ///< what is left goes between the tiles
  };
  /// The layers of one column.
  struct Layers {
    int begin = 0, end = 0;
  };

  int columns_of(int lines) const { return std::max(1, (snapshot_.heads() + lines - 1) / lines); }
  float beside(const Manner& manner) const { return manner.is_beside ? beside_ : 0; }
  int layers_of_column(int abreast) const { return (snapshot_.layers() + abreast - 1) / abreast; }
  Layers column_of_layers(int abreast, int column) const {
    const int each = layers_of_column(abreast);
    return {column * each, std::min(snapshot_.layers(), (column + 1) * each)};
  }
  float bracket(const Manner& manner, int layer) const { return has_groups(snapshot_, layer) ? manner.bracket : 0; }

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

  /// For the tiles of one line.
  float room(const TokenWidths& names, int abreast) const {
    const auto count = static_cast<float>(abreast);
    return (request_.area.width - (count - 1) * kBetweenColumns) / count - layer_width_ - names.query_width;
  }

  float widest_side(const Choice& choice, const TokenWidths& names) const {
    const auto columns = static_cast<float>(columns_of(choice.lines));
    const float each = (room(names, choice.abreast) - (columns - 1) * kGap) / columns - beside(choice.manner);
    return each >= kCaptionWidth ? each / widest_ : each;
  }

  /// The height of a column of layers with tiles of this side.
  float height_of(const Choice& choice, Layers layers, float side, const TokenWidths& names) const {
    const auto lines = static_cast<float>(choice.lines);
    float height = -choice.manner.layer;
    for (int layer = layers.begin; layer < layers.end; ++layer) {
      const float line =
          shapes_[static_cast<std::size_t>(layer)].y * side + choice.manner.caption + names.keys_of(layer) + bracket(choice.manner, layer);
      height += lines * (line + choice.manner.line) - choice.manner.line + choice.manner.layer;
    }
    return height;
  }

  float tallest_side(const Choice& choice, const TokenWidths& names) const {
    float side = kLargestTile;
    for (int column = 0; column < choice.abreast; ++column) {
      const Layers layers = column_of_layers(choice.abreast, column);
      const float without_tiles = height_of(choice, layers, 0, names), a_point = height_of(choice, layers, 1, names) - without_tiles;
      side = std::min(side, (request_.area.height - without_tiles) / a_point);
    }
    return side;
  }

  /// The best way in which all layers fit; none if their tiles would be too small.
  std::optional<Choice> best(const TokenWidths& names) const {
    std::optional<Choice> found;
    float best_merit = 0, column_merit = 1;
    for (int abreast = 1; abreast <= std::min(snapshot_.layers(), kMostAbreast); ++abreast, column_merit *= kAnotherColumn) {
      if ((abreast - 1) * layers_of_column(abreast) >= snapshot_.layers()) continue;  // a column would be empty
      float line_merit = column_merit;
      for (int lines = 1; lines <= std::min(snapshot_.heads(), kMostLines); ++lines, line_merit *= kAnotherLine) {
        if (lines > 1 && columns_of(lines) == columns_of(lines - 1)) continue;
        for (const Manner& manner : kManners) take_better({manner, lines, abreast}, names, line_merit * manner.merit, found, best_merit);
      }
    }
    return found;
  }

  void take_better(Choice choice, const TokenWidths& names, float merit_of_side, std::optional<Choice>& found, float& best_merit) const {
    choice.side = std::floor(std::min(widest_side(choice, names), tallest_side(choice, names)));
    // Below large tiles captions cost little and read better; beside flat ones they would touch those of the next line.
    if (choice.manner.is_beside && (choice.side > kWidestBeside || choice.side * flattest_ < 2 * kCaptionPitch)) return;
    const float merit = choice.side * merit_of_side;
    if (choice.side < kDenseTile || merit <= best_merit) return;
    best_merit = merit;
    found = choice;
  }

  Choice scrolled_choice() const {
    constexpr float kLeast = 16;
    Choice choice{.manner = kManners[0], .is_spread = false};
    while (columns_of(choice.lines) > 1 && widest_side(choice, {}) < kReadableTile) ++choice.lines;
    choice.side = std::floor(std::clamp(widest_side(choice, {}), kLeast, kScrolledTile));
    return choice;
  }

  /// A page whose area has a width has no more tiles on a line than it holds.
  Choice page_choice(const TokenWidths& names) const {
    constexpr float kRounding = 0.5F;
    const float column = std::max(request_.tile * widest_, std::min(kCaptionWidth, request_.tile)) + kGap;
    const bool has_width = request_.area.width > 0;
    const int fitting = has_width ? std::max(1, static_cast<int>((room(names, 1) + kGap + kRounding) / column)) : kPageColumns;
    const int columns = std::min(fitting, kPageColumns);
    const int lines = (snapshot_.heads() + columns - 1) / columns;
    return {.manner = request_.tile < name_ ? kBareManner : kManners[0], .lines = lines, .side = request_.tile, .is_spread = false};
  }

  GridLayout laid_out(const Choice& choice, const TokenWidths& names) const {
    GridLayout layout;
    layout.heads = snapshot_.heads();
    layout.columns = columns_of(choice.lines);
    layout.tile = choice.side;
    layout.caption = choice.manner.caption;
    layout.has_bracket_names = choice.manner.bracket > 0;
    layout.beside = beside(choice.manner);
    layout.query_width = names.query_width;
    const float left = layer_width_ + names.query_width;
    const auto columns = static_cast<float>(layout.columns), abreast = static_cast<float>(choice.abreast);
    float column = std::max(choice.side * widest_, std::min(kCaptionWidth, choice.side)) + layout.beside;
    // Small tiles are set so far apart that name and number fit under them, where there is room.
    const float captions = caption_ - kGap + kCaptionsApart;
    const bool has_room = columns * (captions + kGap) - kGap <= room(names, choice.abreast);
    if (choice.is_spread && !choice.manner.is_beside && has_room) {
      layout.caption_width = caption_;
      column = std::max(column, captions);
    }
    const float width = columns * (column + kGap) - kGap;
    float height = 0;
    for (int each = 0; each < choice.abreast; ++each) {
      height = std::max(height, height_of(choice, column_of_layers(choice.abreast, each), choice.side, names));
    }
    const float all = abreast * (left + width + kBetweenColumns) - kBetweenColumns;
    float gap = kGap, layer_gap = choice.manner.layer;
    if (choice.is_spread) {
      layout.spare = spare_beside({all, height}, choice.side);
      const bool is_right = layout.spare.width > 0 && layout.spare.x > request_.area.x;
      const bool is_below = layout.spare.width > 0 && !is_right;
      if (!is_right) gap += spread(room(names, choice.abreast) - width, layout.columns - 1, kMostGap - kGap);
      if (!is_below) layer_gap += spread(request_.area.height - height, layers_of_column(choice.abreast) - 1, kMostLayerGap - layer_gap);
    }
    layout.step = column + gap;
    const float column_step = left + width + (columns - 1) * (gap - kGap) + kBetweenColumns;
    layout.content_width = abreast * column_step - kBetweenColumns;
    for (int each = 0; each < choice.abreast; ++each) {
      const Layers layers = column_of_layers(choice.abreast, each);
      float top = 0;
      for (int layer = layers.begin; layer < layers.end; ++layer) {
        layout.layers.push_back(layer_at({static_cast<float>(each) * column_step, top}, layer, choice, names));
        top += static_cast<float>(choice.lines) * layout.layers.back().line_step - choice.manner.line + layer_gap;
      }
      layout.content_height = std::max(layout.content_height, top - layer_gap);
    }
    layout.is_in_columns = choice.abreast > 1;
    layout.first = {request_.area.x + left, request_.area.y - request_.scroll};
    return layout;
  }

  GridLayout::Layer layer_at(Point at, int layer, const Choice& choice, const TokenWidths& names) const {
    const Point shape = shapes_[static_cast<std::size_t>(layer)];
    GridLayout::Layer placed;
    placed.left = at.x;
    placed.keys = names.keys_of(layer);
    placed.top = at.y + placed.keys;
    placed.width = std::max(choice.side * shape.x, std::min(kCaptionWidth, choice.side));
    placed.height = std::max(choice.side * shape.y, std::min(kThinnest, choice.side));
    placed.line_step = placed.keys + placed.height + choice.manner.caption + bracket(choice.manner, layer) + choice.manner.line;
    return placed;
  }

  /// What a grid of this size leaves at its right or under it, where one map would be much larger than its tiles; else empty.
  Box spare_beside(Point grid, float side) const {
    const Box& area = request_.area;
    const Box right{area.x + grid.x + kBeforeSpare, area.y, area.width - grid.x - kBeforeSpare, area.height};
    const Box below{area.x, area.y + grid.y + kBeforeSpare, area.width, area.height - grid.y - kBeforeSpare};
    const auto room_in = [](const Box& box) { return std::min(box.width, box.height); };
    const Box& larger = room_in(right) > room_in(below) ? right : below;
    return room_in(larger) >= std::max(kLeastSpare, kLargerSpare * side) ? larger : Box{};
  }

  /// The share of what is left that each of `count` gaps gets.
  static float spread(float left, int count, float most) {
    return count > 0 && left > 0 ? std::floor(std::min(left / static_cast<float>(count), most)) : 0;
  }

  const Snapshot& snapshot_;
  const GridFigureRequest& request_;
  float layer_width_;
  const MeasureText& measure_;
  std::vector<Point> shapes_;  // of each layer's maps
  float name_ = 0;             // width of the longest name of a head
  float caption_ = 0;          // width of name and number side by side
  float beside_ = 0;           // width of captions at the right of tiles
  float widest_ = 0, flattest_ = 1;
};

}  // namespace

bool has_groups(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = snapshot.trace.layer(layer);
  return trace.kv_heads > 0 && trace.kv_heads < snapshot.heads(layer);
}

GridLayout make_grid_layout(const Snapshot& snapshot, const GridFigureRequest& request, float layer_width, const MeasureText& measure) {
  return GridPlan(snapshot, request, layer_width, measure).make();
}

float flow_caption_width(const Snapshot& snapshot, std::span<const HeadId> heads, const MeasureText& measure) {
  float names = 0;
  for (const HeadId head : heads) names = std::max(names, measure(flow_name(snapshot, head), FontFace::mono, kCaptionSize));
  return std::ceil(names + 8 + measure("0.000", FontFace::mono, kCaptionSize));
}

GridLayout make_flow_layout(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure) {
  GridLayout layout;
  layout.flow = request.arrangement->heads;
  layout.heads = snapshot.heads();
  layout.caption = kFlowCaption;
  const float captions = flow_caption_width(snapshot, layout.flow, measure);
  const auto count = static_cast<int>(layout.flow.size());
  const auto side_of = [&](int columns) {
    return std::floor((request.area.width - kFlowGap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  };
  const auto height_of = [&](int columns, float side) {
    return static_cast<float>((count + columns - 1) / columns) * (side + kFlowCaption + kFlowLine) - kFlowLine;
  };
  layout.tile = request.tile;
  layout.columns = std::max(1, request.columns);
  for (int columns = 1; request.tile <= 0 && columns <= std::max(1, count); ++columns) {
    const auto lines = static_cast<float>((count + columns - 1) / columns);
    const float fitting = std::floor((request.area.height + kFlowLine) / std::max(1.0F, lines) - kFlowCaption - kFlowLine);
    const float side = std::min({side_of(columns), fitting, kMostFlowTile});
    if (side > layout.tile) layout.tile = side, layout.columns = columns;
  }
  if (request.tile <= 0 && (layout.tile < kLeastFlowTile || side_of(layout.columns) < captions)) {
    layout.columns = std::max(1, static_cast<int>((request.area.width + kFlowGap) / (std::max(kScrolledFlowTile, captions) + kFlowGap)));
    layout.tile = std::min(side_of(layout.columns), kMostFlowTile);
    if (height_of(layout.columns, layout.tile) > request.area.height)
      layout.tile = std::min(layout.tile, std::max(kScrolledFlowTile, captions));
  }
  layout.step = std::max(layout.tile, captions) + kFlowGap;
  const GridLayout::Layer all{.width = layout.tile, .height = layout.tile, .line_step = layout.tile + kFlowCaption + kFlowLine};
  layout.caption_width = std::max(layout.tile, captions);
  layout.layers.assign(static_cast<std::size_t>(snapshot.layers()), all);
  layout.content_width = static_cast<float>(layout.columns) * layout.step - kFlowGap;
  layout.content_height = std::max(0.0F, height_of(layout.columns, layout.tile));
  layout.first = {request.area.x, request.area.y - request.scroll};
  return layout;
}

Box GridLayout::box_at(std::size_t place) const {
  const int column = static_cast<int>(place) % columns, line = static_cast<int>(place) / columns;
  const Layer& all = layers.front();
  return {first.x + static_cast<float>(column) * step, first.y + static_cast<float>(line) * all.line_step, all.width, all.height};
}

}  // namespace headlight
