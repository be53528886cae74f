// Which sections the left rail has, in which view and for which model.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "app/document/fields/interventions.h"
#include "app/document/wording.h"
#include "app/gui/finding/finding_panel.h"
#include "app/gui/intervene/intervene_panel.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

/// Opened, or something is asked: else it takes no room (heads_panel.cpp has a door to it, and so has ctrl+F).
bool is_finding(const Panel& panel) {
  const FindingPage& page = panel.view.finding;
  return !panel.view.rails.folded.contains(kFindingSection) || !page.question.is_nothing() || page.alike_to;
}
bool is_sandbox(const Panel& panel) {
  return panel.is_sandbox();
}
bool shows_colours(const Panel& panel) {
  const ViewRow* view = panel.shown_view();
  return view == nullptr || view->uses_colours || view->shows_weights;
}

std::string shown_head(const Panel& panel) {
  return panel.has_picture() ? short_name(*panel.snapshot, panel.view.head) : std::string();
}
std::string count_of_interventions(const Panel& panel) {
  const std::size_t count = interventions_of(panel.draft.query).size();
  return count == 0 ? std::string() : std::to_string(count);
}
std::string count_of_edits(const Panel& panel) {
  const std::size_t steps = panel.context.session.history().labels().size() - 1;  // the first is the document as it was opened
  return steps == 0 ? std::string() : std::to_string(steps);
}

constexpr std::array kSections{RailSection{kFindingSection, draw_finding_panel, is_finding, finding_state},
                               RailSection{"Heads", draw_heads_panel, nullptr, shown_head},
                               RailSection{"Intervene", draw_intervene_panel, nullptr, count_of_interventions},
                               RailSection{"Mask", draw_mask_panel, nullptr, nullptr},
                               RailSection{"Score", draw_score_panel, nullptr, nullptr},
                               RailSection{"Block", draw_block_panel, nullptr, nullptr},
                               RailSection{"Display", draw_display_panel, shows_colours, nullptr},
                               RailSection{"Sandbox", draw_sandbox_panel, is_sandbox, nullptr},
                               RailSection{"Train a head", draw_training_panel, is_sandbox_shown, nullptr},
                               RailSection{"Edits", draw_edits_panel, nullptr, count_of_edits}};
/// Maps from a file cannot be recomputed; a mask says which keys their measures count.
constexpr std::array kDumpSections{RailSection{"Maps from a file", draw_dump_panel, nullptr, nullptr},
                                   RailSection{kFindingSection, draw_finding_panel, nullptr, finding_state},
                                   RailSection{"Mask", draw_mask_panel, nullptr, nullptr},
                                   RailSection{"Display", draw_display_panel, shows_colours, nullptr}};

}  // namespace

std::vector<RailSection> sections_of(const Panel& panel) {
  std::vector<RailSection> found;
  if (const ViewRow* view = panel.shown_view(); view != nullptr && view->settings.title != nullptr && panel.has_picture()) {
    found.push_back({view->settings.title, view->settings.draw, nullptr, view->settings.state});
  }
  const auto is_there = [&](const RailSection& row) { return row.is_there == nullptr || row.is_there(panel); };
  const auto take = [&](const auto& rows) { std::copy_if(rows.begin(), rows.end(), std::back_inserter(found), is_there); };
  panel.is_dump() ? take(kDumpSections) : take(kSections);
  return found;
}

}  // namespace headlight
