// A question of a step: guess first, then see. Five kinds, a row of a table each; the answer is the engine's, of the run that is shown when it
// is asked (app/lessons/play/answer.h).
//
//     key     which key gets most of a row's attention        a click
//     order   three heads, from the most to the least of a number
//     row     the whole row, drawn
//     number  a live number
//     yes-no  whether a live number is above, below or equal to another
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "app/lessons/words.h"

namespace headlight {

enum class QuestionKind : std::uint8_t { key, order, row, number, yes_no };

struct QuestionKindRow {
  QuestionKind kind;
  std::string_view name = {};  ///< in files
};
std::span<const QuestionKindRow> question_kinds();
const QuestionKindRow& question_kind(QuestionKind kind);

enum class NumberRelation : std::uint8_t { above, below, equals };

struct Question {
  QuestionKind kind = QuestionKind::key;
  int line = 1;  ///< of its file
  Paragraph ask = {};
  std::vector<Paragraph> after = {};                ///< shown with the answer
  HeadId head = {};                                 ///< key, row; number and yes_no where they hide a row
  WordPlace row = {};                               ///< likewise
  bool hides_row = false;                           ///< that row of that head's map is covered until the answer
  std::vector<HeadId> heads = {};                   ///< order: kOrderedHeads
  LiveNumber number = {};                           ///< order: of any head; number, yes_no
  double within = 0;                                ///< number: how far off, as a share of the answer, still counts as right
  NumberRelation relation = NumberRelation::above;  ///< yes_no
  std::variant<double, LiveNumber> bound = 0.0;     ///< likewise
};

/// The answer is a number that the shown maps show.
bool asks_of_maps(const Question& question);

inline constexpr std::size_t kOrderedHeads = 3;
/// Two numbers count as equal up to this share of the larger: float32 rounds differently when it sums in another order.
inline constexpr double kEqualNumbers = 1e-4;
inline constexpr double kSmallNumber = 1e-2;  ///< below, that share is of this

}  // namespace headlight
