// Sections made of the rows of a table: the sandbox as a construction kit, where what does not go together is not offered or offered with the
// reason; and how the window and figures look.
#include <fmt/core.h>

#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/field_controls.h"
#include "app/gui/rails/rails.h"

namespace headlight {

void draw_sandbox_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Sandbox", panel.view.rails.folded)) return;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  std::string& typed = panel.view.rails.typed_keys;
  draw_fields(look, spec, sandbox_fields(), typed);
  const int changed = advanced_changes(spec, sandbox_fields());
  const std::string note = changed == 0 ? std::string() : fmt::format("{} changed", changed);
  if (fold_row(look, "More", "More", panel.view.rails.folded, note)) draw_fields(look, spec, sandbox_fields(), typed, true);
}

void draw_display_panel(Panel& panel) {
  if (!section(panel.look, "Display", panel.view.rails.folded)) return;
  const ViewRow* view = panel.shown_view();
  std::string& typed = panel.view.rails.typed_keys;
  const std::string note = note_on_hidden(panel);
  if (view == nullptr || view->uses_colours) return draw_fields(panel.look, panel.draft.style, style_fields(), typed, false, note);
  for (const Field<Style>& field : style_fields()) {
    if (field.scope == FieldScope::weights) draw_field(panel.look, panel.draft.style, field, typed, note);
  }
}

}  // namespace headlight
