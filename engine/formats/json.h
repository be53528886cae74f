// JSON from files: parsed by SAX with a depth limit, duplicate keys refused, positions kept for messages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

using Json = nlohmann::json;

struct JsonLimits {
  int depth = 64;
};

/// Parses strict JSON (no NaN, no comments, nothing after the value). A byte order mark is skipped, and said in `warnings` if given.
/// Throws Error (input) with `file`, the byte offset and what is wrong.
Json parse_json(std::string_view bytes, const std::string& file, JsonLimits limits = {}, std::vector<std::string>* warnings = nullptr);

/// Reads fields of one object and explains a mismatch: "config.json: n_head: found "12", expected an integer from 1 to 1000000".
/// The object must outlive the reader.
class JsonFields {
 public:
  JsonFields(const Json& object, std::string file, std::string path = {});

  bool has(const std::string& key) const;  ///< present and not null
  std::int64_t integer(const std::string& key, std::int64_t lowest, std::int64_t highest) const;
  std::int64_t integer_or(const std::string& key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const;
  double number_or(const std::string& key, double fallback, double lowest, double highest) const;
  bool boolean_or(const std::string& key, bool fallback) const;
  std::string text(const std::string& key) const;
  std::string text_or(const std::string& key, std::string fallback) const;
  const Json& at(const std::string& key) const;
  JsonFields object(const std::string& key) const;

  const std::string& file() const { return file_; }
  std::string path_of(const std::string& key) const;

 private:
  const Json* object_;
  std::string file_;
  std::string path_;
};

}  // namespace headlight
