// Which head does this: what is asked, and how a person is asking it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/state/pointed.h"
#include "engine/finding/alike_heads.h"
#include "engine/finding/head_question.h"

namespace headlight {

/// The section of the left rail in which it is asked and answered.
inline constexpr char kFindingSection[] = "Which head?";

struct FindingPage {
  // Either of the two, or nothing; in the document's look, and restored at the next start.
  HeadQuestion question;
  std::optional<HeadId> alike_to;  ///< more like this head

  AlikeBy alike_by = AlikeBy::divergence;  ///< order of its list
  bool shows_all = false;                  ///< the whole list, not the first ten

  /// What a press in the token strip and the left button on a map do.
  enum class Drawing : std::uint8_t {
    off,
    relation,  ///< frame which word looks at which
    cells,     ///< paint cells
  };
  Drawing drawing = Drawing::off;
  std::optional<TokenPlace> query = {};  ///< of a relation that is being framed in the strip: the word that looks
  bool wants_keyboard = false;           ///< for the box of the mask text
  bool is_erasing = false;               ///< the stroke began on a painted cell
  std::string typed = {}, problem = {};  ///< a mask text while it is typed, and why it is none
};

}  // namespace headlight
