// What a person can tell the program to do, as rows and as lines of the palette.
//
// A command is one row: its name, the keys, when it applies, and what it does. The keyboard, the palette (ctrl+P), the document's menu and
// the help (F1) all read the rows, so a new command is a new row and nothing else:
//   - of the whole program: app/gui/commands/command_table.cpp
//   - of one view: ViewRow::commands, beside the view. While the view is shown they come first, so that Space may mean another thing there.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace headlight {

struct Panel;

/// Under which heading the help lists a command.
enum class CommandGroup : std::uint8_t { document, edit, look, window };

struct WindowCommand {
  const char* name;                                ///< "Save as …"; an ellipsis where it asks for more
  CommandGroup group = CommandGroup::look;         ///< of the program's own rows; those of a view are listed under its title
  const char* words = "";                          ///< others that find it in the palette: "store write"
  std::array<ImGuiKeyChord, 3> keys = {};          ///< any of them does it; the first is shown. ImGuiKey_None: no more
  void (*act)(Panel& panel) = nullptr;             ///< called before the panels draw, or from the palette
  std::string (*why_not)(const Panel&) = nullptr;  ///< why it does nothing now, as a sentence; empty, or null: it applies
  bool repeats = false;                            ///< while its key is held
  bool works_over_dialogs = false;                 ///< its keys do
  bool is_in_menu = false;                         ///< a line of the document's menu
  bool is_in_palette = true;
};

/// "ctrl+shift+S", "←", "space"; empty for ImGuiKey_None.
std::string keys_text(ImGuiKeyChord chord);

/// Something that the palette offers: a command, a head, a token, a model, a sentence, a setting.
struct Offer {
  std::string name;          ///< what is matched, and shown at the left
  std::string note = {};     ///< what it is, at the right
  std::string words = {};    ///< matched too, not shown
  std::string keys = {};     ///< shown at the very right
  std::string why_not = {};  ///< it cannot be chosen now, and this says why
  std::function<void(Panel&)> act = {};
  bool is_remembered = true;  ///< among what was chosen recently
};

}  // namespace headlight
