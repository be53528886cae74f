#include "app/gui/lessons/lesson_question.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/lessons/lesson_words.h"
#include "app/lessons/play/guess_file.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr float kWordShare = 0.36F;  // of the width, for the words of the keys
constexpr float kPercent = 52;       // points, for the number to the right of the bars
constexpr std::size_t kDigits = 10;

/// Adds the guess to the class's file, where one was asked for. Without it the lesson goes on.
void write_guess(OpenLesson& lesson, const Answer& answer, const Guess& guess) {
  if (lesson.guess_file.empty()) return;
  const Question& question = *lesson.shown().question;
  try {
    append_guess(lesson.guess_file, {.lesson = lesson.lesson->name,
                                     .step = static_cast<int>(lesson.step) + 1,
                                     .kind = question.kind,
                                     .asked = plain_text(without_numbers(question.ask)),
                                     .guess = to_text(guess, answer),
                                     .answer = answer.text,
                                     .score = score_of(question, answer, guess)});
  } catch (const Error& error) {
    lesson.guessing.unsaved = error.message();
  }
}

void say(OpenLesson& lesson, const Answer& answer, Guess guess) {
  write_guess(lesson, answer, guess);
  lesson.guesses[lesson.step] = score_of(*lesson.shown().question, answer, guess).is_right;
  lesson.guessing.guess = std::move(guess);
  lesson.guessing.is_answered = true;
}

/// Where the parts of a row of keys are, in pixels.
struct KeyRow {
  Box box;
  float bars = 0, bars_end = 0;
};
KeyRow begin_key_row(const Look& look, float height = kRow) {
  const Row row = begin_row(look, "", nullptr, height);
  const float width = row.right - row.left;
  return {{row.left, row.top, width, row.height}, row.left + std::round(width * kWordShare), row.right - look.px(kPercent)};
}

void draw_word(const Look& look, const KeyRow& row, const std::string& word, Type type, Colour colour) {
  const float room = row.bars - row.box.x - look.px(kUnit);
  draw_text(look, row.box.x + look.px(kInside), row.box.y + row.box.height / 2, type, colour, elided(look, type, word, room));
}

void draw_bar(const Look& look, const KeyRow& row, double share, Colour colour) {
  const float y = std::round(row.box.y + row.box.height / 2), half = look.px(6);
  const float width = std::round((row.bars_end - row.bars) * static_cast<float>(std::clamp(share, 0.0, 1.0)));
  fill(look, {row.bars, y - half}, {row.bars + std::max(width, look.px(1)), y + half}, colour, 2);
}

void draw_right(const Look& look, const KeyRow& row, const std::string& text, Colour colour) {
  draw_text(look, row.box.right() - look.px(kInside), row.box.y + row.box.height / 2, Type::number, colour, text, AlignX::right);
}

std::vector<Index> allowed_keys(const Answer& answer) {
  std::vector<Index> keys;
  for (std::size_t key = 0; key < answer.row.size(); ++key) {
    if (answer.is_allowed[key]) keys.push_back(static_cast<Index>(key));
  }
  return keys;
}

const std::string& word_of(const Answer& answer, Index key) {
  return answer.words[static_cast<std::size_t>(key)];
}

void draw_masked_note(const Look& look, const Answer& answer, std::size_t allowed) {
  if (allowed < answer.row.size())
    paragraph(look, Type::caption, look.colours.text_second, "The other words are masked: they get nothing.");
}

/// A digit that was pressed, where no box has the keyboard.
std::optional<std::size_t> pressed_digit() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyMods != 0 || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return std::nullopt;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    const int offset = static_cast<int>(digit);
    const bool is_pressed = ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + offset), false) ||
                            ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad0 + offset), false);
    if (is_pressed) return digit;
  }
  return std::nullopt;
}

/// A word that can be guessed. Returns whether it was pressed.
bool draw_offered_key(const Look& look, const Box& box, Index key, const std::string& word, std::size_t place) {
  const ImVec2 from{box.x, box.y}, to{box.right(), box.bottom()};
  const Press press = press_area_in_list(fmt::format("Guess {}", key).c_str(), from, {box.width, box.height}, place == 0);
  if (place < kDigits) hint(look, fmt::format("Or press {}.", place).c_str());
  fill(look, from, to, press.is_hovered ? look.colours.line : look.colours.raised);
  if (press.is_hovered) outline(look, from, to, look.colours.key);
  draw_text(look, box.x + look.px(kUnit), box.y + box.height / 2, Type::body, look.colours.text,
            elided(look, Type::body, word, box.width - look.px(2 * kUnit)));
  return press.is_clicked;
}

