// How the window is to be opened: what the command line asks of it.
#pragma once

#include <optional>
#include <string>

namespace headlight {

struct WindowOptions {
  int width = 1600, height = 1000;
  float scale = 0;            ///< pixels per point; 0: the monitor's
  std::string script;         ///< file of scripted input; empty: a person
  std::string open;           ///< document or model; empty: the last state, or the first start
  std::optional<int> item;    ///< of a file of maps that holds a batch: which text
  bool is_safe_mode = false;  ///< neither settings nor the last document come back; what is edited is kept all the same
  bool remembers = false;     ///< a script, too, restores what is remembered and is remembered
  int threads = 0;
};

}  // namespace headlight
