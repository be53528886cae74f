// Relations that a reader sees in the sentence, if it is one of the examples.
#pragma once

#include <memory>
#include <optional>
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

/// The example whose sentence is in the picture, whether its note was closed or not; as shown_example.
std::pair<std::shared_ptr<const Examples>, const Example*> example_of_picture(const Panel& panel);
/// All heads by their weight on the cells of the example's relations. Null where the picture is of no example, until it is computed, and in
/// models with two texts.
std::shared_ptr<const Ranking> ranking_of_example(const Panel& panel);

/// What the card of the model tells of the head that is looked at, while the picture is of its sentence.
std::optional<CardHead> told_head(const Panel& panel);

}  // namespace headlight
