// What heads do to the output, asked of the desk: the target beside the run without edits, what a logit is made of, what each head does to the
// target when it is switched off, what every layer would predict, and why a query scores a key as it does. A request is a value, a result is
// immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/work/compute/worker.h"
#include "app/work/effects/pruning.h"
#include "app/work/effects/sweeps.h"
#include "engine/attribution/cell_parts.h"
#include "engine/attribution/lens.h"
#include "engine/attribution/logit_parts.h"
#include "engine/figure/effects/asked_logit.h"
#include "engine/targets/watched.h"

namespace headlight {

struct TargetRequest {
  Target target;
  std::shared_ptr<const Snapshot> run, unedited;  ///< unedited: the same as `run` where nothing is edited; null while it is not there
  bool operator==(const TargetRequest&) const = default;
};
struct TargetFound {
  TargetRequest request;
  TargetValue now;
  std::optional<TargetValue> before;   ///< where there is an unedited run of another picture
  std::optional<LogitQuestion> logit;  ///< that it is about; none where it reads many, or has no value here
  /// now − before; none where one of them is undefined.
  std::optional<double> change() const;
};

/// One logit, or the difference of two, of a run.
struct PartsRequest {
  std::shared_ptr<const Snapshot> run;
  LogitQuestion question;
  bool operator==(const PartsRequest&) const = default;
};
struct PartsFound {
  PartsRequest request;
  LogitParts parts;
};

struct SourcesRequest {
  PartsRequest logit;
  HeadId head;
  bool operator==(const SourcesRequest&) const = default;
};
struct SourcesFound {
  SourcesRequest request;
  std::vector<double> adds;    ///< of each source token, through W_O
  std::vector<float> weights;  ///< of the position's row
};

struct LensRequest {
  std::shared_ptr<const Snapshot> run;
  Index position = 0;
  std::vector<std::int64_t> followed;  ///< tokens whose probability is read in every layer
  bool operator==(const LensRequest&) const = default;
};
struct LensFound {
  LensRequest request;
  std::vector<LensLayer> layers;                   ///< one prediction each
  std::vector<std::vector<LikelyToken>> followed;  ///< [layer][token]
  std::vector<std::vector<std::string>> labels;    ///< of the likeliest tokens of each layer
};

/// Why a query scores a key as it does. why_no_cell_parts has no objection.
struct CellRequest {
  std::shared_ptr<const Snapshot> run;
  HeadId head;
  Index query = 0, key = 0;
  bool operator==(const CellRequest&) const = default;
};
struct CellFound {
  CellRequest request;
  CellParts parts;
  std::vector<double> of_query, of_key;                            ///< what each part of that side adds, with all of the other side
  std::vector<std::size_t> query_by_size, key_by_size;             ///< their places, the largest first
  std::vector<std::pair<std::size_t, std::size_t>> pairs_by_size;  ///< (query part, key part), the largest kListedPairs
};
inline constexpr std::size_t kListedPairs = 5;

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class Effects {
 public:
  explicit Effects(Worker& worker);
  /// Null until the value of this very request is there.
  std::shared_ptr<const TargetFound> target(const TargetRequest& request);
  /// The last result, or null before the first. why_no_logit_parts has no objection.
  std::shared_ptr<const PartsFound> parts(const PartsRequest& request) { return parts_.ask(request); }
  std::shared_ptr<const SourcesFound> sources(const SourcesRequest& request) { return sources_.ask(request); }
  /// As far as it is done; null before the first layer. Kinds that are known of the same run and target are not computed again.
  std::shared_ptr<const SweepFound> sweep(SweepRequest request);
  /// As far as it is done; null before the first curve.
  std::shared_ptr<const PruningFound> pruning(const PruningRequest& request);
  std::shared_ptr<const LensFound> lens(const LensRequest& request) { return lens_.ask(request); }
  /// The last result, of whatever cell; null before the first.
  std::shared_ptr<const CellFound> cell(const CellRequest& request) { return cell_.ask(request); }

  /// What was found last, of whatever run; null before the first.
  std::shared_ptr<const PartsFound> known_parts() const { return parts_.result(); }
  std::shared_ptr<const PruningFound> known_pruning() const { return pruning_.result(); }
  std::shared_ptr<const SweepFound> known_sweep() const {
    const std::shared_ptr<const SweepFound> partial = sweep_.partial();
    return partial ? partial : sweep_.result();
  }

  StudyStatus parts_status() const { return parts_.status(); }
  StudyStatus sweep_status() const { return sweep_.status(); }
  StudyStatus pruning_status() const { return pruning_.status(); }
  StudyStatus lens_status() const { return lens_.status(); }
  StudyStatus cell_status() const { return cell_.status(); }
  /// The sweep that is known or under way is none of this run and target.
  void rest_sweep() {
    if (sweep_.asked()) sweep_.let_go();
  }
  void pause_sweep() { sweep_.pause(); }
  void resume_sweep() { sweep_.resume(); }
  /// Call it in frames that do not show the target.
  void rest_target() {
    if (target_.asked()) target_.let_go();
  }
  /// Call it in frames that explain no cell.
  void rest_cell() {
    if (cell_.asked()) cell_.let_go();
  }
  /// Releases all but the target, the sweep and the cell: call it while they are not shown.
  void rest();

 private:
  Study<TargetRequest, TargetFound> target_;
  Study<PartsRequest, PartsFound> parts_;
  Study<SourcesRequest, SourcesFound> sources_;
  Study<SweepRequest, SweepFound> sweep_;
  Study<PruningRequest, PruningFound> pruning_;
  Study<LensRequest, LensFound> lens_;
  Study<CellRequest, CellFound> cell_;
};

}  // namespace headlight
