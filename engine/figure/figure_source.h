// The heads that a figure shows, and where it takes their maps from: a file makes them, the window keeps them from frame to frame.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/map/map_picture.h"
#include "engine/figure/pictures.h"
#include "engine/figure/stage.h"
#include "engine/snapshot.h"

namespace headlight {

/// A head beside others in a comparison, and the run that it belongs to.
struct ComparedHead {
  HeadId head;
  std::shared_ptr<const Snapshot> of = {};  ///< null: the run that the figure is of
  std::string subject = {};                 ///< the run's name in titles and files: "baseline"; empty: it needs no name
  std::string problem = {};                 ///< why that run cannot be shown, or not yet; empty: it can
  bool operator==(const ComparedHead&) const = default;
};
/// Throws Error (usage) for a head that the run does not have.
void check_head(const Snapshot& snapshot, HeadId head);
/// Heads of the figure's own run.
std::vector<ComparedHead> compared(std::span<const HeadId> heads);
inline const Snapshot& run_of(const ComparedHead& head, const Snapshot& own) {
  return head.of ? *head.of : own;
}

/// Which two of the compared heads are subtracted, by their places.
struct ComparedPair {
  std::size_t left = 0, right = 1;
  bool operator==(const ComparedPair&) const = default;
};
/// Whether both heads have maps, and of one size.
bool are_subtractable(const Snapshot& own, const ComparedHead& left, const ComparedHead& right);
/// What is said where they are not.
std::string unequal_sizes_text(Index queries, Index keys, Index other_queries, Index other_keys);
/// The first of these heads that another can be subtracted from, and the first that can be; none: no two have maps of one size.
std::optional<ComparedPair> first_subtractable(const Snapshot& own, std::span<const ComparedHead> heads);

/// A head and its maps.
struct HeadWithMaps {
  ComparedHead head;
  std::shared_ptr<const HeadMaps> maps;
};
/// left − right of the cells that their runs show.
std::shared_ptr<const MapPicture> picture_of_difference(const ShownMaps& left_run, const HeadWithMaps& left, const ShownMaps& right_run,
                                                        const HeadWithMaps& right);

/// What takes time to make. Thread contract: whatever the implementation says; a figure asks from one thread.
class FigureSource {
 public:
  FigureSource() = default;
  FigureSource(const FigureSource&) = delete;
  FigureSource& operator=(const FigureSource&) = delete;
  virtual ~FigureSource() = default;

  /// Null while they are being made.
  virtual std::shared_ptr<const HeadMaps> maps(const ComparedHead& head) = 0;
  /// The small pictures of the head's run, which are there at once, and its colours.
  virtual ShownMaps& shown(const ComparedHead& head, const Style& style) = 0;
  virtual std::shared_ptr<const MapPicture> stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                                  const Style& style) = 0;
  /// The weights of the left head minus those of the right one, as they are shown. Throws Error (usage) for maps of different sizes.
  virtual std::shared_ptr<const MapPicture> difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) = 0;
  virtual AxisLabels labels(const Snapshot& snapshot, const Encoding& encoding) = 0;
};

/// Makes everything when it is asked for, on the thread that asks. `own` outlives it. `has_steps`: maps have what lies before the weights, and
/// values, which only stages other than the weights need.
class FreshMaps final : public FigureSource {
 public:
  explicit FreshMaps(const Snapshot& own, bool has_steps = true) : own_(own), has_steps_(has_steps) {}
  std::shared_ptr<const HeadMaps> maps(const ComparedHead& head) override;
  ShownMaps& shown(const ComparedHead& head, const Style& style) override;
  std::shared_ptr<const MapPicture> stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                          const Style& style) override;
  std::shared_ptr<const MapPicture> difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) override;
  AxisLabels labels(const Snapshot& snapshot, const Encoding& encoding) override;

 private:
  const Snapshot& own_;
  const bool has_steps_;
  std::deque<ShownMaps> shown_;  // of each run; they stay where they are
};

}  // namespace headlight
