// What the person is looking at right now, from the pointer, the token strip and the pin; and where its numbers come from.
#pragma once

#include "app/gui/panel/panel.h"
#include "engine/explain/reading.h"
#include "engine/figure/marks.h"

namespace headlight {

struct Focus {
  std::optional<Index>
      query;  ///< that of the open context menu, else of the cell under the pointer, else the pinned one, else that of the token under the pointer
  std::optional<Cell> cell;  ///< of that query: the one under the pointer, else that of an example that was opened, else its largest weight
};
/// The focus in a map of `layer`, of the shown picture or of another run: of another text only a cell under the pointer counts.
Focus focus_of(const Panel& panel, int layer, const HeadMaps* maps, const Snapshot* run = nullptr);

/// Whether two texts have the same tokens. Runs of one text share their tokens, so that they need not be compared one by one.
bool has_same_tokens(const Encoding& a, const Encoding& b);
/// The same along both axes of a layer's maps in two runs: cells of one are then cells of the other.
bool has_same_tokens(const Snapshot& a, const Snapshot& b, int layer);

/// The cell of an example of a corpus, while its text and its head are shown (CorpusPage::marked).
std::optional<Cell> example_cell(const Panel& panel);

/// The tokens and the numbers are those that the target counts, whatever was edited since.
bool is_there(const Panel& panel, const MenuTarget& target);
/// What the open context menu, or the explanation in its place, is about; null: none is open, or it is there no longer.
const MenuTarget* open_menu_target(const Panel& panel);

/// Whose numbers the inspector and the strip show: that of an open context menu, the card under the pointer in Compare, in Output a head of the text that is predicted, else
/// the head being looked at, in Head at the moment that is looked at. It names its run where several are shown: "before", "now", "text 2".
ComparedHead inspected_head(const Panel& panel);

/// The row or column of a cell whose token is not on that axis.
inline constexpr Index kNoToken = -1;
/// A cell of layer `from` as the maps of layer `to` have it: kNoToken if the axis there is of another text.
Cell carried_over(const Snapshot& snapshot, Cell cell, int from, int to);
/// Row and column that the maps of a layer mark, either of which may be kNoToken.
std::optional<Cell> crosshair_of(const Panel& panel, int layer);
/// The pinned query, if the layer's queries are of its text and the text still has that token.
std::optional<Index> pinned_query_of(const Panel& panel, int layer);
/// Pins a row of a layer's maps, or unpins it if it is pinned.
void toggle_pinned_query(Panel& panel, int layer, Index query);

// What every view asks before it marks something (engine/figure/marks.h, draw_mark of kit/shapes.h). Pinned wins over hovered. A token counts
// by its axis, as one text can be both: amber where it is the query, teal where it is the key.

/// A token of a text: pinned as a query, or under the pointer in the strip or in a list.
Mark mark_of(const Panel& panel, const TokenPlace& place);
/// A token of the query axis of a layer's maps: pinned by a click, or under the pointer in the strip or in a cell of any map.
Mark mark_of_query(const Panel& panel, int layer, Index token);
/// The same of the key axis, where nothing is pinned.
Mark mark_of_key(const Panel& panel, int layer, Index token);
/// The head under the pointer, or the one that the open context menu is about.
std::optional<HeadId> hovered_head(const Panel& panel);
/// A head: pinned is the one that is looked at, which stays; hovered the one under the pointer.
Mark mark_of_head(const Panel& panel, HeadId head);

/// Opens the context menu of what was clicked with the right button, at the end of the frame.
void ask_menu(Panel& panel, MenuTarget target);
/// Of a token of the strip or of a list: as the head that the inspector shows has it on its axes.
void ask_token_menu(Panel& panel, const TokenPlace& place);
/// The right button was released where it was pressed.
bool is_right_click();
/// Scrolls and moves whatever can be moved to the pinned row, as if it had just been pinned.
void reveal_pin_again(ViewState& view);

/// The full maps of a head in its run, or null while they are being made.
std::shared_ptr<const HeadMaps> maps_of(const Panel& panel, const ComparedHead& head);

/// A tooltip beside a box, never over it. Begin returns false where nothing is to be drawn; end only after true.
bool begin_bubble(const Look& look, const Box& beside);
void end_bubble();

/// "score 1.234 · scaled 0.436 · mask ✓": the steps that the head has, in one line.
struct CellSteps;
std::string stages_text(const CellSteps& steps);

/// Weight and stages of a cell, as the bubble of a map shows them.
void draw_cell_lines(const Panel& panel, const HeadMaps* maps, const ComparedHead& compared, Cell cell);

/// Under the numbers of a cell that Head shows at another moment than now: its weight at the other, and how much it has changed. Only of
/// maps of one size.
void draw_other_moment(const Panel& panel, Cell cell);

/// A line for every measure that is shown at `place` or at an earlier one. Except in the pointer's bubble, each has a tooltip.
void draw_measure_rows(const Look& look, const HeadSummary& summary, MeasurePlace place, float row_height = kNumberRow);

}  // namespace headlight
