// A table of a sheet, laid out for a page.
#pragma once

#include <cstddef>

#include "engine/figure/scene.h"
#include "engine/figure/sheet/sheet.h"

namespace headlight {

/// What it takes across; in a room of a stated width no more than that, where its columns have room.
float table_width(const SheetTable& table, float room, const MeasureText& measure);
/// In a box, whose height does not matter, with so many rows at most. Returns where it ends.
float draw_sheet_table(Scene& scene, const SheetTable& table, std::size_t rows, const Box& box, Theme theme, const MeasureText& measure);

}  // namespace headlight
