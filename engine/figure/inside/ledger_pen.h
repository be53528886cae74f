// Draws the parts that a ledger is made of, in layers: what lies behind a veil, the raised panel, and the writing above all.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/figure/inside/inside_figure.h"

namespace headlight {

/// From the back to the front.
enum class LedgerLayer : std::uint8_t { back, veil, panel, front, ink };

inline constexpr float kDigitCell = 28;  ///< a cell of this width shows its digits
inline constexpr float kCellText = 10;

class LedgerPen {
 public:
  LedgerPen(Theme theme, const MeasureText& measure, InsidePictures::Picture masked, InsideFigure& figure);

  const Palette& colours() const { return colours_; }
  float width(const std::string& text, float size, FontFace face = FontFace::ui) const { return measure_(text, face, size); }

  void add(LedgerLayer layer, SceneItem item) { layers_[static_cast<std::size_t>(layer)].push_back(std::move(item)); }
  void fill(LedgerLayer layer, const Box& box, Colour colour, float radius = 0);
  void frame(const Box& box, Colour colour, float width = 1, float radius = 3);
  /// An outline of what is not there yet.
  void dashes(const Box& box);
  void dashed_line(Point from, Point to);
  void line(Point from, Point to, Colour colour, float width = 1);
  /// `strength`: of its lines; text is written over weak ones.
  void hatch(LedgerLayer layer, const Box& box, float strength = 1);

  struct Words {
    float size = 12;
    FontFace face = FontFace::ui;
    AlignX align = AlignX::left;
  };
  /// Vertically centred at y; shortened where it is wider than `room` (0: as wide as it is).
  void text(Point at, const std::string& text, Colour colour, Words words, float room = 0);
  /// `text` where it is no wider than `room`, else `shorter`.
  const std::string& fitting(const std::string& text, const std::string& shorter, float room, float size) const {
    return width(text, size) <= room ? text : shorter;
  }
  /// The text in lines no wider than `room`.
  std::vector<std::string> lines(const std::string& text, float room) const;
  /// A number in the figures of the ledger, right-aligned.
  void number(Point at, const std::string& text, Colour colour, float size = 12) {
    this->text(at, text, colour, {size, FontFace::mono, AlignX::right});
  }

  /// The colours of a picture's numbers, centred on 0.
  ColourScale scale(float high) const;
  /// Part of a picture as coloured cells; null pictures draw nothing.
  void cells(LedgerLayer layer, const InsidePictures::Picture& picture, const CellWindow& window, const Box& box, const ColourScale& scale);
  /// A digit in the middle of a cell, dark on light cells and light on dark ones.
  void digits(const Box& cell, float value, const ColourScale& scale);
  /// The bar of a number: `share` of the box's width.
  void bar(const Box& box, float share, Colour colour);

  void spot(const Box& box, const InsideNumber& number, Index count = 1, bool is_column = false);
  void spot(const Box& box, InsideStep step);
  void spot(const Box& box, const LedgerRow& row);

  /// Hands the layers over to the figure.
  void finish();

 private:
  const Palette& colours_;
  const Theme theme_;
  const MeasureText& measure_;
  InsideFigure& figure_;
  std::array<std::vector<SceneItem>, 5> layers_;
  std::shared_ptr<const MapPicture> masked_;
};

/// The farthest number from 0 of a picture; 1 where there is none.
float farthest_of(const InsidePictures::Picture& picture);

}  // namespace headlight
