// Relations that a reader sees in the sentence, if it is one of the examples.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// The example whose sentence is shown, and the list that owns it; null if the sentence is not an example or its note was closed.
std::pair<std::shared_ptr<const Examples>, const Example*> shown_example(const Panel& panel);

/// A relation that a reader sees in the example sentence, while its note is not closed.
struct ShownRelation {
  Relation relation;
  CellBlock cells;         ///< of a map of the text with itself
  bool is_masked = false;  ///< all the cells are masked in the head being looked at
};
MapFrame frame_of(const ShownRelation& shown);
/// Empty if the map of the head being looked at is not of the text with itself.
std::vector<ShownRelation> shown_relations(const Panel& panel);

}  // namespace headlight
