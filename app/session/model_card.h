// What is worth knowing about a model before looking at its heads: a card of rows for the window, made from the model in memory.
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

/// The model's sizes, the parts that it has, and its weights: their memory, how they are stored and where they came from.
std::array<CardSection, 3> model_card(const Model& model);
/// The card of maps from a file, which have nothing but sizes.
CardSection dump_card(const Snapshot& snapshot);

}  // namespace headlight
