// The words of a command line that makes a figure again: those of the query are in command_text.cpp, those of the figure in
// figure_arguments.cpp.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/document/document.h"
#include "app/document/fields/field.h"
#include "app/recipe/sweep.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// Arguments, as long as options can say everything.
struct Arguments {
  std::vector<std::string> words;
  bool is_whole = true;  ///< false: some part of the figure has no option

  void add(std::string option) { words.push_back(std::move(option)); }
  void add(std::string option, std::string value) {
    if (value.starts_with('-')) return add(std::move(option) + "=" + value);
    words.push_back(std::move(option));
    words.push_back(std::move(value));
  }
};

/// "--colours" of "--colours,--colors".
inline std::string first_name(std::string_view option) {
  return std::string(option.substr(0, option.find(',')));
}

/// Returns whether there is an option for the value.
template <typename Owner>
bool add_field(Arguments& line, const Field<Owner>& field, const FieldValue& value) {
  const FieldOption<Owner>& option = field.option;
  const auto text = std::visit([](const auto& each) { return fmt::format("{}", each); }, value);
  const auto* const flag = std::find_if(option.flags.data(), option.flags.data() + option.flags.size(),
                                        [&](const FlagOption& each) { return each.value == text; });
  if (flag != option.flags.data() + option.flags.size()) {
    line.add(first_name(flag->option));
    return true;
  }
  if (option.name.empty() || std::holds_alternative<bool>(value)) return false;
  line.add(first_name(option.name), text);
  return true;
}

/// The options that make `wanted` of a new owner, set in the order in which the command line applies them; what is left is not whole.
template <typename Owner>
void add_fields(Arguments& line, const Owner& wanted, Owner made, std::span<const Field<Owner>> fields) {
  const auto has_option = [](const Field<Owner>& field) { return !field.option.name.empty() || !field.option.flags.empty(); };
  for (const Field<Owner>* field : rows_by_place(
           fields, [](const Field<Owner>& row) { return row.option.place; }, has_option)) {
    const FieldValue value = field->value.get(wanted);
    if (value == field->value.get(made)) continue;
    if (!field->applies(wanted)) {  // it changes nothing, and its option would be refused
      field->choose_value(made, value);
      continue;
    }
    if (add_field(line, *field, value)) field->choose_value(made, value);
  }
  if (!(made == wanted)) line.is_whole = false;
}

/// Separated by commas.
std::string joined(const std::vector<std::string>& parts);
/// "3", "3-5", or "*" for all positions.
std::string range_text(Index begin, Index end);

/// Which figure, what of it, and how it looks. `file`: whether it is drawn decides what it uses. `sweep`: of several figures.
void add_figure(Arguments& line, const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                const std::optional<Sweep>& sweep);

}  // namespace headlight
