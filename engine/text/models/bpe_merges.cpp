// Reading merge rules, from tokenizer.json and from merges.txt.
#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"
#include "engine/text/models/bpe.h"

namespace headlight {
namespace {

/// Splits "a b"; false when there are not exactly two parts.
bool split_rule(std::string_view text, BpeMerges::Rule& rule) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos || blank == 0 || blank + 1 == text.size()) return false;
  if (text.find(' ', blank + 1) != std::string_view::npos) return false;
  rule = {std::string(text.substr(0, blank)), std::string(text.substr(blank + 1))};
  return true;
}

bool read_rule(const Json& value, BpeMerges::Rule& rule) {
  if (value.is_string()) return split_rule(value.get_ref<const std::string&>(), rule);
  if (!value.is_array() || value.size() != 2 || !value[0].is_string() || !value[1].is_string()) return false;
  rule = {value[0].get<std::string>(), value[1].get<std::string>()};
  return !rule.left.empty() && !rule.right.empty();
}

}  // namespace

BpeMerges read_merges(const JsonFields& model) {
  BpeMerges merges;
  merges.file = model.file();
  merges.place = [path = model.path_of("merges")](std::size_t index) { return fmt::format("{}[{}]", path, index); };
  for (const Json& value : model.array("merges")) {
    BpeMerges::Rule rule;
    if (!read_rule(value, rule)) {
      throw Error({.kind = ErrorKind::input,
                   .file = model.file(),
                   .field = merges.place(merges.rules.size()),
                   .problem = "the merge is not a pair of tokens",
                   .found = describe(value),
                   .expected = R"("a b" or ["a", "b"])"});
    }
    merges.rules.push_back(std::move(rule));
  }
  return merges;
}

BpeMerges read_merges(std::string_view bytes, const std::string& file, std::vector<std::string>& warnings) {
  BpeMerges merges;
  std::vector<std::uint32_t> lines;
  std::uint64_t offset = 0;
  if (bytes.starts_with("\xef\xbb\xbf")) {
    warnings.push_back(file + ": starts with a byte order mark, which was skipped");
    offset = 3;
  }
  for (std::uint32_t number = 1; offset < bytes.size(); ++number) {
    const std::size_t end = std::min(bytes.find('\n', offset), bytes.size());
    std::string_view line = bytes.substr(offset, end - offset);
    const auto refuse = [&](std::string problem) {
      throw Error({.kind = ErrorKind::input,
                   .file = file,
                   .field = fmt::format("line {}", number),
                   .offset = offset,
                   .problem = std::move(problem),
                   .found = in_quotes(line),
                   .expected = "two tokens with one blank between them"});
    };
    if (line.ends_with('\r')) line.remove_suffix(1);
    // "# #" is a merge like any other; only the version line is not.
    const bool is_version = number == 1 && line.starts_with("#version");
    if (!line.empty() && !is_version) {
      BpeMerges::Rule rule;
      if (line.find('\0') != std::string_view::npos) refuse("the merge holds a NUL character");
      if (repair_utf8(line).replaced > 0) refuse("the merge is not valid UTF-8");
      if (!split_rule(line, rule)) refuse("the merge is not a pair of tokens");
      merges.rules.push_back(std::move(rule));
      lines.push_back(number);
    }
    offset = end + 1;
  }
  merges.file = file;
  merges.place = [lines = std::move(lines)](std::size_t index) { return fmt::format("line {}", lines[index]); };
  return merges;
}

}  // namespace headlight
