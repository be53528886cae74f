// Where I look: what is neither undone nor saved with the document, only restored at the next start.
#pragma once

#include <optional>
#include <string>

#include "engine/attention/mask.h"
#include "engine/figure/figures.h"
#include "engine/formats/json.h"

namespace headlight {

enum class View : std::uint8_t { overview, head, compare };
enum class Brush : std::uint8_t { off, cell, row, column, rectangle };

struct ViewState {
  View view = View::overview;
  HeadId head;                         ///< the head that Head and the inspector show
  CellWindow zoom;                     ///< of the Head view; empty: all
  std::optional<Cell> hovered;         ///< under the pointer in any view of this frame
  std::optional<Index> hovered_token;  ///< in the token strip
  std::optional<Index> pinned_query;   ///< row lock; Esc releases it
  Brush brush = Brush::off;
  bool brush_allows = false;  ///< the brush allows cells instead of denying them
  Scope::Kind edit_scope = Scope::Kind::all;
  bool is_model_picker_open = false;
  bool is_export_open = false;
  float overview_scroll = 0;
};

Json to_json(const ViewState& view);

}  // namespace headlight
