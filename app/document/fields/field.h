// What a person can set, as tables: one row for each field of the sandbox and of the style. A row says how documents name the field, which
// option of the command line sets it, which control of the window shows it, and what the history calls a change of it. JSON, options,
// controls and history are made from the rows by the functions below, by app/cli/options/field_options.h and by
// app/gui/rails/field_controls.h, so a new field is a new row (sandbox_fields.cpp, style_fields.cpp) and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/document/fields/names.h"
#include "engine/formats/json.h"

namespace headlight {

/// The value of a field: yes or no, a number of the field's own type, an enumerator by its name, whose text lasts (names.h), or a text.
using FieldValue = std::variant<bool, int, std::uint64_t, float, double, std::string_view, std::string>;

/// 0.6F as 0.6 and not as 0.60000002384: the shortest number that reads back as the same float.
double shortest_double(float value);
/// `number` as a value of the same type as `like`, which holds a number.
FieldValue number_like(const FieldValue& like, double number);
/// A value that holds a number.
double number_of(const FieldValue& value);

/// Of a field's text: "" or "none" is the empty set.
KeySet key_set_of(const std::string& text);
/// Why a text is no set of keys; empty if it is one.
std::string problem_of_key_set(std::string_view text);

/// How a field of `Owner` is read and set.
template <typename Owner>
struct FieldAccess {
  FieldValue (*get)(const Owner&) = nullptr;
  void (*set)(Owner&, const FieldValue&) = nullptr;         ///< a value of the type that `get` returns; of names, one that `names` has
  std::vector<std::string_view> (*names)() = nullptr;       ///< of an enumeration, in the order of its enumerators; null: it is not one
  std::string (*problem)(std::string_view text) = nullptr;  ///< why a text is refused, empty if it is not; null: every text is accepted
};

/// access<Owner, &Owner::member>(); further pointers lead to a member of that member. A set of keys is a text.
template <typename Owner, auto... path>
constexpr FieldAccess<Owner> access() {
  using Value = std::remove_cvref_t<decltype((std::declval<Owner&>().*....*path))>;
  if constexpr (std::is_enum_v<Value>) {
    return {[](const Owner& owner) -> FieldValue { return name_of((owner.*....*path)); },
            [](Owner& owner, const FieldValue& value) {
              const std::optional<Value> named = from_name<Value>(std::get<std::string_view>(value));
              if (named) (owner.*....*path) = *named;
            },
            names_of<Value>};
  } else if constexpr (std::is_same_v<Value, KeySet>) {
    return {[](const Owner& owner) -> FieldValue { return key_set_text((owner.*....*path)); },
            [](Owner& owner, const FieldValue& value) { (owner.*....*path) = key_set_of(std::get<std::string>(value)); }, nullptr,
            problem_of_key_set};
  } else {
    return {[](const Owner& owner) -> FieldValue { return (owner.*....*path); },
            [](Owner& owner, const FieldValue& value) { (owner.*....*path) = std::get<Value>(value); }, nullptr};
  }
}

inline constexpr int kLastPlace = 1000;  ///< rows without a place come last, in the order of the table

/// When a field applies; otherwise its option is refused and its control is not drawn.
template <typename Owner>
struct FieldUse {
  bool (*applies)(const Owner&) = nullptr;
  std::string_view problem = {};   ///< "only rotary positions use these"
  std::string_view option = {};    ///< the option that decides, "--positions"
  std::string_view expected = {};  ///< what it should be, "--positions rotary"
};

/// One enumerator that has an option of its own instead of being one of the names after an option.
struct FlagOption {
  std::string_view value, option, help;
};

template <typename Owner>
struct FieldOption {
  std::string_view name = {};  ///< "--gain"; empty: no option, or `flags`
  std::string_view help = {};
  std::string_view type = {};  ///< in the help; empty: N, X or NAME, by the value
  bool has_range = false;      ///< numbers outside low … high are refused; otherwise the code that uses the number checks it
  double low = 0, high = 0;
  std::span<const FlagOption> flags = {};
  /// For a text that says more than the field's value; null: it is the value. Returns false for a text that makes no sense.
  bool (*read)(Owner&, std::string_view) = nullptr;
  std::string_view problem = {}, expected = {};  ///< of such a text
  bool is_of_text = false;                       ///< it decides what the tokens of a text are, so `tokenize` has it too
  int place = kLastPlace;                        ///< in the help
};

/// What the history says about a change: "gain 1 → 2", "norm: none".
struct FieldWords {
  std::string_view name = {};  ///< empty: the history names the change in another way
  bool is_alone = false;       ///< only the name is shown, once for all fields with this name
};

enum class ControlKind : std::uint8_t {
  none,
  steps,     ///< − 4 +
  segments,  ///< names side by side
  list,      ///< names or numbers in a list that drops down
  slider,
  seed,   ///< the number, and a button for another one
  ramps,  ///< colour maps
  keys,   ///< a set of keys: FieldControl::texts, and a box for any other
};

/// How the window writes an enumerator.
struct ChoiceWords {
  std::string_view value;       ///< its name
  const char* label = nullptr;  ///< null: the name
  const char* help = nullptr;
};

template <typename Owner>
struct FieldControl {
  ControlKind kind = ControlKind::none;
  const char* label = nullptr;
  const char* help = nullptr;                                  ///< the tooltip
  const char* name = nullptr;                                  ///< what a script calls it; null: the label
  double low = 0, high = 0, home = 0;                          ///< of steps and sliders; home: what a double click brings back
  int parts = 1;                                               ///< a slider stops at this many numbers between 0 and 1
  std::span<const ChoiceWords> choices = {};                   ///< those that are offered; empty: all, by their names
  std::span<const ChoiceWords> texts = {};                     ///< texts that are offered
  std::string (*explain)(std::string_view value) = nullptr;    ///< the tooltip of an enumerator; null: that of `choices`
  std::vector<double> (*offered)(const Owner&) = nullptr;      ///< numbers of a list, besides the present one
  std::string (*text)(const Owner&, double number) = nullptr;  ///< how a number is written; null: in the usual way
  bool must_fit = false;                     ///< what does not go with the other fields is not offered, or cannot be chosen
  bool (*is_shown)(const Owner&) = nullptr;  ///< null: always
  void (*settle)(Owner&) = nullptr;          ///< what else the choice implies; null: nothing
  int place = kLastPlace;                    ///< from top to bottom
};

/// In which figures a field of the style counts.
enum class FieldScope : std::uint8_t {
  all,       ///< every one
  coloured,  ///< those with colours, also of differences
  scaled,    ///< those whose colours follow the scale of weights
  weights,   ///< it says which weights are shown, not how: it counts where nothing is coloured, too
};

template <typename Owner>
struct Field {
  std::string_view json = {};  ///< the key in a document; "rotary.theta": theta of an object
  FieldAccess<Owner> value = {};
  double low = 0, high = 0;  ///< what a document may say, where it is a number
  /// Reads what older documents have instead; called before the field is read. Null: nothing.
  void (*read_older)(const JsonFields&, Owner&) = nullptr;
  /// Sets the value as a person does, with what the choice brings along; null: as `value.set`. Documents are read without it.
  void (*choose)(Owner&, const FieldValue&) = nullptr;
  const FieldUse<Owner>* use = nullptr;  ///< null: it always applies
  FieldScope scope = FieldScope::scaled;
  bool is_advanced = false;  ///< a newcomer does not need it: its control is folded away
  FieldWords words = {};
  FieldOption<Owner> option = {};
  FieldControl<Owner> control = {};

