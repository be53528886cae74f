// What a head does by its matrices alone (engine/circuits), as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/document/labs/found_circuits.h"

namespace headlight {

std::string circuits_text(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model);
nlohmann::ordered_json circuits_json(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model);

}  // namespace headlight
