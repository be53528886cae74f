// The guesses of a class in a CSV file, one line a guess: on this machine only, and only where a person asked for it. It contains no names, no
// times and nothing else that says who guessed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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
/// Throws the same Error where append_guess would leave the file as it is; a file that is not there is fine.
void check_guess_file(const std::filesystem::path& path);

/// What a class said to one question.
struct GuessTally {
  std::string lesson = {};
  int step = 0;
  std::string asked = {}, answer = {};  ///< answer: of the last guess
  int guesses = 0, right = 0;
  double share = 0;            ///< mean of the scores, 0…1
  std::string commonest = {};  ///< guess, and how often
  int times = 0;
};
/// By lesson and step. Throws Error (input) for a file that is not one of guesses, with the line of a broken one.
std::vector<GuessTally> tally_guesses(const std::filesystem::path& path);
inline constexpr std::uint64_t kLargestGuessFile = 16 << 20;

}  // namespace headlight
