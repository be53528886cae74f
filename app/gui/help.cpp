#include <array>

#include "app/gui/dialog.h"

namespace headlight {
namespace {

struct KeyHelp {
  const char* keys;
  const char* what;
};
constexpr std::array kKeys{
    KeyHelp{"ctrl+L", "type a sentence"},
    KeyHelp{"← →  ↑ ↓", "another head, another layer"},
    KeyHelp{"space", "pin the head for Compare, or take its pin away"},
    KeyHelp{"1  2  3", "Overview, Head, Compare"},
    KeyHelp{"ctrl+Z   ctrl+shift+Z", "undo, redo"},
    KeyHelp{"ctrl+E", "export"},
    KeyHelp{"Esc", "release the row, the brush, a dialog"},
    KeyHelp{"F1", "this help"},
    KeyHelp{"click", "open a map; keep a row"},
    KeyHelp{"ctrl+click", "pin a map for Compare"},
    KeyHelp{"wheel, drag", "zoom and move the map; double click shows all of it"},
};

}  // namespace

void draw_help(Panel& panel) {
  const Look& look = panel.look;
  if (!begin_dialog(look, "Keys and pointer", 580, panel.view.is_help_open)) return;
  for (const KeyHelp& key : kKeys) {
    const Row row = begin_row(look, "", nullptr, kNumberRow + 2);
    draw_text(look, row.left, row.middle(), Type::number, look.colours.text, key.keys);
    draw_text(look, row.left + look.px(176), row.middle(), Type::body, look.colours.text_second, key.what);
  }
  end_dialog(panel.view.is_help_open);
}

}  // namespace headlight
