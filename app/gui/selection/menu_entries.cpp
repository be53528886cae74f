#include "app/gui/selection/menu_entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/mask_edits.h"
#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/selection/copying.h"
#include "app/gui/selection/pictured_copying.h"

namespace headlight {
namespace {

const Snapshot& run_of(const Panel& panel, const MenuTarget& target) {
  return run_of(target.head, *panel.snapshot);
}

bool is_present(const Panel& panel, const MenuTarget& target) {
  return !target.head.of || target.head.of == panel.snapshot;
}

const Mask& mask_of(const Panel& panel, const MenuTarget& target) {
  return run_of(panel, target).trace.layer(target.head.head.layer).mask(target.head.head.head);
}

bool is_cell(const MenuTarget& target) {
  return target.kind == MenuKind::cell;
}
bool is_pictured(const MenuTarget& target) {
  return target.kind == MenuKind::pictured;
}
/// A row of a head's map, and what can be done with it.
bool has_row(const MenuTarget& target) {
  return target.query.has_value() && !is_pictured(target);
}
/// Of one head: what can be done with it can be done here.
bool has_head(const MenuTarget& target) {
  return target.kind != MenuKind::token && !is_pictured(target);
}
bool can_be_pinned(const MenuTarget& target) {
  return target.query.has_value() && (!is_pictured(target) || target.pictured->is_of_text);
}

std::string only_if(bool is_offered, const char* label) {
  return is_offered ? label : "";
}

/// Why nothing of the target can be edited; empty if it can.
std::string why_not_edited(const Panel& panel, const MenuTarget& target) {
  if (run_of(panel, target).is_dump()) return "These maps come from a file: there is no model to edit.";
  if (!is_present(panel, target)) return "This map is not of what is edited now.";
  return panel.config() == nullptr ? "Another model is being opened." : "";
}

std::string why_not_pinned_to_compare(const Panel& panel, const MenuTarget& target) {
  return is_present(panel, target) ? "" : "This map is not of the text that is shown now.";
}

std::string why_not_opened(const Panel& panel, const MenuTarget& target) {
  if (!is_present(panel, target)) return "This map is not of the text that is shown now.";
  return panel.view.view == View::head && panel.view.head == target.head.head ? "Head shows it already." : "";
}

std::string why_no_row(const Panel& panel, const MenuTarget& target) {
  const bool is_same_text = has_same_tokens(*panel.snapshot, run_of(panel, target), target.head.head.layer);
  return is_same_text ? "" : "The row is of another text than the one in the strip.";
}

std::string why_not_row_masked(const Panel& panel, const MenuTarget& target) {
  if (std::string problem = why_not_edited(panel, target); !problem.empty()) return problem;
  const Mask& mask = mask_of(panel, target);
  const std::uint8_t* row = mask.row(*target.query);
  const bool has_key = std::find(row, row + mask.keys(), std::uint8_t{1}) != row + mask.keys();
  return has_key ? "" : "Every key of this row is masked already.";
}

std::string why_not_column_masked(const Panel& panel, const MenuTarget& target) {
  if (std::string problem = why_not_edited(panel, target); !problem.empty()) return problem;
  const Mask& mask = mask_of(panel, target);
  for (Index query = 0; query < mask.queries(); ++query) {
    if (mask.allows(query, *target.key)) return "";
  }
  return "No query may look at this key already.";
}

bool is_row_pinned(const Panel& panel, const MenuTarget& target) {
  return target.query && pinned_query_of(panel, target.head.head.layer) == target.query;
}

bool is_pinned_to_compare(const Panel& panel, const MenuTarget& target) {
  const std::vector<Pin>& pins = panel.draft.pins;
  return std::find(pins.begin(), pins.end(), Pin{target.head.head, panel.draft.focused}) != pins.end();
}

bool is_switched_off(const Panel& panel, const MenuTarget& target) {
  const std::vector<HeadId>& heads = panel.draft.query.switched_off;
  return std::binary_search(heads.begin(), heads.end(), target.head.head);
}

bool is_allowed(const Panel& panel, const MenuTarget& target) {
  return mask_of(panel, target).allows(*target.query, *target.key);
}

Scope mask_scope(const Panel& panel, const MenuTarget& target) {
  const HeadId head = target.head.head;
  return stroke_scope_at(panel.view.painting.scope, head, panel.snapshot->model->config.place(head.layer).stack);
}

std::string mask_scope_name(const Panel& panel, const MenuTarget& target) {
  return scope_name(mask_scope(panel, target), panel.snapshot->model->config);
}

std::string head_name(const Panel& panel, const MenuTarget& target) {
  return "head " + short_name(run_of(panel, target), target.head.head);
}

/// One stroke of the brush, for the heads that the mask panel says.
void paint(Panel& panel, const MenuTarget& target, Brush brush, bool allows) {
  const Cell cell{target.query.value_or(0), target.key.value_or(0)};
  MaskEdits& edits = panel.draft.query.mask;
  const Scope scope = mask_scope(panel, target);
  Stroke stroke{scope, stroke_count(edits, scope), cell, cell};
  paint_stroke(edits, stroke, brush, allows, cell);
}

void open_in_head(Panel& panel, const MenuTarget& target) {
  panel.view.head = target.head.head;
  panel.view.view = View::head;
  panel.view.head_page.zoom = {};
}

/// A key of the shown text.
bool can_hide_key(const Panel& panel, const MenuTarget& target) {
  return target.key && (!is_pictured(target) || target.pictured->is_of_text) && is_present(panel, target);
}

bool is_key_hidden(const Panel& panel, const MenuTarget& target) {
  const std::vector<std::int64_t>& hidden = panel.draft.style.hidden.positions;
  return std::binary_search(hidden.begin(), hidden.end(), static_cast<std::int64_t>(*target.key));
}

void toggle_hidden_key(Panel& panel, const MenuTarget& target) {
  std::vector<std::int64_t>& hidden = panel.draft.style.hidden.positions;
  const auto key = static_cast<std::int64_t>(*target.key);
  const auto place = std::lower_bound(hidden.begin(), hidden.end(), key);
  place != hidden.end() && *place == key ? hidden.erase(place) : hidden.insert(place, key);
}

using Seen = const Panel&;
using About = const MenuTarget&;
constexpr std::array kMenuEntries{
    MenuEntry{.label = [](Seen, About target) { return only_if(!is_pictured(target) || target.query, "Explain this"); }},
    MenuEntry{.label = [](Seen, About target) { return only_if(is_pictured(target) && target.query, "Copy cell"); },
              .act =
                  [](Panel& panel, About target) {
                    copy_pictured_cell(panel, *target.pictured, {*target.query, *target.key});
                  },
              .begins_group = true},
    MenuEntry{.label = [](Seen, About target) { return only_if(is_pictured(target) && target.query, "Copy row"); },
              .act = [](Panel& panel, About target) { copy_pictured_row(panel, *target.pictured, *target.query); }},
    MenuEntry{.label =
                  [](Seen, About target) {
                    return only_if(is_pictured(target),
                                   is_pictured(target) && target.pictured->columns.empty() ? "Copy table" : "Copy map");
                  },
              .act = [](Panel& panel, About target) { copy_pictured_map(panel, target.pictured); }},
    MenuEntry{.label = [](Seen, About target) { return only_if(is_cell(target), "Copy cell"); },
              .act =
                  [](Panel& panel, About target) {
                    copy_cell(panel, target.head, {*target.query, *target.key});
                  },
              .begins_group = true},
    MenuEntry{.label = [](Seen, About target) { return only_if(target.kind == MenuKind::number, "Copy number and its parts"); },
              .act =
                  [](Panel& panel, About target) {
                    copy_number(panel, target.head, {*target.query, target.number});
                  },
              .begins_group = true},
    MenuEntry{.label =
                  [](Seen, About target) {
                    return only_if(has_row(target), target.kind == MenuKind::number ? "Copy row of weights" : "Copy row");
                  },
              .act = [](Panel& panel, About target) { copy_row(panel, target.head, *target.query); }},
    MenuEntry{.label = [](Seen, About target) { return only_if(has_head(target), "Copy map"); },
              .act = [](Panel& panel, About target) { copy_map(panel, target.head); }},
    MenuEntry{
        .label = [](Seen panel,
                    About target) { return only_if(can_be_pinned(target), is_row_pinned(panel, target) ? "Release row" : "Pin row"); },
        .refusal = why_no_row,
        .act = [](Panel& panel, About target) { toggle_pinned_query(panel, target.head.head.layer, *target.query); },
        .begins_group = true},
    MenuEntry{.label =
                  [](Seen panel, About target) {
                    return only_if(has_head(target), is_pinned_to_compare(panel, target) ? "Unpin from Compare" : "Pin to Compare");
                  },
              .refusal = why_not_pinned_to_compare,
              .act = [](Panel& panel, About target) { toggle_pin(panel.draft, target.head.head); },
              .note = head_name},
    MenuEntry{.label =
                  [](Seen panel, About target) {
                    if (!can_hide_key(panel, target)) return std::string();
                    return std::string(is_key_hidden(panel, target) ? "Show key in maps again" : "Hide key in maps");
                  },
              .act = toggle_hidden_key},
    MenuEntry{.label = [](Seen, About target) { return only_if(!is_pictured(target), "Open in Head"); },
              .refusal = why_not_opened,
              .act = open_in_head,
              .note = head_name},
    MenuEntry{.label = [](Seen, About target) { return only_if(has_head(target), "More like this head"); },
              .refusal = why_not_pinned_to_compare,
              .act =
                  [](Panel& panel, About target) {
                    ask_alike(panel, target.head.head);
                    show_finding(panel);
                  },
              .note = head_name},
    MenuEntry{.label =
                  [](Seen panel, About target) {
                    return only_if(has_head(target), is_switched_off(panel, target) ? "Switch head on" : "Switch head off");
                  },
              .refusal = why_not_edited,
              .act = [](Panel& panel, About target) { toggle_switched_off(panel.draft.query, target.head.head); },
              .note = head_name,
              .begins_group = true},
    MenuEntry{.label =
                  [](Seen panel, About target) {
                    return only_if(is_cell(target), is_cell(target) && !is_allowed(panel, target) ? "Allow cell" : "Mask cell");
                  },
              .refusal = why_not_edited,
              .act = [](Panel& panel, About target) { paint(panel, target, Brush::cell, !is_allowed(panel, target)); },
              .note = mask_scope_name},
    MenuEntry{.label = [](Seen, About target) { return only_if(has_row(target), "Mask row"); },
              .refusal = why_not_row_masked,
              .act = [](Panel& panel, About target) { paint(panel, target, Brush::row, false); },
              .note = mask_scope_name},
    MenuEntry{.label = [](Seen, About target) { return only_if(target.key && !is_pictured(target), "Mask column"); },
              .refusal = why_not_column_masked,
              .act = [](Panel& panel, About target) { paint(panel, target, Brush::column, false); },
              .note = mask_scope_name},
};

}  // namespace

std::span<const MenuEntry> menu_entries() {
  return kMenuEntries;
}

std::vector<Span> menu_title(const Panel& panel, const MenuTarget& target) {
  const Look& look = panel.look;
  const Palette& colours = look.colours;
  if (is_pictured(target)) {
    const std::string place = pictured_place_text(*target.pictured, target.query, target.key);
    return {{place.empty() ? target.pictured->name : place + " · " + target.pictured->name, colours.text_second}};
  }
  const Snapshot& run = run_of(panel, target);
  const int layer = target.head.head.layer;
  Pictures& pictures = panel.caches.pictures;
  const auto token = [&](const TokenNames& names, Index place, Colour colour) {
    return Span{fmt::format("“{}” {}", elided(look, Type::body, names[place], look.px(90)), place), colour};
  };
  std::vector<Span> spans;
  if (target.query) spans.push_back(token(pictures.names(run, run.query_tokens(layer)), *target.query, colours.query));
  if (is_cell(target)) spans.push_back({" → ", colours.text_second});
  const bool names_key = is_cell(target) || !target.query;
  if (target.key && names_key) spans.push_back(token(pictures.names(run, run.key_tokens(layer)), *target.key, colours.key));
  if (target.kind == MenuKind::number) spans.push_back({fmt::format(" · z {}", target.number), colours.value});
  if (target.kind != MenuKind::token) {
    spans.push_back({(spans.empty() ? "Head " : " · head ") + short_name(run, target.head.head) +
                         (target.head.subject.empty() ? "" : ", " + target.head.subject),
                     colours.text_second});
  }
  return spans;
}

}  // namespace headlight
