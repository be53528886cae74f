// The parts of a tokenizer.json are objects with a "type"; a table of makers per step says which types are supported.
#pragma once

#include <fmt/core.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/text/unicode/pattern.h"

namespace headlight {

template <typename Part>
struct PartRow {
  std::string_view type;
  Part (*make)(const JsonFields& fields);
};

/// Finds the maker of json's "type" and calls it; an empty Part for null. Throws Error (input) naming file, field, the type found and
/// those supported.
template <typename Part>
Part make_part(const Json& json, const std::string& file, const std::string& path, std::span<const PartRow<Part>> table) {
  if (json.is_null()) return nullptr;
  const JsonFields fields(json, file, path);
  const std::string type = fields.text("type");
  std::string supported;
  for (const PartRow<Part>& row : table) {
    if (row.type == type) return row.make(fields);
    supported += (supported.empty() ? "" : ", ") + std::string(row.type);
  }
  fields.refuse("type", "the type is not supported", in_quotes(type), "one of " + supported);
}

/// The pattern of a Split or Replace: {"String": "…"} or {"Regex": "…"}. An empty string is found at every place, as the expression is.
inline Pattern make_pattern(const JsonFields& fields, const std::string& key) {
  const JsonFields pattern = fields.object(key);
  if (pattern.has("String")) {
    std::string text = pattern.text("String");
    return text.empty() ? Pattern::regex(text, {pattern.file(), pattern.path_of("String")}) : Pattern::literal(std::move(text));
  }
  return Pattern::regex(pattern.text("Regex"), {pattern.file(), pattern.path_of("Regex")});
}

}  // namespace headlight
