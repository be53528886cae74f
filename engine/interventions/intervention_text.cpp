// The text form of interventions.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/core/error.h"
#include "engine/interventions/intervention.h"

namespace headlight {
namespace {

constexpr int kToEnd = std::numeric_limits<int>::max();
constexpr const char* kHeadNeeded = "a head such as 1.3";

std::string names_of_kinds() {
  std::string names;
  for (const InterventionRow& row : intervention_rows()) {
    const bool is_last = &row == &intervention_rows().back();
    names.append(names.empty() ? "" : is_last ? " or " : ", ").append(row.name);
  }
  return names;
}

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

class InterventionReader {
 public:
  InterventionReader(std::string_view text, const NamePlace& name_place) : text_(text), name_place_(name_place) {}

  Intervention read() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string_view::npos) refuse(text_.size(), "= and what is put in, such as 1.3=off");
    Intervention made;
    read_places(equals, made.heads);
    at_ = equals + 1;
    const InterventionRow& row = read_kind();
    made.kind = row.kind;
    check_places(row, made.heads);
    if (row.need != InterventionNeed::nothing) {
      if (!take(':')) refuse(at_, fmt::format(": and {}", needed(row)));
      read_needed(row, made);
    }
    if (row.takes_positions && take('@')) made.positions = read_positions();
    if (at_ < text_.size()) refuse(at_, row.takes_positions ? "the end, or @ and positions" : "the end");
    return made;
  }

  /// A head through the end.
  HeadId read_head() {
    const std::size_t begin = at_;
    const HeadId head = place_of(text_.substr(begin), begin);
    if (head.head == kWholeLayer) refuse(begin, kHeadNeeded);
    at_ = text_.size();
    return head;
  }

  /// Positions through the end.
  std::vector<PositionRange> read_positions() {
    std::vector<PositionRange> positions;
    for (bool has_more = true; has_more;) {
      const std::size_t end = std::min(text_.find(',', at_), text_.size());
      const std::string_view part = text_.substr(at_, end - at_);
      const std::size_t hyphen = part.find('-');
      PositionRange range;
      range.first = read_number(part.substr(0, hyphen), at_);
      range.last = range.first;
      if (hyphen != std::string_view::npos) {
        const std::string_view last = part.substr(hyphen + 1);
        range.last = last.empty() ? kToEnd : read_number(last, at_ + hyphen + 1);
      }
      if (range.last < range.first) refuse(at_ + hyphen + 1, fmt::format("a position from {}", range.first));
      positions.push_back(range);
      at_ = end;
      has_more = take(',');
    }
    return positions;
  }

 private:
  [[noreturn]] void refuse(std::size_t at, const std::string& expected) const {
    const std::string_view rest = text_.substr(std::min(at, text_.size()));
    std::size_t characters = 1;
    for (std::size_t byte = 0; byte < std::min(at, text_.size()); ++byte) {
      if ((static_cast<unsigned char>(text_[byte]) & 0xC0U) != 0x80U) ++characters;
    }
    throw Error({.kind = ErrorKind::usage,
                 .field = "edit",
                 .problem = fmt::format("cannot read \"{}\" at character {}", printable(text_, 120), characters),
                 .found = rest.empty() ? "its end" : fmt::format("\"{}\"", printable(rest, 40)),
                 .expected = expected});
  }

  bool take(char wanted) {
    const bool is_there = at_ < text_.size() && text_[at_] == wanted;
    if (is_there) ++at_;
    return is_there;
  }

  HeadId place_of(std::string_view name, std::size_t at) const {
    if (name_place_) return name_place_(std::string(name));
    const std::size_t dot = name.find('.');
    const std::optional<int> layer = number_in(name.substr(0, dot));
    const std::optional<int> head = dot == std::string_view::npos ? kWholeLayer : number_in(name.substr(dot + 1));
    if (!layer || !head) refuse(at, "a layer such as 2, or a head such as 2.5");
    return {*layer, *head};
  }

