// A sheet laid out for a page: its maps and tables below each other, then what must be known to read them.
#pragma once

#include <limits>

#include "engine/figure/page/sized_map.h"
#include "engine/figure/sheet/sheet.h"

namespace headlight {

struct SheetFigureRequest {
  const Sheet& sheet;
  Style style;
  float room = 0;                                              ///< that it may take across; 0: as much as it likes
  float share = 1;                                             ///< of their usual size that maps have
  std::size_t rows = std::numeric_limits<std::size_t>::max();  ///< that a table has at most; further ones are counted
  bool has_bars = true, has_notes = true;
  bool is_narrow = false;  ///< on a page of a stated size
};

/// In two steps, for a page, which has to know the width first.
class SizedSheet {
 public:
  SizedSheet(const SheetFigureRequest& request, const MeasureText& measure);
  float width() const { return width_; }
  Index label_stride() const { return stride_; }
  /// From a corner down. `bottom`: where it ends.
  Scene draw(Point at, float& bottom) const;

 private:
  struct Line {
    std::vector<SizedMap> maps;
    std::vector<const std::string*> titles;
    float height = 0;
    float cells = 0;  ///< where the cells of all maps begin, below their titles: some have longer labels above them
  };
  struct SizedMaps {
    const SheetMaps* of = nullptr;
    std::vector<Line> lines;
  };
  void size_maps(const SheetMaps& maps);
  SizedMaps sized_for(const SheetMaps& maps, std::size_t per_line, float each, float side) const;
  float side_of(const SizedMaps& maps) const;
  float width_of(const SizedMap& map, const std::string& title) const;
  float width_of(const SizedMaps& maps) const;
  float room_for_bars(const SheetMaps& maps, std::size_t per_line) const;
  float room_for_cells(const SheetMaps& maps, std::size_t per_line, float room) const;
  std::size_t maps_per_line(const SheetMaps& maps, float room) const;
  float draw_notes(Scene& scene, Point at) const;
  float draw_maps(Scene& scene, const SizedMaps& maps, Point at) const;
  float strip_row() const;  ///< as high as its letters at least
  void draw_strip(Scene& scene, const SheetMap& strip, Point at) const;
  ColourScale scale_of(const SheetMap& map) const;

  SheetFigureRequest request_;
  const MeasureText& measure_;
  std::vector<SizedMaps> maps_;  // one for each part with maps, in their order
  float width_ = 0;
  Index stride_ = 1;
};

}  // namespace headlight
