#include "app/gui/typing/line_edit.h"

#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

std::size_t stepped(const LineEdit& edit, const TextLine& line, CaretStep step) {
  switch (step) {
    case CaretStep::left:
      return line.left_of(edit.caret);
    case CaretStep::right:
      return line.right_of(edit.caret);
    case CaretStep::word_left:
      return line.word_left_of(edit.caret);
    case CaretStep::word_right:
      return line.word_right_of(edit.caret);
    case CaretStep::start:
      return 0;
    case CaretStep::end:
      return line.text().size();
  }
  return edit.caret;
}

/// The end of the selection that the eye sees further in a direction.
std::size_t edge(const LineEdit& edit, const TextLine& line, bool is_left) {
  const bool is_caret_left = line.x_of(edit.caret) < line.x_of(edit.anchor);
  return is_caret_left == is_left ? edit.caret : edit.anchor;
}

ByteRange erased(const LineEdit& edit, const TextLine& line, Erased what) {
  if (edit.has_selection()) return {static_cast<std::uint32_t>(edit.begin()), static_cast<std::uint32_t>(edit.end())};
  const auto at = static_cast<std::uint32_t>(edit.caret);
  switch (what) {
    case Erased::character_before:
      return {static_cast<std::uint32_t>(line.before(at)), at};
    case Erased::character_after:
      return {at, static_cast<std::uint32_t>(line.after(at))};
    case Erased::word_before:
      return {static_cast<std::uint32_t>(line.word_before(at)), at};
    case Erased::word_after:
      return {at, static_cast<std::uint32_t>(line.word_after(at))};
  }
  return {at, at};
}

}  // namespace

LineEdit moved(const LineEdit& edit, const TextLine& line, CaretStep step, bool extends) {
  const bool is_character = step == CaretStep::left || step == CaretStep::right;
  const bool leaves_selection = edit.has_selection() && !extends && is_character;
  const std::size_t caret = leaves_selection ? edge(edit, line, step == CaretStep::left) : stepped(edit, line, step);
  return {caret, extends ? edit.anchor : caret};
}

LineEdit erase(const LineEdit& edit, const TextLine& line, Erased what, std::string& text) {
  const ByteRange range = erased(edit, line, what);
  text.erase(range.begin, range.end - range.begin);
  return {range.begin, range.begin};
}

LineEdit insert(const LineEdit& edit, std::string_view added, std::string& text) {
  text.replace(edit.begin(), edit.end() - edit.begin(), added);
  const std::size_t caret = edit.begin() + added.size();
  return {caret, caret};
}

std::string line_of(std::string_view text) {
  std::string line = on_one_line(repair_utf8(text).text);
  std::erase_if(line, [](char byte) { return (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F; });
  return line;
}

std::string_view first_characters(std::string_view line, std::size_t most) {
  const std::vector<ByteRange> characters = graphemes_of(line);
  return characters.size() <= most ? line : line.substr(0, most == 0 ? 0 : characters[most - 1].end);
}

}  // namespace headlight
