#include "app/lessons/play/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/wording.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

Answer row_answer(const Question& question, const LessonRuns& runs) {
  const Snapshot& run = *runs.shown;
  check_head(question.head, run);
  const Index query = row_of_word(question.row, run, question.head.layer);
  const HeadMaps& maps = runs.memory->maps_of(runs.shown, question.head, runs.progress);
  const Encoding& keys = run.key_tokens(question.head.layer);
  Answer answer;
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    answer.row.push_back(static_cast<double>(maps.weights(query, key)));
    answer.is_allowed.push_back(maps.mask->allows(query, key));
    answer.words.push_back(run.label(keys, keys.tokens[static_cast<std::size_t>(key)]).text);
  }
  if (maps.is_row_masked[static_cast<std::size_t>(query)]) {
    answer.problem = "the mask forbids every key of this row";
    return answer;
  }
  answer.best = std::max_element(answer.row.begin(), answer.row.end()) - answer.row.begin();
  const auto best = static_cast<std::size_t>(answer.best);
  answer.text = fmt::format("{}, {}", answer.words[best], percent_text(answer.row[best]));
  return answer;
}

std::string names_of(const std::vector<HeadId>& heads) {
  std::string names;
  for (const HeadId head : heads) names += (names.empty() ? "" : ", ") + short_name(head);
  return names;
}

Answer order_answer(const Question& question, const LessonRuns& runs) {
  Answer answer;
  for (const HeadId head : question.heads) {
    answer.values.push_back(value_of(of_head(question.number, head), runs));
    if (answer.problem.empty()) answer.problem = answer.values.back().reason;
  }
  if (!answer.problem.empty()) return answer;
  std::vector<std::size_t> places(question.heads.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(answer.values[a].value) > std::abs(answer.values[b].value); });
  for (const std::size_t place : places) {
    answer.order.push_back(question.heads[place]);
    answer.text += fmt::format("{}{} ({})", answer.text.empty() ? "" : ", ", short_name(question.heads[place]), answer.values[place].text);
  }
  return answer;
}

Answer number_answer(const Question& question, const LessonRuns& runs) {
  Answer answer{.number = value_of(question.number, runs)};
  answer.text = answer.number.text;
  answer.problem = answer.number.reason;
  return answer;
}

bool holds(NumberRelation relation, double value, double bound) {
  switch (relation) {
    case NumberRelation::above:
      return value > bound;
    case NumberRelation::below:
      return value < bound;
    default:
      return std::abs(value - bound) <= kEqualNumbers * std::max({std::abs(value), std::abs(bound), kSmallNumber});
  }
}

Answer yes_no_answer(const Question& question, const LessonRuns& runs) {
  Answer answer = number_answer(question, runs);
  LiveValue bound{.value = 0};
  if (const double* const number = std::get_if<double>(&question.bound)) {
    bound.value = *number;
  } else {
    bound = value_of(std::get<LiveNumber>(question.bound), runs);
  }
  if (answer.problem.empty()) answer.problem = bound.reason;
  if (!answer.problem.empty()) return answer;
  answer.is_true = holds(question.relation, answer.number.value, bound.value);
  const std::string compared = bound.text.empty() ? "" : fmt::format(" and {}", bound.text);
  answer.text = fmt::format("{} ({}{})", answer.is_true ? "Yes" : "No", answer.number.text, compared);
  return answer;
}

GuessScore key_score(const Answer& answer, Index key) {
  if (key < 0 || key >= std::ssize(answer.row)) return {.share = 0, .is_right = false, .text = "not one of the words"};
  const double caught = answer.row[static_cast<std::size_t>(key)], best = answer.row[static_cast<std::size_t>(answer.best)];
  const double share = best > 0 ? caught / best : 0;
  return {.share = share,
          .is_right = share >= 1,
          .text = fmt::format("{} of the attention caught, of a possible {}", percent_text(caught), percent_text(best))};
}

