// What is worth knowing of a model before one looks at its heads: a card of rows for the window, from the model as it lies in memory.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/snapshot.h"

namespace headlight {

struct CardRow {
  std::string label;
  std::string value;
  std::string help;  ///< a sentence for the tooltip; empty: none
};
struct CardSection {
  std::string title;
  std::vector<CardRow> rows;
};

/// Sizes; parts, those that a model has; and its weights: what they take, how they are stored, where they came from.
std::array<CardSection, 3> model_card(const Model& model);
/// Of maps from a file, which have sizes and nothing else.
CardSection dump_card(const Snapshot& snapshot);

}  // namespace headlight
