#include "app/document/subjects.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

using Subjects = std::vector<Subject>;

Subjects::const_iterator find_other(const Document& document, int id) {
  return std::find_if(document.others.begin(), document.others.end(), [&](const Subject& each) { return each.id == id; });
}

int next_id(const Document& document) {
  int highest = document.focused;
  for (const Subject& each : document.others) highest = std::max(highest, each.id);
  return highest + 1;
}

void insert_sorted(Subjects& subjects, Subject subject) {
  const auto place = std::find_if(subjects.begin(), subjects.end(), [&](const Subject& each) { return each.id > subject.id; });
  subjects.insert(place, std::move(subject));
}

/// Removes frozen subjects that are neither the baseline nor pinned.
void let_go_unused(Document& document) {
  std::erase_if(document.others, [&](const Subject& each) {
    const bool is_pinned = std::any_of(document.pins.begin(), document.pins.end(), [&](const Pin& pin) { return pin.subject == each.id; });
    return each.is_frozen && document.baseline != each.id && !is_pinned;
  });
}

const Subject* equal_frozen(const Document& document, const Query& query) {
  const auto match = std::find_if(document.others.begin(), document.others.end(),
                                  [&](const Subject& each) { return each.is_frozen && each.query == query; });
  return match == document.others.end() ? nullptr : &*match;
}

std::size_t count_frozen(const Document& document) {
  return static_cast<std::size_t>(
      std::count_if(document.others.begin(), document.others.end(), [](const Subject& each) { return each.is_frozen; }));
}

/// Makes the pin at `place` one of another subject; if there is such a pin already, one of the two is removed.
void move_pin(Document& document, std::size_t place, int subject) {
  const Pin moved{document.pins[place].head, subject};
  const auto begin = document.pins.begin();
  if (std::find(begin, document.pins.end(), moved) == document.pins.end()) {
    document.pins[place] = moved;
  } else {
    document.pins.erase(begin + static_cast<std::ptrdiff_t>(place));
  }
  let_go_unused(document);
}

std::string why_no_more_frozen(const Document& document, const Query& query) {
  if (equal_frozen(document, query) || count_frozen(document) < kMostFrozen) return {};
  return fmt::format("A document keeps at most {} frozen states. Unfreeze or unpin a frozen head first, or clear the baseline.",
                     kMostFrozen);
}

[[noreturn]] void refuse(const std::string& field, std::string problem) {
  throw Error({.kind = ErrorKind::limit, .field = field, .problem = std::move(problem)});
}

/// The text that a frozen subject was most likely copied from.
int source_of(const Document& document, const Query& frozen) {
  const auto reads_the_same = [&](const Query& query) {
    return query.text == frozen.text && query.text_pair == frozen.text_pair && query.decoder_text == frozen.decoder_text;
  };
  if (reads_the_same(document.query)) return document.focused;
  for (const Subject& each : document.others) {
    if (!each.is_frozen && reads_the_same(each.query)) return each.id;
  }
  return document.focused;
}

}  // namespace

