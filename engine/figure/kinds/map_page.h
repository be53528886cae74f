// A page with one map.
#pragma once

#include <string>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {

/// The map is as large as the request's page lets it be; `notes` are below it.
Scene make_map_page(const PageWords& words, const std::string& notes, MapFigureRequest map, const FigureRequest& request,
                    const MeasureText& measure);

}  // namespace headlight