/// The words one after the other, as in the text.
void draw_key_question(const Look& look, OpenLesson& lesson, const Answer& answer, bool covers_view) {
  const std::vector<Index> keys = allowed_keys(answer);
  const float height = look.px(kRow), between = look.px(6), room = ImGui::GetContentRegionAvail().x;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImVec2 at = start;
  for (std::size_t place = 0; place < keys.size(); ++place) {
    const std::string& word = word_of(answer, keys[place]);
    const float width = std::min(room, std::ceil(text_width(look, Type::body, word)) + look.px(2 * kUnit) + 1);
    if (at.x > start.x && at.x + width > start.x + room) at = {start.x, at.y + height + between};
    if (draw_offered_key(look, {at.x, at.y, width, height}, keys[place], word, place)) return guess_key(lesson, answer, keys[place]);
    at.x += width + between;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({room, at.y + height - start.y});
  gap(look, kInside);
  paragraph(look, Type::caption, look.colours.text_second, covers_view ? "Click a word." : "Click a word here, or a ? in the map.");
  draw_masked_note(look, answer, keys.size());
  const std::optional<std::size_t> digit = pressed_digit();
  if (digit && *digit < keys.size()) guess_key(lesson, answer, keys[*digit]);
}

/// Bars that follow the pointer while the button is held.
void draw_row_question(const Look& look, OpenLesson& lesson, const Answer& answer) {
  std::vector<double>& drawn = lesson.guessing.drawn;
  if (drawn.size() != answer.row.size()) drawn.assign(answer.row.size(), 0);
  const std::vector<Index> keys = allowed_keys(answer);
  double sum = 0;
  for (const double each : drawn) sum += each;
  for (const Index key : keys) {
    double& share = drawn[static_cast<std::size_t>(key)];
    const KeyRow row = begin_key_row(look);
    const ImVec2 from{row.bars, row.box.y};
    const Press press = press_area_in_list(fmt::format("Draw {}", key).c_str(), from, {row.bars_end - row.bars, row.box.height}, key == 0);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool is_drawing =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    const bool is_here = mouse.y >= row.box.y && mouse.y < row.box.bottom() && mouse.x >= row.bars - look.px(kUnit) &&
                         mouse.x <= row.bars_end + look.px(kUnit);
    if (press.is_held || (is_drawing && is_here)) {
      share = std::clamp(static_cast<double>((mouse.x - row.bars) / (row.bars_end - row.bars)), 0.0, 1.0);
    }
    draw_word(look, row, word_of(answer, key), Type::body, look.colours.text);
    const float inset = look.px(4);
    fill(look, {row.bars, row.box.y + inset}, {row.bars_end, row.box.bottom() - inset}, look.colours.raised, 2);
    if (share > 0) draw_bar(look, row, share, look.colours.text);
    draw_right(look, row, sum > 0 ? percent_text(share / sum) : "", look.colours.text_second);
  }
  gap(look, kInside);
  paragraph(look, Type::caption, look.colours.text_second, "Drag along the rows. Only how they compare counts.");
  const Row row = begin_row(look, "", nullptr, 36);
  const char* name = "That is my guess";
  if (quiet_button(look, name, {row.left, row.top + look.px(4)}, {button_width(look, name), look.px(kRow)}, sum > 0))
    say(lesson, answer, drawn);
}

/// The heads side by side, each with its place once it has one.
void draw_order_question(const Look& look, OpenLesson& lesson, const Answer& answer) {
  std::vector<HeadId>& ordered = lesson.guessing.ordered;
  const std::vector<HeadId>& heads = lesson.shown().question->heads;
  constexpr std::array kPlaces{"1st", "2nd", "3rd"};
  const Row row = begin_row(look, "", nullptr, 36);
  const float between = look.px(kUnit), height = look.px(kRow);
  const auto count = static_cast<float>(heads.size());
  const float width = std::floor((row.right - row.left - between * (count - 1)) / count);
  ImVec2 from{row.left, row.middle() - height / 2};
  for (const HeadId head : heads) {
    const ImVec2 to{from.x + width, from.y + height};
    const auto at = std::find(ordered.begin(), ordered.end(), head);
    const Press press = press_area(("Order " + short_name(head)).c_str(), from, {width, height});
    fill(look, from, to, press.is_hovered ? look.colours.line : look.colours.raised);
    if (at != ordered.end()) outline(look, from, to, look.colours.text);
    draw_text(look, from.x + look.px(kUnit), row.middle(), Type::body, look.colours.text, short_name(head));
    if (at != ordered.end()) {
      const auto place = static_cast<std::size_t>(at - ordered.begin());
      draw_text(look, to.x - look.px(kUnit), row.middle(), Type::body, look.colours.text, kPlaces[std::min(place, kPlaces.size() - 1)],
                AlignX::right);
    }
    if (press.is_clicked) at != ordered.end() ? void(ordered.erase(at)) : ordered.push_back(head);
    from.x += width + between;
  }
  paragraph(look, Type::caption, look.colours.text_second, "Click them in order, the most first. A second click takes one back.");
  if (ordered.size() == heads.size()) say(lesson, answer, ordered);
}

/// A number as a person types it: with a decimal comma, and "%" for a hundredth.
std::optional<double> typed_number(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  for (std::size_t minus = text.find("−"); minus != std::string::npos; minus = text.find("−")) text.replace(minus, 3, "-");
  std::erase(text, ' ');
  const bool is_share = text.ends_with('%');
  if (is_share) text.pop_back();
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return is_share ? value / 100 : value;
}

void draw_number_question(const Look& look, OpenLesson& lesson, const Answer& answer) {
  Guessing& guessing = lesson.guessing;
  const Row row = begin_row(look, "", nullptr, 36);
  const float button = button_width(look, "Guess"), height = look.px(kRow), top = row.top + look.px(4);
  const bool is_share = answer.number.text.ends_with('%');
  text_box(look, "Your number", is_share ? "a share, such as 40 %" : "a number", guessing.typed, {row.left, top},
           row.right - row.left - button - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  const bool is_pressed = quiet_button(look, "Guess", {row.right - button, top}, {button, height}, !guessing.typed.empty());
  if (!guessing.problem.empty()) paragraph(look, Type::caption, look.colours.bad, guessing.problem);
  if (!(is_returned || is_pressed) || guessing.typed.empty()) return;
  const std::optional<double> number = typed_number(guessing.typed);
  guessing.problem = number ? "" : fmt::format("“{}” is not a number. Try 0.4 or 40 %.", printable(guessing.typed, 40));
  if (number) say(lesson, answer, *number);
}

void draw_yes_no_question(const Look& look, OpenLesson& lesson, const Answer& answer) {
  const Row row = begin_row(look, "", nullptr, 40);
  const float width = std::round((row.right - row.left - look.px(kUnit)) / 2), height = look.px(32), top = row.top + look.px(4);
  if (quiet_button(look, "Yes", {row.left, top}, {width, height})) return say(lesson, answer, true);
  if (quiet_button(look, "No", {row.right - width, top}, {width, height})) say(lesson, answer, false);
}

/// The share of a key in a row that was drawn; 0 for any other guess.
double guessed_share(const Guessing& guessing, std::size_t key) {
  if (!guessing.guess) return 0;
  const auto* drawn = std::get_if<std::vector<double>>(&*guessing.guess);
  if (drawn == nullptr || key >= drawn->size()) return 0;
  double sum = 0;
  for (const double each : *drawn) sum += each;
  return sum > 0 ? (*drawn)[key] / sum : 0;
}

/// As it was made: a drawing is in sight, and a number is written as it was typed.
std::string guess_text(const OpenLesson& lesson, const Answer& answer) {
  const Guess& guess = *lesson.guessing.guess;
  if (std::get_if<std::vector<double>>(&guess) != nullptr) return "the dashed row";
  return std::get_if<double>(&guess) != nullptr ? lesson.guessing.typed : to_text(guess, answer);
}

/// The whole row that was asked for, the largest first, with the guess in it.
void draw_true_row(const Look& look, const OpenLesson& lesson, const Answer& answer) {
  std::vector<Index> keys = allowed_keys(answer);
  const auto weight = [&](Index key) { return answer.row[static_cast<std::size_t>(key)]; };
  std::stable_sort(keys.begin(), keys.end(), [&](Index a, Index b) { return weight(a) > weight(b); });
  for (const Index key : keys) {
    const auto at = static_cast<std::size_t>(key);
    const KeyRow row = begin_key_row(look, kNumberRow);
    const bool is_best = key == answer.best;
    const bool is_guess =
        lesson.guessing.guess && std::get_if<Index>(&*lesson.guessing.guess) != nullptr && std::get<Index>(*lesson.guessing.guess) == key;
    draw_word(look, row, word_of(answer, key), is_best ? Type::strong : Type::body, is_best ? look.colours.key : look.colours.text);
    draw_bar(look, row, answer.row[at], look.colours.key);
    draw_right(look, row, percent_text(answer.row[at]), is_best ? look.colours.key : look.colours.text);
    const float share = static_cast<float>(guessed_share(lesson.guessing, at));
    const float inset = look.px(2);
    if (is_guess) {
      draw_mark(look, {row.box.x, row.box.y + inset, row.box.width, row.box.height - 2 * inset}, look.colours.text, Mark::hovered);
    } else if (share > 0) {
      draw_mark(look,
                {row.bars, row.box.y + 2 * inset, std::max(look.px(4), (row.bars_end - row.bars) * share), row.box.height - 4 * inset},
                look.colours.text, Mark::hovered, 2);
    }
  }
  if (lesson.guessing.guess) text_line(look, Type::caption, look.colours.text_second, "Dashed: your guess.");
  draw_masked_note(look, answer, keys.size());
}

/// What a person guesses with.
void draw_guessing(const Look& look, OpenLesson& lesson, const Answer& answer, bool covers_view) {
  if (!answer.problem.empty()) {
    paragraph(look, Type::body, look.colours.text_second, "This question cannot be answered here: " + answer.problem);
    return;
  }
  switch (lesson.shown().question->kind) {
    case QuestionKind::key:
      return draw_key_question(look, lesson, answer, covers_view);
    case QuestionKind::row:
      return draw_row_question(look, lesson, answer);
    case QuestionKind::order:
      return draw_order_question(look, lesson, answer);
    case QuestionKind::number:
      return draw_number_question(look, lesson, answer);
    case QuestionKind::yes_no:
      return draw_yes_no_question(look, lesson, answer);
  }
}

void draw_answer(const Look& look, const OpenLesson& lesson, const Answer& answer) {
  if (!answer.problem.empty()) {
    paragraph(look, Type::body, look.colours.text_second, "This question cannot be answered here: " + answer.problem);
    return;
  }
  paragraph(look, Type::title, look.colours.key, answer.text);
  gap(look, kInside);
  if (const std::optional<Guess>& guess = lesson.guessing.guess) {
    const Span spans[] = {{"Your guess: ", look.colours.text_second},
                          {guess_text(lesson, answer), look.colours.text, Type::strong},
                          {" · " + score_of(*lesson.shown().question, answer, *guess).text, look.colours.text_second}};
    paragraph(look, spans);
    const std::string& unsaved = lesson.guessing.unsaved;
    if (!unsaved.empty()) paragraph(look, Type::caption, look.colours.bad, "Your guess was not written to the file: " + unsaved);
    gap(look, kUnit);
  }
}

/// Strong words in quotes: in a question that is strong throughout they could not be told apart.
FilledParagraph quoted(FilledParagraph paragraph) {
  for (FilledPart& part : paragraph) {
    if (part.kind == WordsKind::strong) part.text = "“" + part.text + "”";
  }
  return paragraph;
}

}  // namespace

void guess_key(OpenLesson& lesson, const Answer& answer, Index key) {
  if (!answer.problem.empty() || !lesson.asks()) return;
  if (key >= 0 && static_cast<std::size_t>(key) < answer.row.size() && answer.is_allowed[static_cast<std::size_t>(key)])
    say(lesson, answer, key);
}

void draw_asked(Panel& panel, OpenLesson& lesson, bool covers_view) {
  const Look& look = panel.look;
  const std::shared_ptr<const LessonPicture> picture = panel.context.session.lessons().played();
  text_line(look, Type::heading, look.colours.accent, "Guess first");
  draw_filled(look, quoted(picture ? picture->played.ask : without_numbers(lesson.shown().question->ask)),
              covers_view ? Type::title : Type::strong, look.colours.text);
  gap(look, kUnit);
  if (!picture) return text_line(look, Type::body, look.colours.text_second, "Working on it …");
  draw_guessing(look, lesson, *picture->played.answer, covers_view);
  if (lesson.guess_file.empty()) return;
  paragraph(look, Type::caption, look.colours.text_second,
            "Guesses are written to " + printable(lesson.guess_file.filename().string(), 80) + ".");
}

void draw_answered(Panel& panel, const OpenLesson& lesson, const LessonPicture* picture) {
  const Look& look = panel.look;
  text_line(look, Type::heading, look.colours.accent, "The engine's answer");
  draw_filled(look, picture != nullptr ? picture->played.ask : without_numbers(lesson.shown().question->ask), Type::body,
              look.colours.text_second);
  gap(look, kUnit);
  if (picture == nullptr) return text_line(look, Type::body, look.colours.text_second, "Working on it …");
  const Answer& answer = *picture->played.answer;
  draw_answer(look, lesson, answer);
  gap(look, kUnit);
  draw_paragraphs(look, picture->played.after);
  if (answer.row.empty()) return;
  gap(look, kUnit);
  draw_true_row(look, lesson, answer);
}

}  // namespace headlight
