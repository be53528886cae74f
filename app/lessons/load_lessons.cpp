#include "app/lessons/load_lessons.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/lessons/lesson_fields.h"
#include "engine/core/assets.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

constexpr std::string_view kFormat = "headlight-lesson";
constexpr std::uint64_t kLargestLesson = 256 << 10;
constexpr int kLessonDepth = 16;
constexpr int kMostMinutes = 60, kLastPlace = 1000;

class LessonReader {
 public:
  LessonReader(const std::string& file, const JsonLines& lines) : file_(file), lines_(lines) {}

  Lesson read(const Json& json) {
    const JsonFields fields(json, file_);
    check_format(fields);
    refuse_unknown(fields, {"format", "version", "title", "goal", "minutes", "place", "document", "steps"});
    Lesson lesson{.file = file_, .name = name_of_lesson(file_)};
    lesson.title = read_line(fields, "title");
    lesson.goal = read_line(fields, "goal", kLongestParagraph);
    lesson.minutes = static_cast<int>(fields.integer("minutes", 1, kMostMinutes));
    if (fields.has("place")) lesson.place = static_cast<int>(fields.integer("place", 1, kLastPlace));
    if (fields.has("document")) {
      own_ = fields.at("document");
      document_ = read_lesson_document(own_, file_, "document");
    }
    read_steps(fields, lesson);
    return lesson;
  }

 private:
  void check_format(const JsonFields& fields) const {
    if (fields.text_or("format", "") != kFormat) {
      fields.refuse("format", "this is not a lesson", fields.has("format") ? describe(fields.at("format")) : "no such field",
                    fmt::format("\"{}\"", kFormat));
    }
    fields.integer("version", 1, kLessonVersion);
  }

  void read_steps(const JsonFields& fields, Lesson& lesson) {
    const Json& steps = fields.array("steps");
    if (steps.empty()) fields.refuse("steps", "the lesson has no step");
    if (steps.size() > kMostLessonSteps) {
      fields.refuse("steps", "there are too many steps", std::to_string(steps.size()), fmt::format("at most {}", kMostLessonSteps));
    }
    for (const Json& step : steps) {
      lesson.steps.push_back(read_step(JsonFields(step, file_, fmt::format("steps[{}]", lesson.steps.size()))));
    }
  }

  LessonStep read_step(const JsonFields& fields) {
    refuse_unknown(fields, {"title", "words", "document", "view", "head", "row", "stage", "inside_step", "lab", "page", "number", "target",
                            "frame", "cover", "question", "touch"});
    LessonStep step{.line = lines_.line_of(fields.path()), .title = read_line(fields, "title")};
    step.words = read_paragraphs(fields, "words", lines_);
    step.document = document_of(fields);
    step.view = read_view(fields);
    if (fields.has("question")) step.question = read_question(fields.object("question"), lines_);
    read_touch(fields, step);
    return step;
  }

  /// The lesson's document with the changes of this step alone.
  Document document_of(const JsonFields& step) {
    if (!step.has("document")) return document_;
    const Json& change = step.at("document");
    read_lesson_document(change, file_, step.path_of("document"));  // so that its own faults are found on their lines
    Json merged = own_;
    merged.merge_patch(change);
    return read_lesson_document(merged, file_, step.path_of("document"));
  }

  static void read_touch(const JsonFields& fields, LessonStep& step) {
    if (!fields.has("touch")) return;
    for (const ListedText& item : read_texts(fields, "touch"))
      step.touch.push_back(checked_name(fields, item.key, item.text, touchables()));
  }

  const std::string& file_;
  const JsonLines& lines_;
  Json own_ = Json::object();
  Document document_;
};

}  // namespace

bool names_lesson(const std::filesystem::path& path) {
  return path.filename().string().ends_with(kLessonEnding);
}

std::string name_of_lesson(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  if (names_lesson(path)) name.erase(name.size() - kLessonEnding.size());
  return name;
}

Lesson read_lesson(std::string_view bytes, const std::string& file) {
  const LinedJson lined = parse_lined_json(bytes, file, JsonOptions{kLessonDepth, 0, {}});
  try {
    return LessonReader(file, lined.lines).read(*lined.json);
  } catch (const Error& error) {
    throw with_line(error, lined.lines.line_of(error.detail().field));
  }
}

Lesson load_lesson(const std::filesystem::path& path) {
  return read_lesson(read_file(path, kLargestLesson), printable(path.string(), 4096));
}

Lessons load_lessons(const std::filesystem::path& folder) {
  Lessons found;
  if (folder.empty()) return found;
  for (const std::string& name : file_names_in(folder)) {
    if (!names_lesson(name)) continue;
    try {
      found.lessons.push_back(read_lesson(read_file(folder / name, kLargestLesson), printable(name)));
    } catch (const Error& error) {
      found.left_out.push_back(error.message());
    }
  }
  const auto place = [](const Lesson& lesson) { return lesson.place > 0 ? lesson.place : kLastPlace + 1; };
  std::stable_sort(found.lessons.begin(), found.lessons.end(), [&](const Lesson& a, const Lesson& b) { return place(a) < place(b); });
  return found;
}

Lessons load_lessons(const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder) {
  Lessons all;
  for (const std::filesystem::path& file : files) {
    try {
      all.lessons.push_back(load_lesson(file));
    } catch (const Error& error) {
      all.left_out.push_back(error.message());
    }
  }
  Lessons found = load_lessons(folder);
  std::move(found.lessons.begin(), found.lessons.end(), std::back_inserter(all.lessons));
  std::move(found.left_out.begin(), found.left_out.end(), std::back_inserter(all.left_out));
  return all;
}

std::filesystem::path lessons_folder() {
  const std::filesystem::path assets = assets_folder();
  return assets.empty() ? assets : assets / "lessons";
}

}  // namespace headlight
