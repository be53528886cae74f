// Options of `headlight export` that say which tokens a map shows, and which of its cells have a frame.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// "0.1@5:2,6:0-1" of --draw: the head of the query's model, and the cells that should have its weight. Throws Error (usage).
DrawnMap parse_drawn_map(const std::string& text, const Query& query);

class PartOptions {
 public:
  explicit PartOptions(CLI::App& command);
  /// Of figures that show a part of their maps.
  static std::vector<std::string_view> names();
  /// Of figures of one head.
  static std::vector<std::string_view> frame_names();

  /// The part that the ranges name; empty: all cells. An axis without a range is shown whole: `rows` and `columns` are the sizes of the map.
  CellWindow part(Index rows, Index columns) const;
  /// Cells that --frame names, inside a map of this size, and the relations of the example whose sentence the text is. Throws Error (usage)
  /// where there are none.
  std::vector<MapFrame> frames(const Snapshot& snapshot, HeadId head) const;

 private:
  /// In cells; an end with a decimal point lies within one, as the window's zoom does.
  struct Range {
    float begin = 0, end = 0;
    std::string text = {};  ///< as it was given
  };
  static std::optional<Range> range_of(const std::string& text);
  void add_range(const char* name, const char* help, std::optional<Range>& range);

  CLI::App& command_;
  std::optional<Range> tokens_, queries_, keys_;
  std::string frames_;
  bool has_relations_ = false;
};

}  // namespace headlight
