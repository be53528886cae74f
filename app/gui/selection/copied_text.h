// What everything that is copied has in common: how numbers are written, and that it is said.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>

#include "app/gui/panel/panel.h"

namespace headlight {

/// In C's spelling, which spreadsheets and programs read.
template <typename Number>
std::string digits(Number number) {
  return std::isnan(number) ? "nan" : std::isinf(number) ? (number > 0 ? "inf" : "-inf") : fmt::format("{}", number);
}

/// In the status bar, until the next click.
inline void say_copied(Panel& panel, std::string text) {
  panel.view.notes.copied = std::move(text);
}

}  // namespace headlight
