// How the command line wants the window to be opened.
#pragma once

#include <optional>
#include <string>

namespace headlight {

struct WindowOptions {
  int width = 1600, height = 1000;
  float scale = 0;                  ///< pixels per point; 0: the monitor's
  std::string script;               ///< file of scripted input; empty: a person
  std::string open;                 ///< document or model; empty: the last state, or the first start
  std::optional<std::string> text;  ///< the sentence, in place of the document's or the model's own
  std::optional<int> item;          ///< of a file of maps that holds a batch: which text
  std::string lesson;               ///< that is taken, by its name; empty: none
  std::string guesses;              ///< file that every guess of a lesson is added to; empty: none
  bool is_safe_mode = false;        ///< neither settings nor the last document come back; edits are still kept
  bool remembers = false;           ///< even with a script, the last session is restored and this one is saved
  int threads = 0;
};

}  // namespace headlight
