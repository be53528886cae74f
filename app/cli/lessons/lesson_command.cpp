#include "app/cli/lessons/lesson_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/console.h"
#include "app/cli/lessons/lesson_report.h"
#include "app/lessons/load_lessons.h"
#include "app/lessons/play/guess_file.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;
constexpr int kBrokenStatus = static_cast<int>(ErrorKind::input);

struct LessonOptions {
  explicit LessonOptions(CLI::App& command) {
    command.require_subcommand(1);
    list = command.add_subcommand("list", "List the lessons that come with Headlight");
    check = command.add_subcommand("check", "Read lessons, play them without a window, and print what each step shows");
    check->add_option("FILE", files, "A lesson's file, or the name of one that comes with Headlight")->required()->type_name("");
    guesses = command.add_subcommand("guesses", "Sum up the guesses of a class, question by question");
    guesses->add_option("FILE", files, "A file that the window wrote: Take a lesson, Guesses of a class")
        ->required()
        ->expected(1)
        ->type_name("");
    for (CLI::App* each : {list, check, guesses}) each->add_flag("--json", is_json, "Print JSON");
  }
  CLI::App* list = nullptr;
  CLI::App* check = nullptr;
  CLI::App* guesses = nullptr;
  std::vector<std::string> files;
  bool is_json = false;
};

void print_fault(const std::string& message) {
  std::fputs((printable_lines(message) + "\n").c_str(), stderr);
}

int list_lessons(bool is_json) {
  const Lessons found = load_lessons(lessons_folder());
  Report report = Report::array();
  std::string text;
  for (const Lesson& lesson : found.lessons) {
    text +=
        fmt::format("{}  {} ({} steps, {} minutes)\n    {}\n", lesson.name, lesson.title, lesson.steps.size(), lesson.minutes, lesson.goal);
    report.push_back({{"name", lesson.name},
                      {"title", lesson.title},
                      {"goal", lesson.goal},
                      {"minutes", lesson.minutes},
                      {"steps", lesson.steps.size()}});
  }
  write_result(is_json ? json_text(report, 2) + "\n" : text);
  for (const std::string& fault : found.left_out) print_fault(fault);
  return found.left_out.empty() ? 0 : kBrokenStatus;
}

/// A path, or a lesson of the program by its name.
std::filesystem::path lesson_path(const std::string& name) {
  std::error_code ignored;
  const std::filesystem::path own = lessons_folder() / (name + std::string(kLessonEnding));
  const bool is_name = !std::filesystem::exists(name, ignored) && std::filesystem::exists(own, ignored);
  return is_name ? own : std::filesystem::path(name);
}

int check_lessons(const std::vector<std::string>& files, bool is_json) {
  Pipeline pipeline;
  ConsoleProgress progress;
  Report report = Report::array();
  std::string text;
  bool is_any_broken = false;
  for (const std::string& name : files) {
    try {
      const Lesson lesson = load_lesson(lesson_path(name));
      const std::vector<PlayedStep> played = play_lesson(lesson, pipeline, progress);
      text += (text.empty() ? "" : "\n\n") + lesson_text(lesson, played);
      report.push_back(lesson_json(lesson, played));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      is_any_broken = true;
      print_fault(error.message());
      report.push_back({{"file", printable(name, 4096)}, {"error", error.message()}});
    }
  }
  write_result(is_json ? json_text(report, 2) + "\n" : text);
  return is_any_broken ? kBrokenStatus : 0;
}

int sum_up_guesses(const std::string& file, bool is_json) {
  Report report = Report::array();
  std::string text;
  for (const GuessTally& each : tally_guesses(file)) {
    text += fmt::format("{}, step {}: {}\n    {} of {} right, score {:.2f} on average. The answer: {}. Guessed most: {} ({}).\n",
                        each.lesson, each.step, each.asked, each.right, each.guesses, each.share, each.answer, each.commonest, each.times);
    report.push_back({{"lesson", each.lesson},
                      {"step", each.step},
                      {"question", each.asked},
                      {"guesses", each.guesses},
                      {"right", each.right},
                      {"score", each.share},
                      {"answer", each.answer},
                      {"guessed_most", each.commonest},
                      {"times", each.times}});
  }
  write_result(is_json ? json_text(report, 2) + "\n" : printable_lines(text));
  return 0;
}

int run_lesson(const LessonOptions& options) {
  if (options.guesses->parsed()) return sum_up_guesses(options.files.front(), options.is_json);
  return options.list->parsed() ? list_lessons(options.is_json) : check_lessons(options.files, options.is_json);
}

}  // namespace

void add_lesson(CLI::App& command, Action& action) {
  keep_options<LessonOptions>(command, action, run_lesson);
}

}  // namespace headlight
