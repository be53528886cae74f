// What the pages of the Labs view are made of: rows of controls, tables, cards with maps, all on one scrolling page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/document/amounts.h"
#include "app/gui/panel/panel.h"
#include "app/work/labs.h"
#include "engine/figure/axes.h"

namespace headlight {

/// One page while it is drawn. Its maps are collected and painted together at the end.
class LabPage {
 public:
  LabPage(Panel& of, const Box& box) : panel(of), look(of.look), box_(box), place_{{box.x, box.y}, of.look.scale} {}

  Panel& panel;
  const Look& look;
  const LabRequest* shown = nullptr;  ///< the request that the result on the page answers; null before there is one
  float width() const;                ///< pixels that content may take

  /// Title, and what the lab shows, in a sentence or two.
  void heading(const char* title, const char* text);
  void caption(std::string_view text);
  /// A row with its control close to its label.
  Row control_row(const char* label, const char* help);

  /// A map without labels in a box of pixels; its cells answer the pointer with their numbers. Returns where the cells are, in pixels.
  Box plain_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, const Box& at,
                const std::vector<std::string>& queries, const std::vector<std::string>& keys);
  /// With labels along its axes and a title.
  struct Axes {
    const std::vector<std::string>& queries;  ///< labels
    const std::vector<std::string>& keys;
    AxisTitles titles;
    bool has_text = false;  ///< its rows are the queries of the head that is looked at: a pinned one is marked, and a click pins
  };
  Box labelled_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, const Box& at,
                   const Axes& axes, const std::string& title);
  /// A matrix with a row per token in a box of pixels, its cells as wide as the box makes them, with lines between the heads' columns and a
  /// frame around those of the `framed` one; −1: none.
  void strip(const ConcatenationFound::Strip& strip, const ColourScale& scale, const Box& at, int framed);
  /// What the colours of the maps mean: a small bar between the ends of a scale, with `note` after it; takes a line.
  void legend(const ColourScale& scale, std::string_view note);
  /// Weights from 0 to `high`; numbers from −high to `high`.
  ColourScale weight_scale(float high) const;
  ColourScale signed_scale(float high) const;

  /// Paints the maps that were added, and the bubble of the cell under the pointer.
  void finish();

 private:
  struct Hovered {
    Box cell;
    std::string query, key, value;
  };
  /// Labels of the axes, for the bubble of a cell; without them it shows the positions.
  struct Names {
    std::span<const std::string> queries, keys;
  };
  Box add_map(const std::string& name, MapFigureRequest request, const Box& at, const Names& names);
  /// The cell under the pointer, which the bubble is about.
  std::optional<Cell> find_hovered(const MapFigure& figure, const MapPicture& picture, const Names& names);

  Box box_;
  ScenePlace place_;
  Scene scene_;
  std::optional<Hovered> hovered_;
  std::optional<Cell> pointed_;  ///< of the map that was added last
};

/// The hatching of a lab's small maps. It is stronger than elsewhere, so that a masked cell is not taken for a weight near 0.
HatchStyle lab_hatch(const Palette& colours);

/// Rows of texts under headings. The first column takes the width that the others leave; those hold right-aligned numbers.
struct LabTable {
  struct Row {
    std::vector<std::string> cells;
    std::string note = {};   ///< a second line under the first cell; empty: none
    bool is_marked = false;  ///< on a raised background
    std::string help = {};
  };
  std::vector<std::string> headings;
  std::vector<Row> rows;
  float first = 0;  ///< least width of the first column, in points
};
void draw_lab_table(LabPage& page, const char* name, const LabTable& table);

// The pages. Each draws its controls, and what was found once it is there.
void draw_attempts_lab(LabPage& page, const AttemptsFound* found);
void draw_fills_lab(LabPage& page, const FillsFound* found);
void draw_scaling_lab(LabPage& page, const ScalingFound* found);
void draw_dropout_lab(LabPage& page, const DropoutFound* found);
void draw_cost_lab(LabPage& page, const CostFound* found);
void draw_toy_lab(LabPage& page, const ToyFound* found);
void draw_concatenation_lab(LabPage& page, const ConcatenationFound* found);

}  // namespace headlight
