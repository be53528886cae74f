// Maps and tables on one page, as a value: what a small experiment shows. A table's texts are shown, its numbers are written to files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/figure/axes.h"
#include "engine/figure/map/map_picture.h"

namespace headlight {

/// A matrix with names along its sides. The number of names is that of its rows and columns, or none: then they are counted.
struct NamedNumbers {
  std::string name;
  std::vector<std::string> rows, columns;
  Matrix values;
  std::vector<double> exact = {};  ///< replaces `values`, row by row, where single precision is not enough
  bool operator==(const NamedNumbers& other) const;
};

/// Its shape.
Index rows_of(const NamedNumbers& numbers);
Index columns_of(const NamedNumbers& numbers);

struct SheetMap {
  std::string name;   ///< of its numbers: "weights before"
  std::string title;  ///< above it; of a strip with the marks of formula_parts (figure_parts.h)
  std::shared_ptr<const MapPicture> picture;
  float high = 1;                        ///< colours end there; those of a signed picture begin at −high
  AxisLabels queries = {}, keys = {};    ///< null: without
  AxisTitles titles = {};                ///< where it has labels
  bool has_bar = false;                  ///< one of the maps of a scale has it
  float masked = 0;                      ///< the number of a masked cell
  int blocks = 0;                        ///< a strip as wide as the page, its columns in so many blocks; 0: square cells
  int framed = -1;                       ///< the block with a frame; −1: none
  std::vector<std::string> places = {};  ///< of a strip: names of its columns
  bool operator==(const SheetMap& other) const;
};
/// Maps in lines.
struct SheetMaps {
  std::string heading = {};  ///< empty: none
  std::vector<SheetMap> maps = {};
  std::size_t per_line = 1;
  float side = 300;  ///< of the largest, in points
  bool operator==(const SheetMaps&) const = default;
};

/// Rows of texts under headings. The first column takes the width that the others leave; those hold right-aligned numbers.
struct SheetTable {
  struct Row {
    std::vector<std::string> cells;
    std::string note = {};                   ///< a second line under the first cell; empty: none
    bool is_marked = false;                  ///< on a raised ground
    std::string help = {};                   ///< shown under the pointer
    std::vector<std::string> formulas = {};  ///< further lines, with the marks of formula_parts (figure_parts.h)
    bool operator==(const Row&) const = default;
  };
  std::vector<std::string> headings;
  std::vector<Row> rows;
  float first = 0;           ///< least width of the first column, in points
  std::string heading = {};  ///< above it; empty: none
  bool operator==(const SheetTable&) const = default;
};

struct Sheet {
  std::string title;                    ///< "dropout · layer 1 · head 3"
  std::vector<std::string> notes = {};  ///< what must be known to read it, a sentence each
  std::vector<std::variant<SheetMaps, SheetTable>> parts = {};
  std::vector<NamedNumbers> of_tables = {};  ///< the numbers of the tables
  bool operator==(const Sheet&) const = default;
};

/// All numbers of a sheet: those of its maps, then those of its tables.
std::vector<NamedNumbers> numbers_of(const Sheet& sheet);

/// Which small experiment a figure shows, how it is set and of what. The caller computes it.
struct LabFigureRequest {
  std::string asked = {};           ///< its name and settings: "dropout:p=0.2"
  int layer = -1, head = -1;        ///< −1: it shows none
  std::optional<Index> query = {};  ///< none: it shows none, or the usual one
  std::shared_ptr<const Sheet> found = {};
  /// Sheets are equal by what they hold.
  bool operator==(const LabFigureRequest& other) const;
};

}  // namespace headlight
