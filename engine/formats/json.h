// JSON from files: parsed by SAX with a depth limit, duplicate keys refused, positions kept for messages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace headlight {

using Json = nlohmann::json;

struct JsonOptions {
  int depth = 64;                ///< arrays and objects inside each other
  std::uint64_t first_byte = 0;  ///< where the JSON starts in its file, for byte offsets in messages
  std::string field;             ///< what the JSON is in its file, such as "header"; empty: the file itself
};

/// A parsed value whose destructor takes it apart from the inside out, which needs no memory. The library's own destructor first moves what
/// an array or object holds into a list, which takes megabytes for a vocabulary, and ends the program when there is no memory for it.
/// Nested as deep as it was parsed, at most JsonOptions::depth.
class JsonTree {
 public:
  explicit JsonTree(Json value = nullptr) noexcept : value_(std::move(value)) {}
  ~JsonTree();
  JsonTree(JsonTree&& other) noexcept : value_(std::move(other.value_)) {}
  JsonTree& operator=(JsonTree&& other) noexcept {
    value_.swap(other.value_);
    return *this;
  }

  const Json& operator*() const { return value_; }
  const Json* operator->() const { return &value_; }
  /// The bare value, for what is small or lives on: destroying it may need memory again.
  operator Json() && { return std::move(value_); }  // NOLINT(google-explicit-constructor)

 private:
  Json value_;
};

/// Parses strict JSON (no NaN, no comments, nothing after the value). A byte order mark is skipped, and said in `warnings` if given.
/// Throws Error (input) with `file`, the byte offset and what is wrong.
JsonTree parse_json(std::string_view bytes, const std::string& file, const JsonOptions& options = {},
                    std::vector<std::string>* warnings = nullptr);

/// Reads fields of one object and explains a mismatch: "config.json: n_head: found "12", expected an integer from 1 to 1000000".
/// The object must outlive the reader.
class JsonFields {
 public:
  /// Throws Error (input) when `object` is not an object. `path` is its place in the file, empty at the top.
  JsonFields(const Json& object, std::string file, std::string path = {});

  bool has(const std::string& key) const;  ///< present and not null
  std::int64_t integer(const std::string& key, std::int64_t lowest, std::int64_t highest) const;
  std::int64_t integer_or(const std::string& key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const;
  double number_or(const std::string& key, double fallback, double lowest, double highest) const;
  bool boolean_or(const std::string& key, bool fallback) const;
  std::string text(const std::string& key) const;
  std::string text_or(const std::string& key, std::string fallback) const;
  const Json& at(const std::string& key) const;
  const Json& array(const std::string& key) const;
  JsonFields object(const std::string& key) const;

  const Json& value() const { return *object_; }
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  std::string path_of(const std::string& key) const;
  /// For checks beyond type and range: "config.json: n_head: `problem`; found …, expected …".
  [[noreturn]] void refuse(const std::string& key, std::string problem, std::string found = {}, std::string expected = {}) const;

 private:
  const Json* object_;
  std::string file_;
  std::string path_;
};

/// JSON as text for people, terminals and files: broken UTF-8 becomes U+FFFD, and what would steer a terminal is escaped. `indent` as in
/// nlohmann's dump; -1: one line.
template <typename AnyJson>
std::string json_text(const AnyJson& value, int indent = -1) {
  return json_escaped(value.dump(indent, ' ', false, AnyJson::error_handler_t::replace));
}

/// A string from a file in a message: printable, cut where it is long, in quotation marks.
std::string in_quotes(std::string_view text);
/// A value in a message: short values as they are, long ones by kind and size.
std::string describe(const Json& value);

/// Events of a parse, for readers that build something other than a Json. Throw Error from an event to stop; refuse() adds the place.
class JsonVisitor {
 public:
  JsonVisitor() = default;
  JsonVisitor(const JsonVisitor&) = delete;
  JsonVisitor& operator=(const JsonVisitor&) = delete;
  virtual ~JsonVisitor() = default;

  virtual void scalar(Json&& value) = 0;  ///< null, boolean, number or string
  virtual void begin_object() = 0;
  virtual void key(std::string&& name) = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
};

/// Calls the visitor's events in order. `position`, if given, always holds the file's byte offset just after what was read last.
/// Duplicate keys are the visitor's business. The file never decides how deep it recurses. Throws as parse_json does.
void scan_json(std::string_view bytes, const std::string& file, const JsonOptions& options, JsonVisitor& visitor,
               std::uint64_t* position = nullptr);

}  // namespace headlight
