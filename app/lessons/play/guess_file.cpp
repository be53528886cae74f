#include "app/lessons/play/guess_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/figure/files/number_cells.h"
#include "engine/formats/csv.h"
#include "engine/formats/file_reader.h"
#include "engine/studies/corpus.h"

namespace headlight {
namespace {

enum Column : std::uint8_t { kLesson, kStep, kKind, kAsked, kGuess, kAnswer, kScore, kRight, kColumns };

std::string cell(const std::string& text) {
  return text_cell(spreadsheet_safe(text));
}

/// What `cell` was made of.
std::string without_apostrophe(std::string text) {
  if (text.starts_with('\'')) text.erase(0, 1);
  return text;
}

/// The whole file; nothing where it is not there yet.
std::string read_guesses(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  std::string text = read_file(path, kLargestGuessFile);
  if (text.starts_with(guess_csv_heading())) return text;
  throw Error({.kind = ErrorKind::input,
               .file = printable(path.string()),
               .field = "line 1",
               .problem = "this is not a file of guesses, so it was left unchanged",
               .expected = guess_csv_heading().substr(0, guess_csv_heading().size() - 1),
               .hint = "Choose another file"});
}

template <typename Number>
bool reads(const std::string& text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

/// The guesses of one question, and how often each was made.
struct Counted {
  GuessTally tally;
  std::map<std::string, int> times;
};

/// False: the line is broken.
bool count_line(const std::string& line, std::map<std::pair<std::string, int>, Counted>& counted) {
  std::vector<std::string> fields;
  int step = 0;
  double score = 0;
  if (!split_csv(line, fields) || fields.size() != kColumns || !reads(fields[kStep], step) || !reads(fields[kScore], score)) return false;
  if (fields[kRight] != "yes" && fields[kRight] != "no") return false;
  auto& [tally, times] = counted[{without_apostrophe(fields[kLesson]), step}];
  tally.lesson = without_apostrophe(fields[kLesson]);
  tally.step = step;
  tally.asked = without_apostrophe(fields[kAsked]);
  tally.answer = without_apostrophe(fields[kAnswer]);
  ++tally.guesses;
  tally.right += fields[kRight] == "yes" ? 1 : 0;
  tally.share += score;
  const int seen = ++times[without_apostrophe(fields[kGuess])];
  if (seen > tally.times) tally.commonest = without_apostrophe(fields[kGuess]), tally.times = seen;
  return true;
}

}  // namespace

std::string guess_csv_heading() {
  return "lesson,step,kind,question,guess,answer,score,right\n";
}

std::string to_csv(const GuessLine& line) {
  return fmt::format("{},{},{},{},{},{},{:.4f},{}\n", cell(line.lesson), line.step, question_kind(line.kind).name, cell(line.asked),
                     cell(line.guess), cell(line.answer), line.score.share, line.score.is_right ? "yes" : "no");
}

void append_guess(const std::filesystem::path& path, const GuessLine& line) {
  std::string text = read_guesses(path);
  if (text.empty()) text = guess_csv_heading();
  write_file(path, text + to_csv(line));
}

void check_guess_file(const std::filesystem::path& path) {
  read_guesses(path);
}

std::vector<GuessTally> tally_guesses(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string text = std::filesystem::exists(path, ignored) ? read_guesses(path) : read_file(path, kLargestGuessFile);
  std::map<std::pair<std::string, int>, Counted> counted;
  std::size_t number = 2;
  for (std::size_t begin = guess_csv_heading().size(); begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!count_line(text.substr(begin, end - begin), counted)) {
      throw Error({.kind = ErrorKind::input,
                   .file = printable(path.string()),
                   .field = fmt::format("line {}", number),
                   .problem = "this is not a guess",
                   .found = printable(text.substr(begin, end - begin), 80),
                   .expected = guess_csv_heading().substr(0, guess_csv_heading().size() - 1)});
    }
    begin = end + 1;
  }
  std::vector<GuessTally> tallies;
  for (auto& [question, each] : counted) {
    each.tally.share /= each.tally.guesses;
    tallies.push_back(std::move(each.tally));
  }
  return tallies;
}

}  // namespace headlight
