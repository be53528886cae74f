#include <fmt/core.h>

#include <array>
#include <string>
#include <vector>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"

namespace headlight {
namespace {

struct KeyHelp {
  std::string keys, what;
};

/// The keys of the views and the views' names, in the order of their tabs.
KeyHelp keys_of(std::span<const ViewRow> views) {
  KeyHelp help;
  for (const ViewRow& row : views) {
    if (row.key == ImGuiKey_None) continue;
    help.keys += fmt::format("{}{}", help.keys.empty() ? "" : "  ", ImGui::GetKeyName(row.key));
    help.what += fmt::format("{}{}", help.what.empty() ? "" : ", ", row.title);
  }
  return help;
}

std::vector<KeyHelp> key_help(std::span<const ViewRow> views) {
  return {
      KeyHelp{"ctrl+L", "type a sentence"},
      KeyHelp{"← →  ↑ ↓", "another head, another layer"},
      KeyHelp{"space", "pin the head for Compare, or unpin it"},
      KeyHelp{"B", "set or clear the baseline"},
      keys_of(views),
      KeyHelp{"ctrl+Z   ctrl+shift+Z", "undo, redo"},
      KeyHelp{"ctrl+N   ctrl+O", "a new document, open one"},
      KeyHelp{"ctrl+S   ctrl+shift+S", "save the document, save it under another name"},
      KeyHelp{"ctrl+E", "export"},
      KeyHelp{"ctrl+B   ctrl+J", "show or hide the left rail, the inspector"},
      KeyHelp{"ctrl +   ctrl −   ctrl 0", "larger, smaller, usual size"},
      KeyHelp{"F5", "present: large type, no rails; Esc ends it"},
      KeyHelp{"ctrl+Q", "quit"},
      KeyHelp{"Esc", "release the row or the brush; close a dialog"},
      KeyHelp{"F1", "this help"},
      KeyHelp{"click", "open a map; keep a row"},
      KeyHelp{"ctrl+click", "pin a map for Compare"},
      KeyHelp{"wheel, drag", "zoom and move the map; double click shows all of it"},
      KeyHelp{"drop", "open a document, a model folder or a file of maps"},
  };
}

/// What a newcomer has to know to read a map.
constexpr std::array kReading{
    "A row is a query: the token that looks. A column is a key: a token it looks at.",
    "A cell is the weight between them. The weights of a row sum to 1.",
    "Hatched cells are masked. A row marked ∅ may attend to nothing: it is all zeros.",
    "A dot beside a head's name in the Overview: the head, its layer or its stack has a mask of its own.",
    "Layers and heads are counted from 0: 2.5 is head 5 of layer 2.",
};

}  // namespace

void draw_help(Panel& panel) {
  const Look& look = panel.look;
  if (!begin_dialog(look, "Help", 580, panel.view.dialogs.help)) return;
  text_line(look, Type::heading, look.colours.text_second, "Reading a map");
  gap(look, kInside);
  for (const char* sentence : kReading) paragraph(look, Type::body, look.colours.text, sentence);
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Keys and pointer");
  for (const KeyHelp& key : key_help(panel.views)) {
    const Row row = begin_row(look, "", nullptr, kNumberRow + 2);
    draw_text(look, row.left, row.middle(), Type::number, look.colours.text, key.keys);
    draw_text(look, row.left + look.px(176), row.middle(), Type::body, look.colours.text_second, key.what);
  }
  end_dialog(panel.view.dialogs.help);
}

}  // namespace headlight
