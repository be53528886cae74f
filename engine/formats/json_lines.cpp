#include "engine/formats/json_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// Notes where each value begins, or ends where it is a single word.
class LineCounter final : public JsonVisitor {
 public:
  LineCounter(std::string_view bytes, const std::uint64_t& position, std::map<std::string, int, std::less<>>& lines)
      : bytes_(bytes), position_(position), lines_(lines) {}

  void scalar(Json&& /*value*/) override { begin_value(); }
  void begin_object() override { open({.path = begin_value()}); }
  void begin_array() override { open({.path = begin_value(), .is_array = true}); }
  void end_object() override { open_.pop_back(); }
  void end_array() override { open_.pop_back(); }
  void key(std::string&& name) override {
    Open& object = open_.back();
    object.key = object.path + (object.path.empty() ? "" : ".") + printable(name);
    lines_.insert_or_assign(object.key, line());
  }

 private:
  struct Open {
    std::string path;
    bool is_array = false;
    std::size_t items = 0;
    std::string key = {};  // of the field that comes next
  };

  /// Its path. A field has the line of its name already.
  std::string begin_value() {
    if (open_.empty()) {
      lines_.emplace("", line());
      return "";
    }
    Open& around = open_.back();
    if (!around.is_array) return around.key;
    std::string path = fmt::format("{}[{}]", around.path, around.items++);
    lines_.emplace(path, line());
    return path;
  }
  void open(Open value) { open_.push_back(std::move(value)); }

  /// Of what was read last. After a number the parser has already looked at the byte behind it.
  int line() {
    const std::uint64_t end = std::max<std::uint64_t>(position_, 1) - 1;
    for (; counted_ < end && counted_ < bytes_.size(); ++counted_) line_ += bytes_[counted_] == '\n' ? 1 : 0;
    return line_;
  }

  std::string_view bytes_;
  const std::uint64_t& position_;
  std::map<std::string, int, std::less<>>& lines_;
  std::vector<Open> open_;
  std::uint64_t counted_ = 0;
  int line_ = 1;
};

}  // namespace

JsonLines::JsonLines(std::string_view bytes, const std::string& file, const JsonOptions& options) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // of the byte order, which parse_json skips
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  std::uint64_t position = 0;
  LineCounter counter(bytes, position, lines_);
  JsonOptions from_start = options;
  from_start.first_byte = 0;
  scan_json(bytes, file, from_start, counter, &position);
}

int JsonLines::line_of(std::string_view path) const {
  while (true) {
    if (const auto found = lines_.find(path); found != lines_.end()) return found->second;
    if (path.empty()) return 1;
    const std::size_t end = path.find_last_of(".[");
    path = end == std::string_view::npos ? std::string_view() : path.substr(0, end);
  }
}

int line_of_byte(std::string_view bytes, std::uint64_t byte) {
  const std::string_view before = bytes.substr(0, std::min<std::uint64_t>(byte, bytes.size()));
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

LinedJson parse_lined_json(std::string_view bytes, const std::string& file, const JsonOptions& options) {
  try {
    JsonTree json = parse_json(bytes, file, options);
    return {std::move(json), JsonLines(bytes, file, options)};
  } catch (const Error& error) {
    if (!error.detail().offset) throw;
    const std::uint64_t offset = *error.detail().offset;  // just after what cannot be read
    throw with_line(error, line_of_byte(bytes, offset > 0 ? offset - 1 : 0));
  }
}

Error with_line(const Error& error, int line) {
  ErrorDetail detail = error.detail();
  detail.field = fmt::format("line {}{}{}", line, detail.field.empty() ? "" : ", ", detail.field);
  detail.offset.reset();
  return Error(std::move(detail));
}

}  // namespace headlight
