// Relations that a reader sees in the sentence, where it is one of the examples.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// The example whose sentence is shown, and what holds it; null where the sentence is none of them, or its note was put away.
std::pair<std::shared_ptr<const Examples>, const Example*> shown_example(const Panel& panel);

/// A relation that a reader sees in the sentence, where it is one of the examples and the note is not put away.
struct ShownRelation {
  Relation relation;
  CellBlock cells;         ///< of a map of the text with itself
  bool is_masked = false;  ///< every cell of them, in the head that is looked at
};
MapFrame frame_of(const ShownRelation& shown);
/// Empty where the head that is looked at has another map than that of the text with itself.
std::vector<ShownRelation> shown_relations(const Panel& panel);

}  // namespace headlight
