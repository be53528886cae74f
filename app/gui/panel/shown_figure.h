// What is on the screen as a request for a figure. The views draw it and the export dialog writes it, so a file holds what the window shows.
#pragma once

#include <vector>

#include "app/gui/panel/panel.h"
#include "engine/figure/figure_source.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// The figure of a kind as the present document and view have it. Heads: all pins, also those that the shown model does not have.
FigureRequest shown_figure(const Panel& panel, const FigureKind& kind);
/// What is framed in the map of the head that is looked at: the wish while one is painted, and the relations of an example.
std::vector<MapFrame> frames_here(const Panel& panel);

/// The pins that Compare subtracts: those that were chosen, the first two where one of them is gone.
ComparedPair chosen_pair(const Panel& panel);

/// Maps, pictures and labels that the window keeps from frame to frame; maps are made on the compute thread. UI thread only.
class KeptMaps final : public FigureSource {
 public:
  explicit KeptMaps(const Panel& panel) : panel_(panel) {}
  std::shared_ptr<const HeadMaps> maps(const ComparedHead& head) override;
  std::shared_ptr<const MapPicture> small_picture(const ComparedHead& head) override;
  std::shared_ptr<const MapPicture> stage(const std::shared_ptr<const HeadMaps>& maps, Stage stage) override;
  std::shared_ptr<const MapPicture> difference(const std::shared_ptr<const HeadMaps>& a, const std::shared_ptr<const HeadMaps>& b) override;
  AxisLabels labels(const Snapshot& snapshot, const Encoding& encoding) override;

 private:
  const Panel& panel_;
};

}  // namespace headlight
