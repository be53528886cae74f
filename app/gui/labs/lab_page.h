// What the pages of the Labs view are made of: rows of controls, tables, cards with maps, all on one scrolling page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/document/amounts.h"
#include "app/document/labs/lab_words.h"
#include "app/document/labs/walk_lab.h"
#include "app/gui/panel/panel.h"
#include "app/work/labs.h"
#include "engine/figure/axes.h"
#include "engine/figure/marks.h"

namespace headlight {

/// One page while it is drawn. Its maps are collected and painted together at the end.
class LabPage {
 public:
  LabPage(Panel& of, const Box& box) : panel(of), look(of.look), box_(box), place_{{box.x, box.y}, of.look.scale} {}

  Panel& panel;
  const Look& look;
  const LabRequest* shown = nullptr;  ///< the request that the result on the page answers; null before there is one
  float width() const;                ///< pixels that content may take

  /// Title, and what the lab shows, in a sentence or two; in a lesson the title alone.
  void heading(const char* title, const char* text);
  void caption(std::string_view text);
  /// Names a part of the page "card NAME", and scrolls to it once it is wanted.
  void card(std::string_view name, const Box& box);
  /// A row with its control close to its label.
  Row control_row(const char* label, const char* help);

  /// What the rows and columns of a map are of, so that it marks what is pointed at and pinned elsewhere, and the other way round.
  struct Tokens {
    bool are_of_text = false;               ///< of the shown text; else of the lab's own, which are pinned in LabsPage
    int layer = 0;                          ///< whose axes have that text
    std::span<const Index> positions = {};  ///< in the text, of each row and column; empty: as they are counted
  };
  /// A map without labels in a box of pixels, or one whose text is no longer shown (tokens: none); `positions`: those of its rows
  /// and columns in the text, where it is of one. Its cells answer the pointer with their numbers. Returns where the cells are, in pixels.
  Box plain_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, const Box& at,
                std::span<const std::string> labels, std::span<const Index> positions, const std::optional<Tokens>& tokens);
  /// With labels along its axes and a title.
  struct Axes {
    const std::vector<std::string>& queries;  ///< labels
    const std::vector<std::string>& keys;
    AxisTitles titles;
    std::optional<Tokens> tokens = {};  ///< none: their text is no longer shown
  };
  Box labelled_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, const Box& at,
                   const Axes& axes, const std::string& title);
  /// A matrix with a row per token in a box of pixels, its cells as wide as the box makes them, with lines between the heads' columns and a
  /// frame around those of the `framed` one; −1: none. Rows are marked as their tokens are elsewhere, and a click pins a query.
  void strip(const ConcatenationFound::Strip& strip, const ColourScale& scale, const Box& at, int framed);
  /// Of the text that a strip shows the first of.
  Index tokens_of(const ConcatenationFound::Strip& strip) const;
  /// How a row of a strip is marked elsewhere.
  Mark mark_of_row(const ConcatenationFound::Strip& strip, Index row) const;
  /// What the colours of the maps mean: a small bar between the ends of a scale, with `note` after it; takes a line.
  void legend(const ColourScale& scale, std::string_view note);
  /// Weights from 0 to `high`; numbers from −high to `high`.
  ColourScale weight_scale(float high) const;
  ColourScale signed_scale(float high) const;

  /// Numbers of the page that can be copied, in a box of pixels: those under the pointer, else the first that were offered.
  void offer(const Box& at, PicturedNumbers numbers, std::optional<Cell> cell = {});

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
    Index query_tokens = 0, key_tokens = 0;  ///< of the whole texts that they are of; 0: they are of no text
    std::span<const Index> positions = {};   ///< in the text, of each row and column; empty: as they are counted
  };
  /// A map that waits until the pointer has been looked for in all of them.
  struct WaitingMap {
    PlacedFigure placed;
    std::optional<Tokens> tokens;
    bool is_pointed = false;
  };
  Box add_map(const std::string& name, MapFigureRequest request, const Box& at, const Names& names, const std::optional<Tokens>& tokens);
  /// Nothing is made of what nobody asks for.
  bool is_offer_wanted(const Box& at) const;
  /// The cell under the pointer, which the bubble is about.
  std::optional<Cell> find_hovered(const MapFigure& figure, const MapPicture& picture, const Names& names);
  /// Takes over the cell under the pointer of a map, and pins its row if it was clicked.
  void point_at(Cell cell, const std::optional<Tokens>& tokens);
  void mark(WaitingMap& map) const;
  void mark_rows(const ConcatenationFound::Strip& strip, const MapFigure& figure, const std::optional<Cell>& pointed);

  Box box_;
  ScenePlace place_;
  Scene scene_;
  std::vector<WaitingMap> waiting_;
  std::optional<Hovered> hovered_;
  std::optional<PicturedPlace> offered_;  ///< of the first map or table, or of that under the pointer
  bool is_under_pointer_ = false;
  std::optional<Cell> pointed_;      ///< of the map that is under the pointer, as it counts
  std::optional<Cell> own_pointed_;  ///< the same of a map of the lab's own tokens
};

/// The hatching of a lab's small maps.
HatchStyle lab_hatch(const Palette& colours);

constexpr float kWidestTable = 820;  ///< in points
void draw_lab_table(LabPage& page, const char* name, const SheetTable& table);

/// In place of what is not found yet.
void draw_waiting(LabPage& page);

// The pages. Each draws its controls, and what was found once it is there.
void draw_attempts_lab(LabPage& page, const AttemptsFound* found);
void draw_fills_lab(LabPage& page, const FillsFound* found);
void draw_scaling_lab(LabPage& page, const ScalingFound* found);
void draw_dropout_lab(LabPage& page, const DropoutFound* found);
void draw_cost_lab(LabPage& page, const CostFound* found);
void draw_toy_lab(LabPage& page, const ToyFound* found);
void draw_concatenation_lab(LabPage& page, const ConcatenationFound* found);
void draw_circuits_lab(LabPage& page, const CircuitsFound* found);
void draw_effective_lab(LabPage& page, const EffectiveFound* found);
void draw_walk_lab(LabPage& page, const WalkFound* found);

}  // namespace headlight
