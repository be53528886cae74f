// Fields of a lesson's file. All functions throw Error (input) naming file and field; load_lessons.cpp puts the line before it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"
#include "engine/formats/json_lines.h"

namespace headlight {

inline constexpr std::size_t kLongestTitle = 120;       ///< bytes
inline constexpr std::size_t kLongestParagraph = 1000;  ///< bytes
inline constexpr std::size_t kMostParagraphs = 12;

/// Refuses a field that is not in `known`, and names those that are.
void refuse_unknown(const JsonFields& fields, std::initializer_list<std::string_view> known);
/// A text that is not empty and not longer than `most` bytes.
std::string read_line(const JsonFields& fields, const std::string& key, std::size_t most = kLongestTitle);
/// One of `names`; empty where the field is not there.
std::string read_name(const JsonFields& fields, const std::string& key, std::span<const LessonName> names);
/// The name, which is refused under `key` if it is not one of `names`.
std::string checked_name(const JsonFields& fields, const std::string& key, const std::string& name, std::span<const LessonName> names);

/// A text of a list, and the key of its place, such as "heads[2]".
struct ListedText {
  std::string key, text;
};
/// A list of texts. `expected`: of each, in the message for an item that is not a text.
std::vector<ListedText> read_texts(const JsonFields& fields, const std::string& key, const std::string& expected = "a string");

/// A paragraph, or a list of them.
std::vector<Paragraph> read_paragraphs(const JsonFields& fields, const std::string& key, const JsonLines& lines);
Paragraph read_paragraph(const JsonFields& fields, const std::string& key, const JsonLines& lines);

/// What `parse` makes of a text; what it refuses is the field's fault.
template <typename Parse>
auto read_parsed(const JsonFields& fields, const std::string& key, std::string_view text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.kind = ErrorKind::input;
    detail.file = fields.file();
    detail.field = fields.path_of(key);
    throw Error(std::move(detail));
  }
}
HeadId read_head(const JsonFields& fields, const std::string& key);
WordPlace read_place(const JsonFields& fields, const std::string& key);
LiveNumber read_live_number(const JsonFields& fields, const std::string& key, bool allows_any_head = false);

/// The document that a step sets, in the fields of documents: those of a query, "style", "pins" and "target". A built-in model without a version
/// is the one that comes with the program. Refuses every field that documents do not have.
Document read_lesson_document(const Json& json, const std::string& file, const std::string& path);
Question read_question(const JsonFields& fields, const JsonLines& lines);
LessonView read_view(const JsonFields& step);

}  // namespace headlight