/// The pairs of heads that are in the right order; equal ones are right either way.
GuessScore order_score(const Question& question, const Answer& answer, const std::vector<HeadId>& guess) {
  const bool is_whole = std::is_permutation(guess.begin(), guess.end(), question.heads.begin(), question.heads.end());
  if (!is_whole) return {.share = 0, .is_right = false, .text = "not these three heads"};
  const auto size_of = [&](HeadId head) {
    const auto place = std::find(question.heads.begin(), question.heads.end(), head) - question.heads.begin();
    return std::abs(answer.values[static_cast<std::size_t>(place)].value);
  };
  int right = 0, pairs = 0;
  for (std::size_t first = 0; first < guess.size(); ++first) {
    for (std::size_t second = first + 1; second < guess.size(); ++second) {
      ++pairs;
      right += size_of(guess[first]) >= size_of(guess[second]) ? 1 : 0;
    }
  }
  return {.share = static_cast<double>(right) / pairs,
          .is_right = right == pairs,
          .text = fmt::format("{} of {} pairs in order", right, pairs)};
}

GuessScore row_score(const Answer& answer, const std::vector<double>& drawn) {
  double sum = 0, covered = 0;
  for (const double part : drawn) sum += std::max(part, 0.0);
  for (std::size_t key = 0; key < std::min(drawn.size(), answer.row.size()) && sum > 0; ++key) {
    covered += std::min(std::max(drawn[key], 0.0) / sum, answer.row[key]);
  }
  constexpr double kAllButRounding = 0.995;
  return {.share = covered, .is_right = covered >= kAllButRounding, .text = fmt::format("{} of the row covered", percent_text(covered))};
}

GuessScore number_score(const Question& question, const Answer& answer, double guess) {
  const double truth = answer.number.value;
  const double off = guess == truth ? 0 : std::abs(guess - truth) / std::abs(truth);  // infinite where the answer is 0
  const double share = off <= question.within ? 1 : question.within < 1 ? std::max(0.0, (1 - off) / (1 - question.within)) : 0;
  const std::string text = std::isfinite(off) ? fmt::format("{} off", percent_text(off)) : "the answer is 0";
  return {.share = share, .is_right = off <= question.within, .text = off == 0 ? "exact" : text};
}

}  // namespace

Answer answer_of(const Question& question, const LessonRuns& runs) {
  switch (question.kind) {
    case QuestionKind::order:
      return order_answer(question, runs);
    case QuestionKind::number:
      return number_answer(question, runs);
    case QuestionKind::yes_no:
      return yes_no_answer(question, runs);
    default:
      return row_answer(question, runs);
  }
}

std::string to_text(const Guess& guess, const Answer& answer) {
  if (const Index* const key = std::get_if<Index>(&guess)) {
    const bool is_there = *key >= 0 && *key < std::ssize(answer.words);
    return is_there ? answer.words[static_cast<std::size_t>(*key)] : fmt::format("@{}", *key);
  }
  if (const auto* const heads = std::get_if<std::vector<HeadId>>(&guess)) return names_of(*heads);
  if (const auto* const row = std::get_if<std::vector<double>>(&guess)) {
    std::string text;
    for (const double part : *row) text += fmt::format("{}{:.3g}", text.empty() ? "" : " ", part);
    return text;
  }
  if (const double* const number = std::get_if<double>(&guess)) return fmt::format("{:g}", *number);
  return std::get<bool>(guess) ? "yes" : "no";
}

GuessScore score_of(const Question& question, const Answer& answer, const Guess& guess) {
  if (!answer.problem.empty()) return {.share = 0, .is_right = false, .text = answer.problem};
  if (const Index* const key = std::get_if<Index>(&guess)) return key_score(answer, *key);
  if (const auto* const heads = std::get_if<std::vector<HeadId>>(&guess)) return order_score(question, answer, *heads);
  if (const auto* const row = std::get_if<std::vector<double>>(&guess)) return row_score(answer, *row);
  if (const double* const number = std::get_if<double>(&guess)) return number_score(question, answer, *number);
  const bool is_right = std::get<bool>(guess) == answer.is_true;
  return {.share = is_right ? 1.0 : 0.0, .is_right = is_right, .text = is_right ? "right" : "wrong"};
}

}  // namespace headlight
