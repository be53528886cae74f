// The numbers of figures that are not maps of heads (NumberTable), as files other programs read.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// A line for every number: step, number, key, key_token, place, value. key and key_token are empty where a number is not of a key, place
/// where it is not in a vector. Tokens as in write_csv.
void write_tables_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// The same with tabs for commas.
void write_tables_tsv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// {"model", "text", "tokens", "layer", "head", "query", "numbers": [{"step", "number", "is_of_key", "values"}]}: values is a number, a
/// vector, or one of these for each key; NaN and infinities are null. `record`: as in write_json.
void write_tables_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                       std::string_view record = {});

}  // namespace headlight
