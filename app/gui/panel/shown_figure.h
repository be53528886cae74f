// What is on the screen as a request for a figure, and the baseline that it is compared with. The views draw it and the export dialog
// writes it, so a file holds what the window shows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/focus.h"
#include "app/gui/panel/panel.h"
#include "app/gui/state/zoom.h"
#include "engine/figure/figure_source.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// Keeps what is shown now as the baseline, or clears the baseline. If the document has no room for another one, the banner says so.
void toggle_baseline(Panel& panel);

/// The run of the baseline; null: there is none, or it is still being computed.
std::shared_ptr<const Snapshot> baseline_run(const Panel& panel);
/// The run that predictions are compared with: the baseline, or without one the run without edits. Null: nothing is edited, or it is still
/// being computed. The panel has a picture.
std::shared_ptr<const Snapshot> run_before(const Panel& panel);
/// Why Head cannot show a moment of its head, as a sentence; empty if it can.
std::string why_not_shown(const Panel& panel, Moment moment);
/// What the Head view shows of its head; now, if what was chosen cannot be shown.
Moment shown_moment(const Panel& panel);
/// The run whose map of the head Head shows, and whose tokens its cells are of; of a difference the present one.
std::shared_ptr<const Snapshot> shown_run(const Panel& panel);

/// The text that the last edit of the shown head takes from, and whose map Head shows beside the edited one; nothing where there is none, it was
/// closed, or Head shows another moment than now.
std::optional<std::string> other_text_here(const Panel& panel);
/// The edited map that Head shows, and that of the other text beside it, as a figure compares them; none where the edited one stands alone, and
/// of other stages than weights.
std::vector<ComparedHead> maps_of_both_texts(const Panel& panel);

/// The layer whose tokens Links shows, and the heads whose weights it draws as lines: at least one, all with the texts of that layer.
int linked_layer(const Panel& panel);
std::vector<HeadId> linked_heads(const Panel& panel);
/// The links as they are set, with the pinned row as focus.
LinksRequest shown_links(const Panel& panel);

/// The pinned heads of the shown picture's own text, in the order of the layers.
std::vector<HeadId> pinned_here(const Panel& panel);
/// The brushed heads of the shown picture.
std::vector<HeadId> brushed_here(const Panel& panel);
/// Whose maps Flow makes one, and how.
FlowRequest shown_flow(const Panel& panel);

/// What the Labs view asks for.
LabRequest shown_lab(const Panel& panel);

/// The figure of a kind as the present document and view have it. Heads: all pins, also those that the shown model does not have; then,
/// while there is a baseline, those of the focused subject as they were before. Difference: of the pair that was chosen, else that of
/// pair_to_subtract.
FigureRequest shown_figure(const Panel& panel, const FigureKind& kind);
/// The size of the map that Head shows, and the pinned row in it; none while its cells are of other tokens than the present ones.
MapShape shown_shape(const Panel& panel);
std::optional<Index> shown_pin(const Panel& panel);
/// Columns, orders and filters as Measures has them, with the heads that are brushed.
MeasuresRequest shown_measures(const Panel& panel);
/// Order, filters and numbers as the Overview has them. What is by columns that are no longer there is left out, as on the screen.
MeasuresRequest shown_arrangement(const Panel& panel);
/// The position whose likeliest tokens Output lists: the pinned token's, else the one that a prediction is usually asked for.
Index shown_position(const Panel& panel);
/// Whose computation Inside shows: the pinned query, else the last.
Index query_inside(const Panel& panel);
/// What is framed in the map of the head that is looked at: the drawn map while one is painted, the relations of an example, and what is
/// asked of all heads.
std::vector<MapFrame> frames_here(const Panel& panel);

/// The small maps of a run as the document's style shows them; null: of the shown picture. Valid within the frame.
ShownMaps& shown_maps(const Panel& panel, const std::shared_ptr<const Snapshot>& run = nullptr);

/// Maps, pictures and labels that the window keeps from frame to frame; maps are made on the compute thread. UI thread only.
class KeptMaps final : public FigureSource {
 public:
  explicit KeptMaps(const Panel& panel) : panel_(panel) {}
  std::shared_ptr<const HeadMaps> maps(const ComparedHead& head) override;
  ShownMaps& shown(const ComparedHead& head, const Style& style) override;
  std::shared_ptr<const MapPicture> stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                          const Style& style) override;
  std::shared_ptr<const MapPicture> difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) override;
  AxisLabels labels(const Snapshot& snapshot, const Encoding& encoding) override;

 private:
  const Panel& panel_;
};

}  // namespace headlight
