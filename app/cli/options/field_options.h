// The options of a table of fields (app/document/fields/field.h): one for each row that names one.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <optional>
#include <string>
#include <variant>

#include "app/document/fields/field.h"

namespace headlight {

/// The name of every option that the rows have, the first where one has several.
template <typename Owner>
std::vector<std::string_view> option_names(std::span<const Field<Owner>> fields) {
  std::vector<std::string_view> names;
  for (const Field<Owner>& field : fields) {
    for (const FlagOption& flag : field.option.flags) names.push_back(flag.option);
    if (!field.option.name.empty()) names.push_back(field.option.name.substr(0, field.option.name.find(',')));
  }
  return names;
}

/// For SandboxSpec and Style. The rows must outlive it, and it must stay where it is while the command parses.
template <typename Owner>
class FieldOptions {
 public:
  /// Adds the options to `group` of the command's help. `texts_only`: only those that decide what the tokens of a text are.
  FieldOptions(CLI::App& command, const std::string& group, std::span<const Field<Owner>> fields, bool texts_only = false);

  bool is_given() const;  ///< any of them
  /// Throws Error (usage): options that exclude each other, a text that makes no sense, an option of a field that does not apply.
  void apply(Owner& owner) const;

 private:
  using Number = std::variant<std::optional<int>, std::optional<std::uint64_t>, std::optional<float>, std::optional<double>>;
  struct Given {
    const Field<Owner>* field;
    Number number = {};
    std::optional<std::string> text = {};       ///< of an option that reads more than its value
    std::optional<std::string_view> name = {};  ///< of an enumerator
    std::deque<std::pair<const FlagOption*, bool>> flags = {};
    std::optional<FieldValue> value() const;  ///< the value given for the field; none if a text was given
    bool is_given() const { return text || value(); }
  };
  void add(CLI::App& command, const std::string& group, Given& given);
  void check_flags(const Given& given) const;
  void check_use(const Owner& owner) const;

  std::span<const Field<Owner>> fields_;
  std::deque<Given> given_;  // in the order of the help; its items stay where they are
};

}  // namespace headlight
