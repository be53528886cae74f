// Several subjects as JSON.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/document/document_fields.h"
#include "app/document/subjects.h"

namespace headlight {
namespace {

constexpr int kLargestId = 1'000'000;

Json to_json(const Subject& subject) {
  Json json = {{"id", subject.id}, {"query", to_json(subject.query)}, {"is_frozen", subject.is_frozen}};
  if (!subject.drawn_map.strokes.empty()) json[kDrawnMap] = to_json(subject.drawn_map);
  return json;
}

Subject read_subject(const JsonFields& fields) {
  Subject subject;
  subject.id = static_cast<int>(fields.integer("id", 1, kLargestId));
  subject.query = read_query(fields.object("query"));
  subject.is_frozen = fields.boolean_or("is_frozen", false);
  subject.drawn_map = read_drawn_map(fields);
  return subject;
}

/// Ids ascend, so that none occurs twice and unknown fields can be matched to their subject again.
std::vector<Subject> read_list_of_subjects(const JsonFields& fields) {
  std::vector<Subject> subjects;
  std::size_t texts = 0, frozen = 0;
  for (const Json& item : fields.array("subjects")) {
    const JsonFields one(item, fields.file(), fmt::format("{}[{}]", fields.path_of("subjects"), subjects.size()));
    Subject subject = read_subject(one);
    if (!subjects.empty() && subject.id <= subjects.back().id) {
      one.refuse("id", "subjects are listed by ascending id, each once", std::to_string(subject.id),
                 fmt::format("more than {}", subjects.back().id));
    }
    if (++(subject.is_frozen ? frozen : texts) > (subject.is_frozen ? kMostFrozen : kMostTexts)) {
      fields.refuse("subjects", subject.is_frozen ? "too many frozen subjects" : "too many texts", {},
                    fmt::format("at most {}", subject.is_frozen ? kMostFrozen : kMostTexts));
    }
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

}  // namespace

Json subjects_json(const Document& document) {
  std::vector<Subject> subjects = document.others;
  subjects.push_back({document.focused, document.query, document.drawn_map});
  std::sort(subjects.begin(), subjects.end(), [](const Subject& a, const Subject& b) { return a.id < b.id; });
  Json list = Json::array();
  for (const Subject& subject : subjects) list.push_back(to_json(subject));
  return list;
}

void read_subjects(const JsonFields& fields, Document& document) {
  std::vector<Subject> subjects = read_list_of_subjects(fields);
  document.focused = static_cast<int>(fields.integer("focused", 1, kLargestId));
  const auto focused = std::find_if(subjects.begin(), subjects.end(), [&](const Subject& each) { return each.id == document.focused; });
  if (focused == subjects.end() || focused->is_frozen) {
    fields.refuse("focused", "there is no such text", std::to_string(document.focused), "the id of a subject that is not frozen");
  }
  document.query = std::move(focused->query);
  document.drawn_map = std::move(focused->drawn_map);
  subjects.erase(focused);
  document.others = std::move(subjects);
  if (!fields.has("baseline")) return;
  document.baseline = static_cast<int>(fields.integer("baseline", 1, kLargestId));
  if (!is_frozen(document, *document.baseline)) {
    fields.refuse("baseline", "there is no such frozen subject", std::to_string(*document.baseline), "the id of a frozen subject");
  }
}

}  // namespace headlight
