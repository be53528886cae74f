// What is pointed at: by the pointer in this frame, and by the pin that stays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/figure_source.h"
#include "engine/figure/figures.h"
#include "engine/figure/links/links_figure.h"

namespace headlight {

/// Which text a token belongs to; in an encoder-decoder model, the encoder's or the decoder's.
enum class Side : std::uint8_t { text, decoder };
Side query_side(const Snapshot& snapshot, int layer);
Side key_side(const Snapshot& snapshot, int layer);

struct TokenPlace {
  Side side = Side::text;
  Index token = 0;
  bool operator==(const TokenPlace&) const = default;
};

/// A number of a vector that a query has.
struct VectorNumber {
  Index query = 0, number = 0;
  bool operator==(const VectorNumber&) const = default;
};

/// Something with numbers that is not a head's map: the difference of two heads, a map or a table of a lab.
struct PicturedNumbers {
  struct Column {
    std::string name;
    std::shared_ptr<const MapPicture> picture;
  };
  std::string name;                             ///< "A − B"
  std::vector<Column> columns;                  ///< numbers of each cell; the last are those that are shown
  AxisLabels queries, keys;                     ///< null: rows and columns have positions alone
  bool is_of_text = false;                      ///< its rows are the queries of the head that is looked at, and can be pinned
  std::vector<std::vector<std::string>> table;  ///< in place of a map: lines of cells, headings first
};
struct PicturedPlace {
  std::shared_ptr<const PicturedNumbers> numbers;
  std::optional<Cell> cell;  ///< under the pointer
};

/// What the pointer is over: found anew in every frame, never restored.
struct Pointed {
  std::optional<Cell> cell;               ///< of a map, in any view
  std::optional<Cell> elsewhere;          ///< instead of `cell`: of a card of another text in Compare
  std::optional<VectorNumber> number;     ///< instead of `cell`: of z, in Head
  std::optional<PicturedPlace> pictured;  ///< in Labs where the pointer is on nothing: the first of the page
  int layer = 0;                          ///< the layer whose tokens these count
  std::optional<HeadId> head;             ///< whose map it is
  std::optional<ComparedHead> map;        ///< the same in Compare, with the run that the map is of
  std::optional<TokenPlace> token;        ///< in the token strip, or in a list of tokens
  std::optional<TokenPlace> listed;       ///< in a list of a view or rail, in this frame: from the strip on it is `token`
  std::optional<LinkFocus> word;          ///< in the running text of Links
};

}  // namespace headlight
