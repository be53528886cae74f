#include "app/gui/views/measures/measures_view.h"

#include "app/gui/kit/region.h"
#include "app/gui/views/measures/head_table.h"

namespace headlight {
namespace {

constexpr float kMargin = 24, kTitle = 64;

void draw_measures_title(const Panel& panel, const ShownColumns& shown, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Measures title", box, Colour{0, 0, 0, 0}, {0, 0});
  const float left = box.x + look.px(kMargin), room = box.width - 2 * look.px(kMargin);
  draw_text(look, left, box.y + look.px(22), Type::title, look.colours.text, "Measures");
  draw_text(look, left, box.y + look.px(46), Type::body, look.colours.text_second, elided(look, Type::body, shown.note, room));
  end_region();
}

/// From top to bottom: title, the line of questions, table.
void draw_measures_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const ShownColumns shown = shown_columns(panel);
  const float title = look.px(kTitle), margin = look.px(kMargin);
  draw_measures_title(panel, shown, {box.x, box.y, box.width, title});
  draw_head_table(panel, shown, {box.x + margin, box.y + title, box.width - margin, box.height - title});
}

void rest_measures_view(Panel& panel) {
  panel.context.session.text_columns().rest();
}

}  // namespace

ViewRow measures_row() {
  return {.view = View::measures,
          .title = "Measures",
          .words = "show go to which head table sort filter find scatter columns",
          .draw = draw_measures_view,
          .rest = rest_measures_view,
          .uses_colours = false,
          .save = save_measures,
          .restore = restore_measures};
}

}  // namespace headlight
