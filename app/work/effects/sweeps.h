// A sweep: every head, or every position of every layer, changed alone, and what that does to the target of one text.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/work/compute/desk.h"
#include "app/work/effects/sweep_kinds.h"
#include "engine/measures/columns/head_column.h"
#include "engine/snapshot.h"
#include "engine/studies/corpus.h"
#include "engine/studies/study_file.h"
#include "engine/targets/head_effects.h"

namespace headlight {

/// A file of texts that means and other z are taken from.
struct SweepTexts {
  std::filesystem::path file;
  std::string column;
  bool has_ids = false;
  bool operator==(const SweepTexts&) const = default;
};

struct SweepFound;
struct SweepRequest {
  std::shared_ptr<const Snapshot> run;
  Target target;
  std::vector<SweepKind> kinds = {SweepKind::off};  ///< one that goes by position stands alone
  std::string text = {};                            ///< the other text, of kinds that need one
  SweepTexts texts = {};                            ///< likewise
  std::shared_ptr<const SweepFound> before = {};    ///< only saves work; let go once it began
  bool operator==(const SweepRequest& other) const;
};

/// What one kind of change did.
struct SweepValues {
  SweepKind kind = SweepKind::off;
  std::string text = {};  ///< that it took numbers from
  SweepTexts texts = {};  ///< likewise
  double other = 0;       ///< of a patch: the target in the other text
  std::vector<double>
      values;  ///< of the heads so far, by layer and head: the target with the change, less `unchanged`; of the gate its gradient
  std::vector<std::size_t> by_size = {};  ///< places of the values that are numbers, the largest first
  PatchSweep patches = {};                ///< of a patch by head: what the target becomes
  /// The file's texts as a figure keeps them; null of kinds that take none, and where they cannot be kept (read_text_set).
  std::shared_ptr<const TextSet> kept_texts = {};
};

struct SweepFound {
  SweepRequest request;
  double unchanged = 0;                           ///< the target of the run
  std::string problem;                            ///< why the target has no value here, or a kind cannot be done; empty: neither
  std::vector<HeadId> heads;                      ///< all of the model
  std::vector<SweepValues> kinds;                 ///< those of the request, and others that are known of this run and target
  PatchSweep places;                              ///< of a kind that goes by position
  const SweepValues* find(SweepKind kind) const;  ///< null: it is not known
};

/// One request's steps, a layer each. Each request has a copy of its own.
class SweepSteps {
 public:
  StudyStep<SweepFound> operator()(const SweepRequest& request, const std::shared_ptr<const SweepFound>& so_far, StepContext& context);

 private:
  class Run;
  std::shared_ptr<Run> run_;
};

/// The patches of a kind that patches and is finished; null: it is not there.
const PatchSweep* patches_of(const SweepFound& found, SweepKind kind);

inline constexpr std::string_view kEffectColumn = "effect:";  ///< ids of columns begin with it
/// A column for each kind that is finished.
HeadColumns columns_of(const SweepFound& found);
/// The finished methods of studies as a study of one text. `digest`: of the model's weights.
StoredStudy study_of(const SweepFound& found, const std::string& digest);

}  // namespace headlight
