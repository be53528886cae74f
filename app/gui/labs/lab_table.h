// The labs of the window, one row each.
#pragma once

#include <any>
#include <span>

#include "app/gui/labs/lab_page.h"
#include "app/work/labs.h"

namespace headlight {

/// A lab, as one row: the list at the left, the page, and what is saved of it take it from there. A new lab is a new row.
struct LabRow {
  Lab lab;                                                       ///< names it in saved states, and says who computes
  const char* title;                                             ///< in the list
  const char* about;                                             ///< under it, in a few words
  void (*draw)(LabPage& page, const std::any* found) = nullptr;  ///< `found`: the result; null before it is there
  // How it is set: keys of its own among those of the labs.
  void (*save)(const LabSettings& settings, Json& json) = nullptr;
  void (*restore)(const Json& json, LabSettings& settings) = nullptr;
};

/// The labs of the program, in the order of the list.
std::span<const LabRow> all_labs();

/// draw_attempts_lab as LabRow::draw: the result of another lab counts as none.
template <typename Found, void (*draw)(LabPage&, const Found*)>
void draw_lab(LabPage& page, const std::any* found) {
  draw(page, found ? std::any_cast<Found>(found) : nullptr);
}

void draw_labs_view(Panel& panel, const Box& box, std::span<const LabRow> labs);
/// Which lab is shown, and how each is set.
Json labs_json(const LabSettings& settings, std::span<const LabRow> labs);
LabSettings labs_from_json(const Json& json, std::span<const LabRow> labs);

}  // namespace headlight
