#include "app/lessons/question.h"

#include <array>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

constexpr std::array kKinds{
    QuestionKindRow{QuestionKind::key, "key"},       QuestionKindRow{QuestionKind::order, "order"},
    QuestionKindRow{QuestionKind::row, "row"},       QuestionKindRow{QuestionKind::number, "number"},
    QuestionKindRow{QuestionKind::yes_no, "yes-no"},
};
static_assert(has_row_of_each(kKinds, &QuestionKindRow::kind));

}  // namespace

std::span<const QuestionKindRow> question_kinds() {
  return kKinds;
}

const QuestionKindRow& question_kind(QuestionKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

bool asks_of_maps(const Question& question) {
  const NumberRow* row = question.number.row;  // null: of keys and rows, which have none
  const NumberRun& run = question.number.run;
  return row != nullptr && row->is_seen_in_maps && !run.is_before && !run.without && !question.number.is_without_open;
}

}  // namespace headlight
