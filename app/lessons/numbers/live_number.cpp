#include "app/lessons/numbers/live_number.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/labs/mask_fill.h"

namespace headlight {
namespace {

constexpr std::string_view kAnyHead = "HEAD";
constexpr int kMost = 1'000'000;  // layers, heads, positions, occurrences

constexpr Names<NumberArgument> kArgumentNames{"", "HEAD", "LAYER", "QUERY", "KEY", "ATTEMPT", "MEASURE", "TARGET", "CONVENTION", "NUMBER"};
constexpr Names<Attempt> kAttemptNames{"vanilla", "shared", "asymmetric", "final"};

[[noreturn]] void refuse(std::string problem, std::string_view found, std::string expected, std::string hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .problem = std::move(problem),
               .found = found.empty() ? "" : in_quotes(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int> read_count(std::string_view text, int lowest) {
  const std::optional<int> number = read_number<int>(text);
  return number && *number >= lowest && *number <= kMost ? number : std::nullopt;
}

/// Words between blanks; one in quotes may hold blanks.
class NumberWords {
 public:
  explicit NumberWords(std::string_view text) : rest_(text) { skip_blanks(); }

  bool is_empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  std::string_view peek() const { return rest_.substr(0, end_of_word()); }
  bool skip(std::string_view word) {
    if (peek() != word) return false;
    take();
    return true;
  }
  std::string_view take() {
    const std::string_view word = peek();
    rest_.remove_prefix(word.size());
    skip_blanks();
    return word;
  }
  std::string_view take_rest() { return std::exchange(rest_, {}); }

 private:
  std::size_t end_of_word() const {
    const std::size_t quoted = rest_.starts_with('"') ? rest_.find('"', 1) : 0;
    const std::size_t from = quoted == std::string_view::npos ? 0 : quoted;
    return std::min(rest_.find(' ', from), rest_.size());
  }
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    while (rest_.ends_with(' ')) rest_.remove_suffix(1);
  }
  std::string_view rest_;
};

std::string names_of_kinds() {
  std::string names;
  for (const NumberRow& row : number_rows()) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return names + ", or a target such as logit:A-B@POSITION";
}

const NumberRow& row_named(std::string_view name) {
  const auto rows = number_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const NumberRow& row) { return row.name == name; });
  if (found == rows.end()) refuse("unknown number", name, {}, "Numbers: " + names_of_kinds());
  return *found;
}

/// "logit:…" may be written without the word "target".
bool is_target(std::string_view word) {
  return std::any_of(target_rows().begin(), target_rows().end(), [&](const TargetRow& row) {
    return word.starts_with(row.name) && (word.size() == row.name.size() || word[row.name.size()] == ':' || word[row.name.size()] == '@');
  });
}

Attempt parse_attempt(std::string_view word) {
  for (const Attempt attempt : kEveryValue<Attempt>) {
    if (kAttemptNames[attempt] == word) return attempt;
  }
  refuse("unknown attempt", word, "vanilla, shared, asymmetric or final");
}

std::string parse_convention(std::string_view text) {
  std::string names;
  for (const FillConvention& convention : fill_conventions()) {
    if (convention.name == text) return std::string(text);
    names += fmt::format("{}{}", names.empty() ? "" : "; ", convention.name);
  }
  refuse("unknown mask convention", text, names);
}

Target parse_lesson_target(std::string_view text) {
  Target target = parse_target(text);
  if (target_row(target.kind).needs_unedited) refuse("this target compares two runs", text, "a target of one run; `change` compares two");
  return target;
}

class NumberReader {
 public:
  NumberReader(std::string_view text, bool allows_any_head) : words_(text), allows_any_head_(allows_any_head) {
    number_.text = std::string(words_.rest());
  }

  LiveNumber read() {
    number_.is_change = words_.skip("change");
    number_.run.is_before = words_.skip("before");
    if (words_.skip("without")) number_.run.without = head(number_.is_without_open);
    if (number_.is_change && number_.run == NumberRun{.is_before = true}) {
      refuse("`change` already compares with the run before the edits", number_.text, "`change` without `before`");
    }
    const bool is_bare_target = is_target(words_.peek());
    if (words_.is_empty()) refuse("a number is missing", number_.text, names_of_kinds());
    number_.row = &row_named(is_bare_target ? std::string_view("target") : words_.take());
    for (const NumberArgument argument : number_.row->arguments) read(argument);
    if (!words_.is_empty()) refuse("unexpected extra words", words_.rest(), form_of(*number_.row), meaning());
    if (number_.is_change && number_.row->format == NumberFormat::word) refuse("a word has no change", number_.text, "a number");
    return number_;
  }

