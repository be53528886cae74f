// A played lesson for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/lessons/play/played_step.h"

namespace headlight {

std::string lesson_text(const Lesson& lesson, const std::vector<PlayedStep>& played);
nlohmann::ordered_json lesson_json(const Lesson& lesson, const std::vector<PlayedStep>& played);

}  // namespace headlight
