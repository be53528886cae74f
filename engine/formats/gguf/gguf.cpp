#include "engine/formats/gguf/gguf.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/formats/gguf/gguf_cursor.h"

namespace headlight {
namespace {

/// "3", "\"llama\"", "an array of 32000": a value in a message.
std::string describe_value(const GgufValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>) {
          return fmt::format("\"{}\"", printable(held, 60));
        } else if constexpr (std::is_same_v<Held, GgufArray>) {
          return fmt::format("an array of {}", held.count);
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

/// Reads all numbers of an array whose bytes were checked; take(number) gets each in its own type.
template <typename Take>
void read_each_number(const FileReader& reader, const GgufArray& array, Take take) {
  GgufCursor cursor(reader, array.begin);
  const auto read_as = [&](auto sample) {
    for (std::uint64_t at = 0; at < array.count; ++at) take(cursor.number<decltype(sample)>());
  };
  switch (array.type) {
    case GgufType::u8:
    case GgufType::boolean:
      return read_as(std::uint8_t{});
    case GgufType::i8:
      return read_as(std::int8_t{});
    case GgufType::u16:
      return read_as(std::uint16_t{});
    case GgufType::i16:
      return read_as(std::int16_t{});
    case GgufType::u32:
      return read_as(std::uint32_t{});
    case GgufType::i32:
      return read_as(std::int32_t{});
    case GgufType::u64:
      return read_as(std::uint64_t{});
    case GgufType::i64:
      return read_as(std::int64_t{});
    case GgufType::f32:
      return read_as(float{});
    case GgufType::f64:
      return read_as(double{});
    case GgufType::text:
    case GgufType::array:
      return;  // refused by the callers
  }
}

}  // namespace

bool is_gguf(const std::filesystem::path& path) {
  try {
    const FileReader reader(path);
    if (reader.size() < 4) return false;
    std::array<char, 4> magic = {};
    reader.read(0, std::as_writable_bytes(std::span(magic)));
    return std::string_view(magic.data(), magic.size()) == "GGUF";
  } catch (const Error&) {
    return false;
  }
}

GgufFile::GgufFile(const std::filesystem::path& path) : reader_(path), header_(read_gguf_header(reader_)) {
  for (std::size_t at = 0; at < header_.tensors.size(); ++at) by_name_.emplace(header_.tensors[at].name, at);
}

const TensorInfo* GgufFile::find(std::string_view name) const {
  const auto item = by_name_.find(name);
  return item == by_name_.end() ? nullptr : &header_.tensors[item->second];
}

void GgufFile::refuse(std::string_view key, std::string problem, std::string found, std::string expected, std::string hint) const {
  throw Error({.kind = ErrorKind::input,
               .file = name(),
               .field = "metadata " + printable(key),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

const GgufValue& GgufFile::value(std::string_view key) const {
  const auto item = header_.metadata.find(key);
  if (item == header_.metadata.end()) refuse(key, "the value is missing");
  return item->second;
}

std::int64_t GgufFile::integer(std::string_view key, std::int64_t lowest, std::int64_t highest) const {
  const GgufValue& held = value(key);
  std::optional<std::int64_t> number;
  if (const auto* whole = std::get_if<std::int64_t>(&held)) number = *whole;
  const auto* natural = std::get_if<std::uint64_t>(&held);
  if (natural != nullptr && *natural <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    number = static_cast<std::int64_t>(*natural);
  }
  if (number && *number >= lowest && *number <= highest) return *number;
  refuse(key, number || natural != nullptr ? "the number is out of range" : "has the wrong type", describe_value(held),
         fmt::format("an integer from {} to {}", lowest, highest));
}

double GgufFile::number(std::string_view key) const {
  const GgufValue& held = value(key);
  if (const auto* number = std::get_if<double>(&held)) return *number;
  if (const auto* number = std::get_if<std::uint64_t>(&held)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::int64_t>(&held)) return static_cast<double>(*number);
  refuse(key, "has the wrong type", describe_value(held), "a number");
}

bool GgufFile::boolean(std::string_view key) const {
  const GgufValue& held = value(key);
  if (const auto* boolean = std::get_if<bool>(&held)) return *boolean;
  refuse(key, "has the wrong type", describe_value(held), "true or false");
}

std::string GgufFile::text(std::string_view key) const {
  const GgufValue& held = value(key);
  if (const auto* text = std::get_if<std::string>(&held)) return *text;
  refuse(key, "has the wrong type", describe_value(held), "a string");
}

const GgufArray& GgufFile::array(std::string_view key, std::string_view expected) const {
  const GgufValue& held = value(key);
  if (const auto* array = std::get_if<GgufArray>(&held)) return *array;
  refuse(key, "has the wrong type", describe_value(held), std::string(expected));
}

std::uint64_t GgufFile::count(std::string_view key) const {
  return array(key, "an array").count;
}

std::vector<std::string> GgufFile::texts(std::string_view key) const {
  constexpr std::string_view kExpected = "an array of strings";
  const GgufArray& held = array(key, kExpected);
  if (held.type != GgufType::text) refuse(key, "has the wrong type", "an array of numbers", std::string(kExpected));
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(held.count));
  GgufCursor cursor(reader_, held.begin);
  cursor.set_place("metadata " + printable(key));
  for (std::uint64_t at = 0; at < held.count; ++at) texts.push_back(cursor.text());
  return texts;
}

std::vector<float> GgufFile::numbers(std::string_view key) const {
  constexpr std::string_view kExpected = "an array of numbers";
  const GgufArray& held = array(key, kExpected);
  if (held.type == GgufType::text) refuse(key, "has the wrong type", "an array of strings", std::string(kExpected));
  std::vector<float> numbers;
  numbers.reserve(static_cast<std::size_t>(held.count));
  read_each_number(reader_, held, [&](auto number) { numbers.push_back(static_cast<float>(number)); });
  return numbers;
}

std::vector<std::int64_t> GgufFile::integers(std::string_view key) const {
  constexpr std::string_view kExpected = "an array of whole numbers";
  const GgufArray& held = array(key, kExpected);
  if (held.type == GgufType::text || held.type == GgufType::f32 || held.type == GgufType::f64) {
    refuse(key, "has the wrong type", held.type == GgufType::text ? "an array of strings" : "an array of fractions",
           std::string(kExpected));
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(static_cast<std::size_t>(held.count));
  read_each_number(reader_, held, [&](auto number) {
    if constexpr (std::is_same_v<decltype(number), std::uint64_t>) {
      if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        refuse(key, "a number is out of range", std::to_string(number), "at most 2^63 - 1");
      }
    }
    numbers.push_back(static_cast<std::int64_t>(number));
  });
  return numbers;
}

std::int64_t GgufFile::integer_or(std::string_view key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const {
  return has(key) ? integer(key, lowest, highest) : fallback;
}
double GgufFile::number_or(std::string_view key, double fallback) const {
  return has(key) ? number(key) : fallback;
}
bool GgufFile::boolean_or(std::string_view key, bool fallback) const {
  return has(key) ? boolean(key) : fallback;
}
std::string GgufFile::text_or(std::string_view key, std::string fallback) const {
  return has(key) ? text(key) : std::move(fallback);
}

}  // namespace headlight
