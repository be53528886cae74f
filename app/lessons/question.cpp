#include "app/lessons/question.h"

#include <array>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

constexpr std::array kKinds{
    QuestionKindRow{QuestionKind::key, "key", "Click the word that you think gets most",
                    "the weight of the guessed key, divided by the largest weight of the row"},
    QuestionKindRow{QuestionKind::order, "order", "Put the three heads in order, the most first",
                    "how many of the three pairs are in the right order"},
    QuestionKindRow{QuestionKind::row, "row", "Draw the row", "how much of the row the drawing covers: Σ min(drawn, true)"},
    QuestionKindRow{QuestionKind::number, "number", "Type a number",
                    "1 where it is near enough, then falling to 0 for a guess that is off by the answer's own size"},
    QuestionKindRow{QuestionKind::yes_no, "yes-no", "Yes or no?", "1 or 0"},
};
static_assert(has_row_of_each(kKinds, &QuestionKindRow::kind));

}  // namespace

std::span<const QuestionKindRow> question_kinds() {
  return kKinds;
}

const QuestionKindRow& question_kind(QuestionKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

}  // namespace headlight
