#include "app/document/fields/field.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>

#include "engine/core/error.h"
#include "engine/figure/pictures.h"
#include "engine/model/model.h"

namespace headlight {
namespace {

template <typename... Cases>
struct ForEach : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
ForEach(Cases...) -> ForEach<Cases...>;  // which clang before 17 does not deduce by itself

Json value_json(const FieldValue& value) {
  return std::visit(ForEach{[](float number) { return Json(shortest_double(number)); }, [](const auto& other) { return Json(other); }},
                    value);
}

std::string value_text(const FieldValue& value) {
  return std::visit([](const auto& each) { return fmt::format("{}", each); }, value);
}

/// "rotary.theta": the object that holds the field (null if it is absent, or none is named) and the key in it.
struct FieldKey {
  std::string object, key;
  explicit FieldKey(std::string_view json) : key(json) {
    const std::size_t dot = json.find('.');
    if (dot == std::string_view::npos) return;
    object = json.substr(0, dot);
    key = json.substr(dot + 1);
  }
};

/// Reads a value of the type of `present`, which it keeps where the key is absent.
struct FieldReader {
  const JsonFields& json;
  const std::string& key;
  double low, high;
  const std::vector<std::string_view>& names;
  std::string (*problem)(std::string_view);

  FieldValue operator()(const std::string& present) const {
    std::string text = json.text_or(key, present);
    if (const std::string why = problem ? problem(text) : std::string(); !why.empty()) {
      json.refuse(key, "wrong value", fmt::format("\"{}\"", printable(text, 60)), why);
    }
    return text;
  }
  FieldValue operator()(bool present) const { return json.boolean_or(key, present); }
  FieldValue operator()(int present) const {
    return static_cast<int>(json.integer_or(key, present, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
  }
  FieldValue operator()(std::uint64_t present) const {
    if (!json.has(key)) return present;
    const Json& number = json.at(key);
    if (!number.is_number_unsigned()) {
      json.refuse(key, "wrong value", describe(number),
                  fmt::format("a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max()));
    }
    return number.get<std::uint64_t>();
  }
  FieldValue operator()(float present) const { return static_cast<float>(json.number_or(key, double{present}, low, high)); }
  FieldValue operator()(double present) const { return json.number_or(key, present, low, high); }
  FieldValue operator()(std::string_view present) const {
    const std::string text = json.text_or(key, std::string(present));
    const auto name = std::find(names.begin(), names.end(), text);
    if (name == names.end()) {
      json.refuse(key, "unknown name", fmt::format("\"{}\"", printable(text, 60)), "one of " + joined_names(names));
    }
    return *name;
  }
};

template <typename Owner>
void read_field(const JsonFields& json, const std::string& key, Owner& owner, const Field<Owner>& field) {
  const std::vector<std::string_view> names = field.value.names ? field.value.names() : std::vector<std::string_view>();
  field.value.set(owner, std::visit(FieldReader{json, key, field.low, field.high, names, field.value.problem}, field.value.get(owner)));
}

std::string change_text(std::string_view name, const FieldValue& before, const FieldValue& after) {
  if (const bool* is_on = std::get_if<bool>(&after)) return fmt::format("{}: {}", name, *is_on ? "on" : "off");
  if (const auto* text = std::get_if<std::string>(&after)) return fmt::format("{}: {}", name, text->empty() ? "none" : *text);
  if (std::holds_alternative<std::string_view>(after)) return fmt::format("{}: {}", name, value_text(after));
  return fmt::format("{} {} → {}", name, value_text(before), value_text(after));
}

/// A set of keys as people call it: "first token and special tokens".
FieldValue in_words(const FieldValue& keys) {
  const auto* text = std::get_if<std::string>(&keys);
  return text == nullptr ? keys : FieldValue(hidden_keys_text(key_set_of(*text)));
}

}  // namespace

double shortest_double(float value) {
  const std::string text = fmt::format("{}", value);
  double result = double{value};
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

KeySet key_set_of(const std::string& text) {
  return text.empty() || text == "none" ? KeySet() : parse_key_set(text);
}

std::string problem_of_key_set(std::string_view text) {
  try {
    key_set_of(std::string(text));
    return {};
  } catch (const Error& error) {
    return error.detail().expected;
  }
}

FieldValue number_like(const FieldValue& like, double number) {
  const auto as_its_type = [&]<typename Value>(const Value&) -> FieldValue {
    if constexpr (std::is_arithmetic_v<Value>) {
      return static_cast<Value>(number);
    } else {
      return Value{};
    }
  };
  return std::visit(as_its_type, like);
}

double number_of(const FieldValue& value) {
  const auto as_double = []<typename Value>(const Value& each) {
    if constexpr (std::is_arithmetic_v<Value>) {
      return static_cast<double>(each);
    } else {
      return 0.0;
    }
  };
  return std::visit(as_double, value);
}

template <typename Owner>
Json fields_json(const Owner& owner, std::span<const Field<Owner>> fields) {
  Json json = Json::object();
  for (const Field<Owner>& field : fields) {
    const FieldKey place(field.json);
    Json& object = place.object.empty() ? json : json[place.object];
    object[place.key] = value_json(field.value.get(owner));
  }
  return json;
}

template <typename Owner>
void read_fields(const JsonFields& json, Owner& owner, std::span<const Field<Owner>> fields) {
  for (const Field<Owner>& field : fields) {
    if (field.read_older) field.read_older(json, owner);
    const FieldKey place(field.json);
    if (place.object.empty()) {
      read_field(json, place.key, owner, field);
    } else if (json.has(place.object)) {
      read_field(json.object(place.object), place.key, owner, field);
    }
  }
}

template <typename Owner>
void add_changes(std::vector<std::string>& parts, const Owner& before, const Owner& after, std::span<const Field<Owner>> fields) {
  Owner brought = before;  // what comes along with the fields that a person chose
  for (const Field<Owner>& field : fields) {
    const FieldValue chosen = field.value.get(after);
    if (field.choose && chosen != field.value.get(before)) field.choose(brought, chosen);
  }
  for (const Field<Owner>& field : fields) {
    const FieldValue then = field.value.get(before);
    const FieldValue now = field.value.get(after);
    const bool came_along = !field.choose && now == field.value.get(brought);
    if (field.words.name.empty() || now == then || came_along) continue;
    const FieldValue shown = field.control.kind == ControlKind::keys ? in_words(now) : now;
    const std::string text = field.words.is_alone ? std::string(field.words.name) : change_text(field.words.name, then, shown);
    const bool is_told = field.words.is_alone && std::find(parts.begin(), parts.end(), text) != parts.end();
    if (!is_told) parts.push_back(text);
  }
}

template Json fields_json(const SandboxSpec&, std::span<const Field<SandboxSpec>>);
template Json fields_json(const Style&, std::span<const Field<Style>>);
template void read_fields(const JsonFields&, SandboxSpec&, std::span<const Field<SandboxSpec>>);
template void read_fields(const JsonFields&, Style&, std::span<const Field<Style>>);
template void add_changes(std::vector<std::string>&, const SandboxSpec&, const SandboxSpec&, std::span<const Field<SandboxSpec>>);
template void add_changes(std::vector<std::string>&, const Style&, const Style&, std::span<const Field<Style>>);

}  // namespace headlight
