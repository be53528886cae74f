// Questions answered by the engine, and guesses scored against its answer. Nothing is stored: the answer is that of the run which is shown.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/lessons/numbers/live_value.h"
#include "app/lessons/question.h"

namespace headlight {

struct Answer {
  std::string text = {};     ///< "horse, 87 %", "2.2, 2.1, 1.3", "Yes"
  std::string problem = {};  ///< why there is no answer; empty: there is one
  // key, row
  std::vector<double> row = {};         ///< the weights of all keys
  std::vector<bool> is_allowed = {};    ///< keys that can be guessed
  std::vector<std::string> words = {};  ///< of the keys
  Index best = 0;                       ///< the key with the largest weight, the first of several
  // order
  std::vector<LiveValue> values = {};  ///< of the heads, in the order of the question
  std::vector<HeadId> order = {};      ///< by size, whatever the sign, the largest first
  // number, yes-no
  LiveValue number = {};
  bool is_true = false;
};

/// Throws Error (input) for heads and words that the run does not have; Cancelled.
Answer answer_of(const Question& question, const LessonRuns& runs);

/// key: its position. order: the heads. row: a number for each key, in any unit. number. yes-no.
using Guess = std::variant<Index, std::vector<HeadId>, std::vector<double>, double, bool>;
/// "sailors", "1.3, 2.1, 2.2", "0.2 0.8", "0.5", "no": for a class's file.
std::string to_text(const Guess& guess, const Answer& answer);

struct GuessScore {
  double share = 0;       ///< 0…1: as assets/lessons/README.md says for each kind of question
  bool is_right = false;  ///< nothing better could be guessed, or the number is close enough
  std::string text = {};  ///< "3 % of attention caught, of 87 % that could be"
};
/// The guess is of the question's kind. No guess scores where the answer has a problem.
GuessScore score_of(const Question& question, const Answer& answer, const Guess& guess);

}  // namespace headlight
