// The sandbox as a construction kit. What does not go together is not offered, or offered with the reason.
#include <fmt/core.h>

#include "app/document/fields/sandbox_fields.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/field_controls.h"
#include "app/gui/rails/rails.h"

namespace headlight {

void draw_sandbox_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Sandbox", panel.view.rails.folded)) return;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  draw_fields(look, spec, sandbox_fields());
  const int changed = advanced_changes(spec, sandbox_fields());
  const std::string note = changed == 0 ? std::string() : fmt::format("{} changed", changed);
  if (fold_row(look, "More", "More", panel.view.rails.folded, note)) draw_fields(look, spec, sandbox_fields(), true);
}

}  // namespace headlight
