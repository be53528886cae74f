// Questions of a lesson's file.
#include <fmt/core.h>

#include <algorithm>

#include "app/lessons/lesson_fields.h"

namespace headlight {
namespace {

constexpr double kUsualWithin = 0.2;

void read_hidden_row(const JsonFields& fields, Question& question) {
  question.head = read_head(fields, "head");
  question.row = read_place(fields, "row");
  question.hides_row = true;
}

void read_row(const JsonFields& fields, Question& question) {
  refuse_unknown(fields, {"kind", "ask", "after", "head", "row"});
  read_hidden_row(fields, question);
}

void read_order(const JsonFields& fields, Question& question) {
  refuse_unknown(fields, {"kind", "ask", "after", "heads", "by"});
  const std::vector<ListedText> heads = read_texts(fields, "heads", "a head, such as \"2.1\"");
  if (heads.size() != kOrderedHeads) {
    fields.refuse("heads", "an order needs three heads", std::to_string(heads.size()), "three heads, such as \"2.1\"");
  }
  for (const ListedText& head : heads) {
    question.heads.push_back(read_parsed(fields, head.key, head.text, parse_head));
    if (std::count(question.heads.begin(), question.heads.end(), question.heads.back()) > 1) {
      fields.refuse(head.key, "this head is listed twice", in_quotes(head.text));
    }
  }
  question.number = read_live_number(fields, "by", true);
  if (!is_of_any_head(question.number)) {
    fields.refuse("by", "the number is the same for all heads", in_quotes(question.number.text), "a number with the word HEAD in it");
  }
}

void read_number(const JsonFields& fields, Question& question) {
  refuse_unknown(fields, {"kind", "ask", "after", "number", "within", "head", "row"});
  if (fields.has("head") || fields.has("row")) read_hidden_row(fields, question);
  question.number = read_live_number(fields, "number");
  question.within = fields.number_or("within", kUsualWithin, 0, 1);
  if (question.number.row->format == NumberFormat::word)
    fields.refuse("number", "this number is shown as a word, so a guess cannot be close to it");
}

void read_yes_no(const JsonFields& fields, Question& question) {
  refuse_unknown(fields, {"kind", "ask", "after", "number", "above", "below", "equals"});
  question.number = read_live_number(fields, "number");
  constexpr std::pair<const char*, NumberRelation> kRelations[] = {
      {"above", NumberRelation::above}, {"below", NumberRelation::below}, {"equals", NumberRelation::equals}};
  int relations = 0;
  for (const auto& [key, relation] : kRelations) {
    if (!fields.has(key)) continue;
    ++relations;
    question.relation = relation;
    if (fields.at(key).is_string()) {
      question.bound = read_live_number(fields, key);
    } else {
      question.bound = fields.number_or(key, 0, -1e12, 1e12);
    }
  }
  if (relations != 1)
    fields.refuse("number", "the question does not say what to compare the number with", {}, "one of above, below and equals");
}

using Read = void (*)(const JsonFields&, Question&);

Read reader_of(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::order:
      return read_order;
    case QuestionKind::number:
      return read_number;
    case QuestionKind::yes_no:
      return read_yes_no;
    default:
      return read_row;
  }
}

}  // namespace

Question read_question(const JsonFields& fields, const JsonLines& lines) {
  Question question{.line = lines.line_of(fields.path())};
  const std::string name = fields.text("kind");
  std::string names;
  for (const QuestionKindRow& row : question_kinds()) names += fmt::format("{}{}", names.empty() ? "one of " : ", ", row.name);
  const auto rows = question_kinds();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const QuestionKindRow& each) { return each.name == name; });
  if (row == rows.end()) fields.refuse("kind", "unknown kind of question", in_quotes(name), names);
  question.kind = row->kind;
  reader_of(question.kind)(fields, question);
  question.ask = read_paragraph(fields, "ask", lines);
  if (fields.has("after")) question.after = read_paragraphs(fields, "after", lines);
  return question;
}

}  // namespace headlight
