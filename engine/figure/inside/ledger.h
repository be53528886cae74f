// One ledger while it is drawn: the groups draw themselves from what is placed.
#pragma once

#include <cmath>
#include <string>

#include "engine/figure/inside/ledger_layout.h"
#include "engine/figure/inside/ledger_pen.h"

namespace headlight {

class Ledger {
 public:
  Ledger(const InsideFigureRequest& request, const MeasureText& measure, InsideFigure& figure);
  void draw();

 private:
  enum class State : std::uint8_t { behind, current, ahead };
  State state(InsideStep step) const { return step < moment_.step ? State::behind : step == moment_.step ? State::current : State::ahead; }
  bool is_current(InsideStep step) const { return state(step) == State::current; }
  const LedgerGroup& group(InsideStep step) const { return columns_.of(step); }
  bool is_shown(InsideStep step) const { return group(step).is_shown; }

  /// How far one of `parts` equal parts of the current step has come, 0…1; of a step behind 1, ahead 0.
  float part(InsideStep step, int number, int parts) const;
  /// Whether row `number` has its numbers, at a share of a part that fills the rows from the top.
  bool is_filled(std::size_t number, float share) const;

  std::string key_name(Index key) const;
  std::string query_name() const;
  const LedgerRow& row(std::size_t number) const { return lines_.rows[number].row; }
  bool is_chosen(const LedgerRow& row) const { return row.kind == LedgerRow::Kind::key && row.begin == chosen_; }
  bool is_allowed(const LedgerRow& row) const {
    return row.kind == LedgerRow::Kind::key && inside_.row.is_allowed[static_cast<std::size_t>(row.begin)];
  }
  Colour number_colour(InsideStep step) const { return is_current(step) ? pen_.colours().text : pen_.colours().text_second; }

  // ledger.cpp
  /// Where columns and rows are, in the area that is left.
  void place();
  /// What follows the query's name in the line above the columns.
  std::string division_text() const;
  void wrap_words_above();
  void draw_words_above();
  void draw_title();
  void draw_panel();
  void draw_heading(InsideStep step);
  /// A bracket over keys and values that several heads read.
  bool has_bracket() const;
  void draw_bracket();
  void draw_bracket_over(InsideStep step, float y, Colour colour);
  std::string sharing_text() const;
  std::string formula_of(InsideStep step) const;
  void draw_tokens();
  void draw_row_name(const PlacedRow& placed);
  void draw_query_above();
  /// Over cells of a step that is behind.
  void draw_veil(InsideStep step, const Box& cells);

  // ledger_vectors.cpp
  /// One row's cells of a picture, `cell` wide each: with digits where they fit, up to `filled` of them.
  struct Strip {
    const InsidePictures::Picture& picture;
    ColourScale scale;
    InsideNumber number;  ///< its first
    Index count = 0;
  };
  void draw_strip(InsideStep step, const Strip& strip, const Box& box, bool has_digits, Index filled);
  void draw_keys();
  void draw_products();
  void draw_open_row(const PlacedRow& placed, float filled);
  void draw_values();
  void draw_value_sums();

  // ledger_scores.cpp
  struct ScaleColumn {
    InsideValue what;
    std::string name;
  };
  std::vector<ScaleColumn> scale_columns() const;
  void draw_scale();
  void draw_scale_number(const PlacedRow& placed, InsideValue what, bool is_last, float right);
  void draw_scale_bars(const PlacedRow& placed, float share, float left, float whole);
  void draw_mask();
  void draw_softmax();
  void draw_softmax_row(const PlacedRow& placed, std::size_t number, float left);
  void draw_softmax_folded();
  void draw_softmax_sums(float left);

  // ledger_output.cpp
  void draw_output_line();
  /// Number, title and words of a step that takes the whole area. Returns by how much further lines of words move what follows.
  float draw_whole_heading(int number, const std::string& title, float beside, const std::string& words);
  void draw_whole_query();
  void draw_query_sums(const Box& matrix, float share);
  void draw_whole_output();

  const InsideFigureRequest& request_;
  const Inside& inside_;
  const InsidePictures& pictures_;
  const InsideMoment moment_;
  InsideFigure& figure_;
  LedgerPen pen_;
  const Index chosen_;
  Box area_;
  std::vector<std::string> words_above_;  // printed
  LedgerColumns columns_;
  LedgerLines lines_;
  ColourScale vector_scale_, term_scale_, value_scale_;
};

/// A matrix under the vector that it is multiplied with, and what comes out at its right: the whole of the first step and of the last.
struct ProductFigure {
  InsidePictures::Picture vector;  ///< [1, n]
  InsidePictures::Picture matrix;  ///< [m, n]; null: none
  InsideNumber vector_number;
  std::string vector_name, matrix_name;
  Colour vector_colour;
  /// The columns at the right, from left to right: [m, 1] each.
  struct Column {
    std::string name;
    InsidePictures::Picture numbers;
    InsideNumber number;
    Colour colour;
    float share = 1;  ///< how much of it is there, from the top
  };
  std::vector<Column> columns = {};
  float share = 1;                        ///< how much of the matrix is there, from the top
  std::optional<CellWindow> framed = {};  ///< part of the matrix with a frame, over the vector too
};

}  // namespace headlight
