// How the window and figures look.
#include "app/document/fields/style_fields.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/field_controls.h"
#include "app/gui/rails/rails.h"

namespace headlight {

void draw_display_panel(Panel& panel) {
  if (!section(panel.look, "Display", panel.view.rails.folded)) return;
  const ViewRow* view = panel.shown_view();
  if (view == nullptr || view->uses_colours) return draw_fields(panel.look, panel.draft.style, style_fields());
  for (const Field<Style>& field : style_fields()) {
    if (field.is_of_weights) draw_field(panel.look, panel.draft.style, field);
  }
}

}  // namespace headlight
