// The controls of a table of fields (app/document/fields/field.h): one for each row that has one.
#pragma once

#include <span>
#include <string>

#include "app/document/fields/field.h"
#include "app/gui/kit/widgets.h"

namespace headlight {

/// A row of the rail with the field's label and control, which changes `owner`; nothing if the field does not apply. For SandboxSpec and
/// Style. `typed`: what is typed into a box that takes more than it offers, while it is not a value yet. `note`: what is said under such a box
/// of the value that it has.
template <typename Owner>
void draw_field(const Look& look, Owner& owner, const Field<Owner>& field, std::string& typed, const std::string& note = {});

/// Draws the rows that have a control and are advanced, or those that are not, from top to bottom.
template <typename Owner>
void draw_fields(const Look& look, Owner& owner, std::span<const Field<Owner>> fields, std::string& typed, bool is_advanced = false,
                 const std::string& note = {}) {
  const auto is_wanted = [&](const Field<Owner>& field) {
    return field.control.kind != ControlKind::none && field.is_advanced == is_advanced;
  };
  for (const Field<Owner>* field : rows_by_place(
           fields, [](const Field<Owner>& row) { return row.control.place; }, is_wanted)) {
    draw_field(look, owner, *field, typed, note);
  }
}

/// How many of the advanced fields that count differ from a new sandbox's. Fields that share a word in the history count once.
int advanced_changes(const SandboxSpec& spec, std::span<const Field<SandboxSpec>> fields);

}  // namespace headlight
