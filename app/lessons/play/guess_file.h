// The guesses of a class in a CSV file, one line a guess: on this machine only, and only where a person asked for it. It contains no names, no
// times and nothing else that says who guessed.
#pragma once

#include <filesystem>
#include <string>

#include "app/lessons/lesson.h"
#include "app/lessons/play/answer.h"

namespace headlight {

struct GuessLine {
  std::string lesson = {};  ///< its name
  int step = 0;             ///< from 1
  QuestionKind kind = QuestionKind::key;
  std::string asked = {}, guess = {}, answer = {};
  GuessScore score = {};
};

/// "lesson,step,kind,question,guess,answer,score,right" (RFC 4180; what a spreadsheet would take for a formula has an apostrophe before it).
std::string guess_csv_heading();
std::string to_csv(const GuessLine& line);

/// Adds a line at the end, and the heading to a new file. The file stays whole whatever happens: it is replaced. Throws Error:
/// write; input for a file that begins with another heading; limit beyond kLargestGuessFile.
void append_guess(const std::filesystem::path& path, const GuessLine& line);
inline constexpr std::uint64_t kLargestGuessFile = 16 << 20;

}  // namespace headlight
