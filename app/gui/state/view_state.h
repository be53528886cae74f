// What is looked at and how: neither undone nor saved with the document. The program remembers what is said to be restored at the next
// start; all else is forgotten when it ends (app/gui/panel/saved_view.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/state/context_menu.h"
#include "app/gui/state/finding.h"
#include "app/gui/state/pages.h"
#include "app/gui/state/painting.h"
#include "app/gui/state/pointed.h"
#include "app/gui/state/shell.h"
#include "app/gui/state/surroundings.h"
#include "app/work/labs.h"
#include "engine/formats/json.h"

namespace headlight {

/// A view by its name in states and scripts. Its row has everything else (ViewRow, panel.h).
struct View {
  std::string_view name;  ///< a literal
  bool operator==(const View&) const = default;
  static const View overview, head, inside, links, flow, compare, measures, output, lab;
};
inline constexpr View View::overview{"overview"}, View::head{"head"}, View::inside{"inside"}, View::links{"links"}, View::flow{"flow"},
    View::compare{"compare"}, View::measures{"measures"}, View::output{"output"}, View::lab{"lab"};

struct ViewState {
  View view = View::overview;              ///< restored at the next start
  HeadId head;                             ///< the head that Head and the inspector show; restored likewise
  std::optional<TokenPlace> pinned_query;  ///< the row that is kept; Esc releases it
  std::optional<TokenPlace> revealed;      ///< the row that the strip was last scrolled to
  Pointed pointed;
  ContextMenu menu;
  std::set<HeadId> brushed;  ///< in Measures: marked in every view until Esc

  OverviewPage overview;
  HeadPage head_page;
  InsidePage inside;
  LinksPage links;
  FlowPage flow;
  ComparePage compare;
  MeasuresPage measures;
  OutputPage output;
  CorpusPage corpus;
  LabsPage labs_page;
  LabSettings labs;  ///< which lab is shown, and how it is set; restored likewise

  FindingPage finding;
  Painting painting;
  MapDrawing drawn_map;
  RailEntries rails;
  Notes notes;
  OpenDialogs dialogs;
  std::vector<std::string> recent_commands;  ///< chosen in the palette, newest first; restored likewise
  Json look_after_lesson;                    ///< where to look once the document of before a lesson is shown again; null: nowhere else
  Shell shell;
};

}  // namespace headlight
