#include "app/lessons/play/guess_file.h"

#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/figure/files/number_cells.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

std::string cell(const std::string& text) {
  return text_cell(spreadsheet_safe(text));
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
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(path, ignored);
  std::string text = is_new ? guess_csv_heading() : read_file(path, kLargestGuessFile);
  if (!text.starts_with(guess_csv_heading())) {
    throw Error({.kind = ErrorKind::input,
                 .file = printable(path.string()),
                 .field = "line 1",
                 .problem = "this is not a file of guesses, so it was left unchanged",
                 .expected = guess_csv_heading().substr(0, guess_csv_heading().size() - 1),
                 .hint = "Choose another file"});
  }
  write_file(path, text + to_csv(line));
}

}  // namespace headlight
