#include "app/lessons/words.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

struct Mark {
  char opens, closes;
  WordsKind kind;
};
constexpr std::array kMarks{Mark{'*', '*', WordsKind::strong}, Mark{'`', '`', WordsKind::formula}, Mark{'{', '}', WordsKind::number}};

const Mark* mark_of(char sign) {
  for (const Mark& mark : kMarks) {
    if (mark.opens == sign) return &mark;
  }
  return nullptr;
}

[[noreturn]] void refuse(std::string_view text, std::size_t at, std::string problem) {
  throw Error({.kind = ErrorKind::usage,
               .problem = std::move(problem),
               .found = in_quotes(text.substr(at)),
               .expected = "*strong*, `formula` or {number}"});
}

/// "*{top 2.1 follow}*" is a number; a number among other strong words is refused.
void make_strong_number(std::string_view text, std::size_t at, WordsPart& part) {
  const std::size_t mark = part.text.find_first_of("`{}");
  if (mark == std::string::npos) return;
  const bool is_number = part.text.front() == '{' && part.text.find_first_of("`{}", 1) == part.text.size() - 1 && part.text.back() == '}';
  if (!is_number) refuse(text, at, "strong words cannot contain other marks, except for a single number");
  part = {.kind = WordsKind::number, .text = part.text.substr(1, part.text.size() - 2), .is_strong = true};
}

}  // namespace

Paragraph parse_words(std::string_view text, int line) {
  Paragraph paragraph{.line = line, .parts = {}};
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = std::min(text.find_first_of("*`{}", at), text.size());
    if (next > at) paragraph.parts.push_back({.kind = WordsKind::plain, .text = std::string(text.substr(at, next - at))});
    if (next == text.size()) break;
    const Mark* const mark = mark_of(text[next]);
    if (mark == nullptr) refuse(text, next, "} without its {");
    const std::size_t end = text.find(mark->closes, next + 1);
    if (end == std::string_view::npos) refuse(text, next, fmt::format("{} is not closed", mark->opens));
    if (end == next + 1) refuse(text, next, fmt::format("there is nothing between {} and {}", mark->opens, mark->closes));
    WordsPart part{.kind = mark->kind, .text = std::string(text.substr(next + 1, end - next - 1))};
    if (part.kind == WordsKind::strong) make_strong_number(text, next, part);
    if (part.kind == WordsKind::number) part.number = parse_live_number(part.text);
    paragraph.parts.push_back(std::move(part));
    at = end + 1;
  }
  return paragraph;
}

}  // namespace headlight
