// What is pointed at: by the pointer in this frame, and by the pin that stays.
#pragma once

#include <cstdint>
#include <optional>

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

/// What the pointer is over: found anew in every frame, never restored.
struct Pointed {
  std::optional<Cell> cell;          ///< of a map, in any view
  std::optional<Cell> elsewhere;     ///< instead of `cell`: of a card of another text in Compare
  int layer = 0;                     ///< the layer whose tokens `cell` or `elsewhere` counts
  std::optional<HeadId> head;        ///< whose map it is
  std::optional<ComparedHead> map;   ///< the same in Compare, with the run that the map is of
  std::optional<TokenPlace> token;   ///< in the token strip, or in a list of tokens
  std::optional<TokenPlace> listed;  ///< in a list of a view or rail, in this frame: from the strip on it is `token`
  std::optional<LinkFocus> word;     ///< in the running text of Links
};

}  // namespace headlight
