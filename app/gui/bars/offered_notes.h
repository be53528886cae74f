// Notes that say something about the picture and offer one thing to do about it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

struct OfferedNote {
  const char* name;  ///< of its region and its close button
  Colour mark;
  std::string text;
  std::string button = {};                 ///< empty: there is nothing to do
  std::function<void(Panel&)> act = {};    ///< when it is pressed
  std::function<void(Panel&)> close = {};  ///< when the note is closed
  std::string close_button = {};           ///< in place of the ×: where closing is an answer
};

/// Those that hold now: files that changed on the disk, words that the model does not know, the head that carries an example's relations.
std::vector<OfferedNote> offered_notes(Panel& panel);

}  // namespace headlight