 private:
  std::string meaning() const { return fmt::format("{}: {}", number_.row->name, number_.row->meaning); }
  HeadId head(bool& is_open) {
    const std::string_view word = words_.take();
    is_open = allows_any_head_ && word == kAnyHead;
    return is_open ? HeadId{} : parse_head(word);
  }

  void read(NumberArgument argument) {
    if (argument == NumberArgument::none) return;
    if (words_.is_empty()) refuse("something is missing", number_.text, form_of(*number_.row), meaning());
    switch (argument) {
      case NumberArgument::head:
        number_.head = head(number_.is_head_open);
        return;
      case NumberArgument::layer:
        number_.head.layer = layer(words_.take());
        return;
      case NumberArgument::query:
      case NumberArgument::key:
        number_.places.push_back(parse_word_place(words_.take()));
        return;
      case NumberArgument::attempt:
        number_.attempt = parse_attempt(words_.take());
        return;
      case NumberArgument::measure:
        number_.measure = measure_request(words_.take(), "measure");
        return;
      case NumberArgument::target:
        number_.target = parse_lesson_target(words_.take_rest());
        return;
      case NumberArgument::convention:
        number_.convention = parse_convention(words_.take_rest());
        return;
      default:
        number_.number = plain_number(words_.take());
    }
  }
  static int layer(std::string_view word) {
    const std::optional<int> number = read_count(word, 0);
    if (!number) refuse("not a layer", word, "a whole number, 0 or more");
    return *number;
  }
  static double plain_number(std::string_view word) {
    const std::optional<double> number = read_number<double>(word);
    if (!number || !std::isfinite(*number)) refuse("not a number", word, "a number such as -1.5");
    return *number;
  }

  NumberWords words_;
  bool allows_any_head_;
  LiveNumber number_;
};

}  // namespace

WordPlace parse_word_place(std::string_view text) {
  constexpr const char* kExpected = "a word of the text, WORD#2 for its second occurrence, or @POSITION";
  if (text.starts_with('@') && text.size() > 1) {
    const std::optional<int> position = read_count(text.substr(1), 0);
    if (!position) refuse("not a position", text, kExpected);
    return {.position = *position};
  }
  WordPlace place;
  if (const std::size_t mark = text.rfind('#'); mark != std::string_view::npos && mark > 0 && mark + 1 < text.size()) {
    if (const std::optional<int> occurrence = read_count(text.substr(mark + 1), 1)) {
      place.occurrence = *occurrence;
      text = text.substr(0, mark);
    }
  }
  if (text.size() > 1 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  if (text.empty()) refuse("a word is missing", text, kExpected);
  place.word = std::string(text);
  return place;
}

std::string to_text(const WordPlace& place) {
  if (place.position) return fmt::format("@{}", *place.position);
  return place.occurrence == 1 ? place.word : fmt::format("{}#{}", place.word, place.occurrence);
}

std::pair<WordPlace, WordPlace> parse_word_pair(std::string_view text) {
  NumberWords words(text);
  const std::string_view query = words.take(), key = words.take();
  if (key.empty() || !words.is_empty()) refuse("not a cell", text, "a query and a key, such as \"follow horse\"");
  return {parse_word_place(query), parse_word_place(key)};
}

HeadId parse_head(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    const std::optional<int> layer = read_count(text.substr(0, point), 0), head = read_count(text.substr(point + 1), 0);
    if (layer && head) return {*layer, *head};
  }
  refuse("not a head", text, "LAYER.HEAD, such as 2.1");
}

std::string form_of(const NumberRow& row) {
  std::string form(row.name);
  for (const NumberArgument argument : row.arguments) {
    if (argument != NumberArgument::none) form += fmt::format(" {}", kArgumentNames[argument]);
  }
  return form;
}

LiveNumber parse_live_number(std::string_view text, bool allows_any_head) {
  return NumberReader(text, allows_any_head).read();
}

LiveNumber of_head(LiveNumber number, HeadId head) {
  if (number.is_head_open) number.head = head;
  if (number.is_without_open) number.run.without = head;
  return number;
}

}  // namespace headlight
