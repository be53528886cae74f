// Numbers and words as files of numbers have them: the cells of a CSV, the fields of a JSON.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"
#include "engine/snapshot.h"

namespace headlight {

/// The shortest text that reads back as the same float; "nan" for what is not a number.
std::string_view number_cell(float value, std::array<char, 32>& buffer);
/// A quoted cell (RFC 4180).
std::string text_cell(const std::string& text);
/// With an apostrophe before what a spreadsheet would take for a formula, and before an apostrophe: so that removing one is always right.
std::string spreadsheet_safe(const std::string& text);
/// The labels of all tokens, in order; and the same as quoted cells.
std::vector<std::string> tokens_of(const Snapshot& snapshot, const Encoding& encoding);
std::vector<std::string> token_cells(const Snapshot& snapshot, const Encoding& encoding, bool is_spreadsheet_safe);
/// What is added to the name of a column of tokens.
std::string_view token_note(bool is_spreadsheet_safe);

/// Whether layers of a run need a name beside their number: of an encoder–decoder model, or of one stack of it.
bool has_named_layers(const Snapshot& run);
/// The layer's own number where no stack is named beside it; else its place among all layers.
int number_of(const Snapshot& snapshot, int layer);

std::string in_json(const Json& value);
/// "[0.5,null]": null where a number is not finite.
std::string in_json(std::span<const float> values);
/// "{\"position\": 0, \"token\": \"The\"}": the cells of a line by the names of their columns, null where there is no number.
std::string line_in_json(const NumberList& list, const std::vector<ListCell>& line);
/// A cell of a CSV: nothing where there is no number.
std::string list_cell(const ListCell& cell, bool is_spreadsheet_safe);
/// The texts of a run and their tokens: "\"text\": …" and so on, separated by `between`.
std::string texts_in_json(const Snapshot& run, const std::string& between);
/// "\"layer\": 3, \"head\": 1", with the name of its attention where a model has several stacks.
std::string head_in_json(const Snapshot& run, HeadId head);

}  // namespace headlight