  void read_places(std::size_t end, std::vector<HeadId>& places) const {
    for (std::size_t begin = 0; begin <= end;) {
      const std::size_t comma = std::min(text_.find(',', begin), end);
      const HeadId place = place_of(text_.substr(begin, comma - begin), begin);
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      begin = comma + 1;
    }
  }

  const InterventionRow& read_kind() {
    const std::size_t end = std::min(text_.find_first_of(":@", at_), text_.size());
    const auto rows = intervention_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const InterventionRow& each) { return each.name == text_.substr(at_, end - at_); });
    if (row == rows.end()) refuse(at_, names_of_kinds());
    at_ = end;
    return *row;
  }

  void check_places(const InterventionRow& row, const std::vector<HeadId>& places) const {
    if (row.replaces != ReplacedPart::stream) return;
    for (const HeadId place : places) {
      if (place.head != kWholeLayer) refuse(0, "layers: all heads of a layer read one stream");
    }
  }

  static std::string needed(const InterventionRow& row) {
    return row.need == InterventionNeed::head ? kHeadNeeded : row.need == InterventionNeed::texts ? "a file of texts" : "a text";
  }

  void read_needed(const InterventionRow& row, Intervention& made) {
    if (row.need == InterventionNeed::head) {
      made.from = read_head();
      return;
    }
    const std::size_t begin = at_;
    std::string words = read_words(row.takes_positions);
    if (words.empty()) refuse(begin, needed(row));
    if (row.need == InterventionNeed::text) {
      made.text = std::move(words);
    } else {
      made.texts = std::make_shared<const TextSet>(TextSet{std::move(words), {}});
    }
  }

  std::string read_words(bool ends_at_positions) {
    std::string words;
    if (!take('"')) {
      const std::size_t end = ends_at_positions ? std::min(text_.find('@', at_), text_.size()) : text_.size();
      words = text_.substr(at_, end - at_);
      at_ = end;
      return words;
    }
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      words += text_[at_++];
    }
    if (!take('"')) refuse(at_, "a quote after the text");
    return words;
  }

  int read_number(std::string_view text, std::size_t at) const {
    const std::optional<int> number = number_in(text);
    if (!number) refuse(at, "a position from 0");
    return *number;
  }

  std::string_view text_;
  const NamePlace& name_place_;
  std::size_t at_ = 0;
};

std::string quoted(const std::string& words) {
  std::string text = "\"";
  for (const char character : words) {
    if (character == '"' || character == '\\') text += '\\';
    text += character;
  }
  text += '"';
  return text;
}

std::string place_form(HeadId place) {
  return place.head == kWholeLayer ? std::to_string(place.layer) : fmt::format("{}.{}", place.layer, place.head);
}

std::string positions_form(const std::vector<PositionRange>& positions) {
  std::string text;
  for (const PositionRange& range : positions) {
    text.append(text.empty() ? "@" : ",").append(std::to_string(range.first));
    if (range.last == kToEnd) {
      text.append("-");
    } else if (range.last != range.first) {
      text.append(fmt::format("-{}", range.last));
    }
  }
  return text;
}

}  // namespace

Intervention parse_intervention(std::string_view text, const NamePlace& name_place) {
  return InterventionReader(text, name_place).read();
}

HeadId parse_map_source(std::string_view text) {
  return InterventionReader(text, {}).read_head();
}

std::vector<PositionRange> parse_positions(std::string_view text) {
  return InterventionReader(text, {}).read_positions();
}

std::string to_text(const Intervention& intervention) {
  const InterventionRow& row = row_of(intervention.kind);
  std::string text;
  for (const HeadId place : intervention.heads) text.append(text.empty() ? "" : ",").append(place_form(place));
  text.append("=").append(row.name);
  if (row.need == InterventionNeed::head) text.append(":").append(place_form(intervention.from));
  if (row.need == InterventionNeed::text) text.append(":").append(quoted(intervention.text));
  if (row.need == InterventionNeed::texts) text.append(":").append(quoted(intervention.texts ? intervention.texts->name : std::string()));
  return text.append(positions_form(intervention.positions));
}

}  // namespace headlight
