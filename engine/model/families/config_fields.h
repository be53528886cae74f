// What becomes of every field of a config.json: used, known to change nothing, or named in a note. The reference's configuration classes
// (transformers 5.12) have the fields that tests/model/config_fields.json lists; old and common fields of the hub's files are here too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"

namespace headlight {

enum class FieldUse : std::uint8_t {
  used,
  no_effect,  ///< on what a model computes from a text; `why` says how that is
  noted,      ///< not applied: a note where its value is not `usual`
};

struct FieldGroup {
  FieldUse use;
  std::string_view names;  ///< with blanks between them
  std::string_view why = {};
  std::string_view usual = {};  ///< as JSON
};

/// The groups of a family's own fields, and those of all families, which come after them; empty for a model_type that is not known.
std::span<const FieldGroup> fields_of_family(std::string_view model_type);
std::span<const FieldGroup> fields_of_all();

/// The group of a field; nullptr: unknown.
const FieldGroup* find_field(std::string_view model_type, std::string_view name);

/// Adds a note for each field whose value is not applied, one for all unknown fields together, and one for a model's own code ("auto_map").
/// A field that is null gets no note.
void note_fields(const JsonFields& config, std::string_view model_type, std::vector<std::string>& notices);

}  // namespace headlight
