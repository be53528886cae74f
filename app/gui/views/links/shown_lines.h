// What Links shows in a frame: the lines that the desk has found, and the token whose lines are shown in full.
#pragma once

#include <memory>
#include <optional>

#include "app/gui/panel/panel.h"
#include "app/work/links/link_studies.h"
#include "engine/figure/links/links_figure.h"

namespace headlight {

struct ShownLines {
  LinksRequest request;                     ///< as it is asked for in this frame
  std::shared_ptr<const LinksFound> found;  ///< null: not yet; may still be of the request before
  bool is_current = false;                  ///< `found` is of the shown picture: its tokens can be pointed at
  int layer() const { return found->lines->maps->heads.front().head.layer; }
};
/// Asks the desk.
ShownLines ask_lines(Panel& panel);

/// The token in focus: `pointed`, else one that is pointed at in the strip, else the pinned row.
void set_focus(const Panel& panel, ShownLines& shown, std::optional<LinkFocus> pointed);
/// Tells strip and inspector what is pointed at.
void share_focus(Panel& panel, const ShownLines& shown, LinkFocus pointed);

/// Shows a head's lines, or no longer; the last one stays.
void toggle_linked_head(Panel& panel, HeadId head);
/// Shows a head's lines alone.
void link_only(Panel& panel, HeadId head);

}  // namespace headlight