std::vector<int> texts_of(const Document& document) {
  std::vector<int> texts{document.focused};
  for (const Subject& each : document.others) {
    if (!each.is_frozen) texts.push_back(each.id);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

const Query* query_of(const Document& document, int id) {
  if (id == document.focused) return &document.query;
  const auto other = find_other(document, id);
  return other == document.others.end() ? nullptr : &other->query;
}

bool is_frozen(const Document& document, int id) {
  const auto other = find_other(document, id);
  return other != document.others.end() && other->is_frozen;
}

int text_number(const Document& document, int id) {
  const std::vector<int> texts = texts_of(document);
  const auto match = std::find(texts.begin(), texts.end(), id);
  return match == texts.end() ? 0 : static_cast<int>(match - texts.begin()) + 1;
}

std::string subject_name(const Document& document, int id) {
  if (document.baseline == id) return "before";
  return is_frozen(document, id) ? "frozen" : fmt::format("text {}", text_number(document, id));
}

std::vector<Query> queries_beside(const Document& document) {
  std::vector<Query> queries;
  for (const Subject& each : document.others) queries.push_back(each.query);
  return queries;
}

void focus(Document& document, int id) {
  const auto wanted = std::find_if(document.others.begin(), document.others.end(), [&](const Subject& each) { return each.id == id; });
  if (wanted == document.others.end() || wanted->is_frozen) return;
  Subject next = std::move(*wanted);
  document.others.erase(wanted);
  insert_sorted(document.others, {document.focused, std::move(document.query), std::move(document.drawn_map)});
  document.focused = next.id;
  document.query = std::move(next.query);
  document.drawn_map = std::move(next.drawn_map);
}

std::string why_no_more_texts(const Document& document) {
  if (texts_of(document).size() < kMostTexts) return {};
  return fmt::format("A document compares at most {} texts. Close one first.", kMostTexts);
}

int add_copy(Document& document) {
  if (std::string problem = why_no_more_texts(document); !problem.empty()) refuse("text", std::move(problem));
  const int id = next_id(document);
  document.others.push_back({id, document.query});
  focus(document, id);
  return id;
}

int add_text(Document& document, std::string text) {
  const int id = add_copy(document);
  document.query.text = std::move(text);
  document.query.ids.clear();
  return id;
}

void remove_subject(Document& document, int id) {
  const std::vector<int> texts = texts_of(document);
  const bool is_text = text_number(document, id) > 0;
  if (is_text && texts.size() == 1) return;
  if (id == document.focused) focus(document, texts.front() == id ? texts[1] : *(std::find(texts.begin(), texts.end(), id) - 1));
  std::erase_if(document.others, [&](const Subject& each) { return each.id == id; });
  std::erase_if(document.pins, [&](const Pin& pin) { return pin.subject == id; });
  if (document.baseline == id) document.baseline.reset();
  let_go_unused(document);
}

int freeze(Document& document, int id) {
  const Query* query = query_of(document, id);
  if (query == nullptr || is_frozen(document, id)) return id;
  if (const Subject* equal = equal_frozen(document, *query)) return equal->id;
  if (std::string problem = why_no_more_frozen(document, *query); !problem.empty()) refuse("baseline", std::move(problem));
  Subject frozen{next_id(document), *query, {}, true};
  document.others.push_back(std::move(frozen));
  return document.others.back().id;
}

void set_baseline(Document& document) {
  Document next = document;
  next.baseline.reset();
  let_go_unused(next);
  next.baseline = freeze(next, next.focused);
  document = std::move(next);
}

void clear_baseline(Document& document) {
  document.baseline.reset();
  let_go_unused(document);
}

void toggle_switched_off(Query& query, HeadId head) {
  std::vector<HeadId>& heads = query.switched_off;  // sorted
  const auto place = std::lower_bound(heads.begin(), heads.end(), head);
  place != heads.end() && *place == head ? void(heads.erase(place)) : void(heads.insert(place, head));
}

void toggle_pin(Document& document, HeadId head) {
  const Pin pin{head, document.focused};
  if (std::erase(document.pins, pin) == 0) document.pins.push_back(pin);
}

void unpin(Document& document, std::size_t place) {
  if (place >= document.pins.size()) return;
  document.pins.erase(document.pins.begin() + static_cast<std::ptrdiff_t>(place));
  let_go_unused(document);
}

std::string why_not_frozen(const Document& document, std::size_t place) {
  const Query* query = place < document.pins.size() ? query_of(document, document.pins[place].subject) : nullptr;
  return query == nullptr || is_frozen(document, document.pins[place].subject) ? std::string() : why_no_more_frozen(document, *query);
}

void freeze_pin(Document& document, std::size_t place) {
  if (place >= document.pins.size() || is_frozen(document, document.pins[place].subject)) return;
  move_pin(document, place, freeze(document, document.pins[place].subject));
}

void unfreeze_pin(Document& document, std::size_t place) {
  if (place >= document.pins.size() || !is_frozen(document, document.pins[place].subject)) return;
  move_pin(document, place, source_of(document, *query_of(document, document.pins[place].subject)));
}

}  // namespace headlight
