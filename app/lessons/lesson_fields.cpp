#include "app/lessons/lesson_fields.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace headlight {
namespace {

std::string names_text(std::span<const LessonName> names) {
  std::string text;
  for (const LessonName& each : names) text += fmt::format("{}{}", text.empty() ? "one of " : ", ", each.name);
  return text;
}

std::string checked_line(const JsonFields& fields, const std::string& key, std::string text, std::size_t most) {
  if (text.empty()) fields.refuse(key, "is empty");
  if (text.size() > most) {
    fields.refuse(key, "is too long to read from the back of a room", fmt::format("{} bytes", text.size()),
                  fmt::format("at most {}", most));
  }
  return text;
}

Paragraph parse_paragraph(const JsonFields& fields, const std::string& key, const std::string& text, const JsonLines& lines) {
  return read_parsed(fields, key, checked_line(fields, key, text, kLongestParagraph),
                     [&](std::string_view words) { return parse_words(words, lines.line_of(fields.path_of(key))); });
}

}  // namespace

void refuse_unknown(const JsonFields& fields, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : fields.value().items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    fields.refuse(key, "unknown field", {}, fmt::format("{}", fmt::join(known, ", ")));
  }
}

std::string read_line(const JsonFields& fields, const std::string& key, std::size_t most) {
  return checked_line(fields, key, fields.text(key), most);
}

std::string read_name(const JsonFields& fields, const std::string& key, std::span<const LessonName> names) {
  if (!fields.has(key)) return {};
  return checked_name(fields, key, fields.text(key), names);
}

std::string checked_name(const JsonFields& fields, const std::string& key, const std::string& name, std::span<const LessonName> names) {
  const bool is_known = std::any_of(names.begin(), names.end(), [&](const LessonName& each) { return each.name == name; });
  if (!is_known) fields.refuse(key, "unknown name", in_quotes(name), names_text(names));
  return name;
}

std::vector<ListedText> read_texts(const JsonFields& fields, const std::string& key, const std::string& expected) {
  std::vector<ListedText> texts;
  for (const Json& item : fields.array(key)) {
    const std::string place = fmt::format("{}[{}]", key, texts.size());
    if (!item.is_string()) fields.refuse(place, "has the wrong type", describe(item), expected);
    texts.push_back({place, item.get<std::string>()});
  }
  return texts;
}

Paragraph read_paragraph(const JsonFields& fields, const std::string& key, const JsonLines& lines) {
  return parse_paragraph(fields, key, fields.text(key), lines);
}

std::vector<Paragraph> read_paragraphs(const JsonFields& fields, const std::string& key, const JsonLines& lines) {
  if (fields.at(key).is_string()) return {read_paragraph(fields, key, lines)};
  const Json& list = fields.array(key);
  if (list.empty() || list.size() > kMostParagraphs) {
    fields.refuse(key, "has too few or too many paragraphs", std::to_string(list.size()), fmt::format("1 to {}", kMostParagraphs));
  }
  std::vector<Paragraph> paragraphs;
  for (const ListedText& item : read_texts(fields, key)) paragraphs.push_back(parse_paragraph(fields, item.key, item.text, lines));
  return paragraphs;
}

HeadId read_head(const JsonFields& fields, const std::string& key) {
  return read_parsed(fields, key, fields.text(key), parse_head);
}

WordPlace read_place(const JsonFields& fields, const std::string& key) {
  return read_parsed(fields, key, fields.text(key), parse_word_place);
}

LiveNumber read_live_number(const JsonFields& fields, const std::string& key, bool allows_any_head) {
  return read_parsed(fields, key, fields.text(key), [&](std::string_view text) { return parse_live_number(text, allows_any_head); });
}

}  // namespace headlight
