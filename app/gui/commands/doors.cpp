#include "app/gui/commands/doors.h"

#include <array>

namespace headlight {
namespace {

struct Door {
  const char* name;
  void (*open)(Panel& panel);
};
constexpr std::array kDoors{
    Door{"Look at my own sentence", [](Panel& panel) { panel.view.notes.wants_sentence = true; }},
    Door{"Take a lesson", [](Panel& panel) { panel.view.dialogs.lessons = true; }},
    Door{"Open a model", [](Panel& panel) { panel.view.dialogs.model_picker = true; }},
};

}  // namespace

float doors_width(const Look& look) {
  float width = -look.px(kUnit);
  for (const Door& door : kDoors) width += button_width(look, door.name) + look.px(kUnit);
  return width;
}

bool draw_doors(Panel& panel, float left, float top, float height) {
  const Look& look = panel.look;
  bool is_pressed = false;
  for (const Door& door : kDoors) {
    const float width = button_width(look, door.name);
    if (quiet_button(look, door.name, {left, top}, {width, height})) {
      door.open(panel);
      is_pressed = true;
    }
    left += width + look.px(kUnit);
  }
  return is_pressed;
}

}  // namespace headlight
