// JsonFields: reading one object with explanations. Parsing is in json.cpp.
#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/json.h"

namespace headlight {

JsonFields::JsonFields(const Json& object, std::string file, std::string path)
    : object_(&object), file_(std::move(file)), path_(std::move(path)) {
  if (object.is_object()) return;
  throw Error({.kind = ErrorKind::input,
               .file = file_,
               .field = path_,
               .problem = "has the wrong type",
               .found = describe(object),
               .expected = "an object"});
}

bool JsonFields::has(const std::string& key) const {
  const auto item = object_->find(key);
  return item != object_->end() && !item->is_null();
}

const Json& JsonFields::at(const std::string& key) const {
  const auto item = object_->find(key);
  if (item == object_->end()) refuse(key, "is missing");
  return *item;
}

std::int64_t JsonFields::integer(const std::string& key, std::int64_t lowest, std::int64_t highest) const {
  const Json& value = at(key);
  // An unsigned number over the highest signed one would wrap to a negative one.
  const bool is_representable =
      value.is_number_integer() &&
      (!value.is_number_unsigned() || value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (is_representable) {
    const auto number = value.get<std::int64_t>();
    if (number >= lowest && number <= highest) return number;
  }
  refuse(key, "is out of range or has the wrong type", describe(value), fmt::format("an integer from {} to {}", lowest, highest));
}

std::int64_t JsonFields::integer_or(const std::string& key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const {
  return has(key) ? integer(key, lowest, highest) : fallback;
}

double JsonFields::number_or(const std::string& key, double fallback, double lowest, double highest) const {
  if (!has(key)) return fallback;
  const Json& value = at(key);
  if (value.is_number()) {
    const auto number = value.get<double>();
    if (std::isfinite(number) && number >= lowest && number <= highest) return number;
  }
  refuse(key, "is out of range or has the wrong type", describe(value), fmt::format("a number from {} to {}", lowest, highest));
}

bool JsonFields::boolean_or(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  const Json& value = at(key);
  if (!value.is_boolean()) refuse(key, "has the wrong type", describe(value), "true or false");
  return value.get<bool>();
}

std::string JsonFields::text(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_string()) refuse(key, "has the wrong type", describe(value), "a string");
  return value.get<std::string>();
}

std::string JsonFields::text_or(const std::string& key, std::string fallback) const {
  return has(key) ? text(key) : std::move(fallback);
}

const Json& JsonFields::array(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_array()) refuse(key, "has the wrong type", describe(value), "an array");
  return value;
}

JsonFields JsonFields::object(const std::string& key) const {
  return {at(key), file_, path_of(key)};
}

std::string JsonFields::path_of(const std::string& key) const {
  return path_ + (path_.empty() ? "" : ".") + printable(key);
}

void JsonFields::refuse(const std::string& key, std::string problem, std::string found, std::string expected) const {
  throw Error({.kind = ErrorKind::input,
               .file = file_,
               .field = path_of(key),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

}  // namespace headlight
