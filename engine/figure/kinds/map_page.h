// A page with one map.
#pragma once

#include <string>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {

/// Below a map; `kept` is said even where the others are left out (Page::finish).
struct MapNotes {
  std::string all, kept;
};

/// The map is as large as the request's page lets it be; the notes are below it.
Scene make_map_page(const PageWords& words, const MapNotes& notes, MapFigureRequest map, const FigureRequest& request,
                    const MeasureText& measure);

}  // namespace headlight
