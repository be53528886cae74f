#include "app/cli/options/field_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/cli/options/options.h"
#include "engine/model/model.h"

namespace headlight {
namespace {

template <typename Value, typename Owner>
CLI::Option* add_number(CLI::App& command, const FieldOption<Owner>& option, std::optional<Value>& number) {
  CLI::Option* added = command.add_option(std::string(option.name), number, std::string(option.help));
  using Bound = std::conditional_t<std::is_integral_v<Value>, Value, double>;
  if (option.has_range) added->check(CLI::Range(static_cast<Bound>(option.low), static_cast<Bound>(option.high)).description(""));
  return added;
}

}  // namespace

template <typename Owner>
FieldOptions<Owner>::FieldOptions(CLI::App& command, const std::string& group, std::span<const Field<Owner>> fields, bool texts_only)
    : fields_(fields) {
  const auto is_wanted = [&](const Field<Owner>& field) {
    const bool has_option = !field.option.name.empty() || !field.option.flags.empty();
    return has_option && (!texts_only || field.option.is_of_text);
  };
  for (const Field<Owner>* field : rows_by_place(
           fields, [](const Field<Owner>& row) { return row.option.place; }, is_wanted)) {
    add(command, group, given_.emplace_back(Given{field}));
  }
}

template <typename Owner>
void FieldOptions<Owner>::add(CLI::App& command, const std::string& group, Given& given) {
  const FieldOption<Owner>& option = given.field->option;
  for (const FlagOption& flag : option.flags) {
    bool& is_on = given.flags.emplace_back(&flag, false).second;
    command.add_flag(std::string(flag.option), is_on, std::string(flag.help))->group(group);
  }
  if (option.name.empty()) return;
  const std::string name(option.name);
  const FieldValue value = given.field->value.get(Owner{});
  CLI::Option* added = nullptr;
  if (option.read) {
    added = command.add_option(name, given.text, std::string(option.help))->type_name("TEXT");
  } else if (given.field->value.names) {
    const std::vector<std::string_view> names = given.field->value.names();
    const auto read = [&given, name, names](const std::string& text) {
      const auto found = std::find(names.begin(), names.end(), text);
      if (found == names.end()) refuse_option(name, "unknown name", "\"" + printable(text, 60) + "\"", joined_names(names));
      given.name = *found;
    };
    const std::string help = fmt::format("{}: {}", option.help, joined_names(names));
    added = command.add_option_function<std::string>(name, read, help)->type_name("NAME");
  } else if (std::holds_alternative<int>(value)) {
    added = add_number(command, option, given.number.template emplace<std::optional<int>>())->type_name("N");
  } else if (std::holds_alternative<std::uint64_t>(value)) {
    added = add_number(command, option, given.number.template emplace<std::optional<std::uint64_t>>())->type_name("N");
  } else if (std::holds_alternative<float>(value)) {
    added = add_number(command, option, given.number.template emplace<std::optional<float>>())->type_name("X");
  } else {
    added = add_number(command, option, given.number.template emplace<std::optional<double>>())->type_name("X");
  }
  if (!option.type.empty()) added->type_name(std::string(option.type));
  added->group(group);
}

template <typename Owner>
std::optional<FieldValue> FieldOptions<Owner>::Given::value() const {
  for (const auto& [flag, is_on] : flags) {
    if (is_on) return flag->value;
  }
  if (name) return *name;
  return std::visit([](const auto& each) { return each ? std::optional<FieldValue>(*each) : std::nullopt; }, number);
}

template <typename Owner>
bool FieldOptions<Owner>::is_given() const {
  return std::any_of(given_.begin(), given_.end(), [](const Given& given) { return given.is_given(); });
}

template <typename Owner>
void FieldOptions<Owner>::check_flags(const Given& given) const {
  const auto count = std::count_if(given.flags.begin(), given.flags.end(), [](const auto& flag) { return flag.second; });
  if (count < 2) return;
  std::vector<std::string_view> names;
  for (const FlagOption& flag : given.field->option.flags) names.push_back(flag.option);
  refuse_option(joined_names(names), "these exclude each other");
}

template <typename Owner>
void FieldOptions<Owner>::check_use(const Owner& owner) const {
  for (const Given& given : given_) {
    const FieldUse<Owner>* use = given.field->use;
    if (!given.is_given() || given.field->applies(owner)) continue;
    std::vector<std::string_view> options;
    for (const Given& other : given_) {
      if (other.field->use != use) continue;
      options.push_back(other.field->option.name);
      if (options.back().empty()) options.back() = other.field->option.flags.front().option;
    }
    const auto decides = std::find_if(fields_.begin(), fields_.end(), [&](const auto& row) { return row.option.name == use->option; });
    const FieldValue chosen = decides->value.get(owner);
    const auto text = std::visit([](const auto& each) { return fmt::format("{}", each); }, chosen);
    refuse_option(joined_names(options), std::string(use->problem), fmt::format("{} {}", use->option, text), std::string(use->expected));
  }
}

template <typename Owner>
void FieldOptions<Owner>::apply(Owner& owner) const {
  for (const Given& given : given_) check_flags(given);
  for (const Given& given : given_) {
    const FieldOption<Owner>& option = given.field->option;
    if (const std::optional<FieldValue> value = given.value()) given.field->choose_value(owner, *value);
    if (given.text && !option.read(owner, *given.text)) {
      refuse_option(std::string(option.name), std::string(option.problem), "\"" + printable(*given.text, 60) + "\"",
                    std::string(option.expected));
    }
  }
  check_use(owner);
}

template class FieldOptions<SandboxSpec>;
template class FieldOptions<Style>;

}  // namespace headlight
