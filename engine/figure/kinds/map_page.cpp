#include "engine/figure/kinds/map_page.h"

#include <algorithm>
#include <utility>

#include "engine/figure/page/sized_map.h"

namespace headlight {

Scene make_map_page(const PageWords& words, const MapNotes& notes, MapFigureRequest map, const FigureRequest& request,
                    const MeasureText& measure) {
  constexpr float kLeastSide = 48;
  const PageLook& look = request.page;
  map.has_bar = map.has_bar && look.has(PagePart::bar);
  map.has_cell_numbers = look.has_cell_numbers;
  map.is_tight = has_print_size(look);
  // Labels of keys begin at the map.
  PageWords above = words;
  above.is_corner_free = map.has_labels;
  float side = kLargestMap;
  for (int round = 0;; ++round) {
    const SizedMap sized = size_map(map, {.largest_side = side, .width = room_for_maps(look)}, measure);
    Page page(above, request.style, look, sized.size().x, measure);
    page.thin_labels(sized.label_stride);
    page.add(draw_sized(sized, {page.left(), page.top()}, measure).scene);
    page.move_down(sized.size().y);
    Scene scene = page.finish(notes.all, notes.kept);
    const float excess = look.height_mm > 0 ? scene.height - layout_height(look) : 0;
    const Box& cells = sized.placed.map;
    constexpr int kMostRounds = 4;  // labels are another share of a smaller map
    if (excess <= 0 || cells.height <= kLeastSide || round == kMostRounds) return scene;
    side = std::max(cells.height - excess, kLeastSide) * std::max(1.0F, cells.width / cells.height);
  }
}

}  // namespace headlight