  void choose_value(Owner& owner, const FieldValue& chosen) const { choose ? choose(owner, chosen) : value.set(owner, chosen); }
  bool applies(const Owner& owner) const { return !use || use->applies(owner); }
};

/// The rows that `is_wanted` accepts, sorted by place; those with the same place in the order of the table.
template <typename Owner, typename PlaceOf, typename IsWanted>
std::vector<const Field<Owner>*> rows_by_place(std::span<const Field<Owner>> fields, PlaceOf place_of, IsWanted is_wanted) {
  std::vector<const Field<Owner>*> rows;
  for (const Field<Owner>& field : fields) {
    if (is_wanted(field)) rows.push_back(&field);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) { return place_of(*a) < place_of(*b); });
  return rows;
}

// For SandboxSpec and Style.

/// The fields as a document holds them.
template <typename Owner>
Json fields_json(const Owner& owner, std::span<const Field<Owner>> fields);
/// Reads them; those that are absent keep their values. Throws Error (input) naming the field.
template <typename Owner>
void read_fields(const JsonFields& json, Owner& owner, std::span<const Field<Owner>> fields);
/// Adds what the history says of each change. What another field's change brings along is not a change of its own.
template <typename Owner>
void add_changes(std::vector<std::string>& parts, const Owner& before, const Owner& after, std::span<const Field<Owner>> fields);

}  // namespace headlight
