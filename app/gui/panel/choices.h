// Choices that several panels offer: another model, a pin, a layer.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Asks for another model, and drops the choice of an item and of head counts that was made for the old one.
void choose_model(Panel& panel, const std::string& name);
/// One of the shown model's layers, by its number or its name.
void layer_slider(const Panel& panel, const Row& row, const char* name, int& layer);

}  // namespace headlight
