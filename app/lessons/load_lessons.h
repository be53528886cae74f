// Lessons from files: NAME.lesson.json (assets/lessons/README.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace headlight {

inline constexpr std::string_view kLessonEnding = ".lesson.json";
inline constexpr int kLessonVersion = 1;
inline constexpr std::size_t kMostLessonSteps = 40;

/// By its ending. Does not check whether it is sound.
bool names_lesson(const std::filesystem::path& path);
/// The name of its file without that ending.
std::string name_of_lesson(const std::filesystem::path& path);

/// One file. Throws Error (input) naming the file, the line and the field of the first fault: an unknown field, name or number, a
/// value of the wrong type, a lesson without steps.
Lesson load_lesson(const std::filesystem::path& path);
/// The same of its bytes; `file` is its name.
Lesson read_lesson(std::string_view bytes, const std::string& file);

struct Lessons {
  std::vector<Lesson> lessons;
  std::vector<std::string> left_out;  ///< a sentence for each file that could not be used: which, and why
};
/// All lessons of a folder: by their places, then by file name. None for an empty path or a folder that does not exist. A broken file hides no other.
Lessons load_lessons(const std::filesystem::path& folder);
/// The same, after these files.
Lessons load_lessons(const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder);
/// The folder of the lessons that come with the program; empty if it is missing.
std::filesystem::path lessons_folder();

}  // namespace headlight
