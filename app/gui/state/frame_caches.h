// What panels work out of the snapshot and the document and keep for the next frame. Nothing here is state: cleared, it is made again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/drawn_map.h"
#include "app/gui/state/pictures.h"
#include "app/work/columns/chance_columns.h"
#include "app/work/compute/worker.h"
#include "app/work/finding/head_rankings.h"
#include "engine/attention/mask.h"
#include "engine/explain/explain.h"
#include "engine/figure/links/tinted_text.h"
#include "engine/figure/map_layout.h"
#include "engine/finding/head_question.h"
#include "engine/studies/study_file.h"
#include "engine/text/familiarity.h"

namespace headlight {

/// What is drawn on a map, as cells: made when the drawing or the map's size changes and not in every frame.
struct DrawnCells {
  DrawnMap made_from;
  std::shared_ptr<const Mask> mask;  ///< of the head
  Matrix wanted;                     ///< without what the mask forbids
  std::vector<MapFrame> frames;      ///< around each wanted cell
  Index cells = 0;
  Index masked_cells = 0;  ///< painted cells that the mask forbids
};

/// The targets of a question on a head's map: made when the question, the picture or the head's mask changes.
struct AskedCells {
  HeadQuestion made_from;
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const Mask> mask;  ///< of the head
  int layer = 0;
  std::vector<MapFrame> frames;
  Index cells = 0;
};

/// Whether masks of the shown picture let tokens see what comes after them where the model's own do not: looked up once per picture.
struct SightAhead {
  std::shared_ptr<const Snapshot> snapshot;
  bool is_opened = false;
};

/// The maps of this frame. They are finished at any moment, but all panels of a frame are given the same: none shows what another does not
/// have yet, and scripts see the same frames every time.
class FrameMaps {
 public:
  void begin_frame() { given_.clear(); }
  /// Null: not yet made.
  const std::shared_ptr<const HeadMaps>& maps(Worker& worker, const std::shared_ptr<const Snapshot>& run, HeadId head) {
    const auto [place, is_new] = given_.try_emplace({run.get(), head});
    if (is_new) place->second = worker.maps(run, head);
    return place->second;
  }

 private:
  std::map<std::pair<const Snapshot*, HeadId>, std::shared_ptr<const HeadMaps>> given_;
};

/// What the status bar says of the program itself: read a few times a second.
struct ProgramCost {
  double read_at = -1;  ///< seconds of Dear ImGui's clock; below 0: never
  double milliseconds = 0;
  std::uint64_t bytes = 0;
};

/// How long the last frames took, in milliseconds, in a ring.
class FrameTimes {
 public:
  static constexpr std::size_t kMost = 240;
  void add(double milliseconds) {
    if (times_.size() < kMost) times_.resize(times_.size() + 1);
    times_[next_] = static_cast<float>(milliseconds);
    next_ = (next_ + 1) % kMost;
  }
  /// From the oldest on.
  std::vector<float> times() const {
    std::vector<float> all(times_);
    if (times_.size() == kMost) std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(next_), all.end());
    return all;
  }

 private:
  std::vector<float> times_;
  std::size_t next_ = 0;
};

/// Which words of the picture's text its model knows: counted once per text.
struct KnownWords {
  std::shared_ptr<const Encoding> encoding;
  bool is_typing = false;
  Familiarity found;
  std::string model, own_text;  ///< the sentence that the model opens with; empty: it has none of its own
};

/// The files of the document's model: looked up when it changes.
struct FilesOfModel {
  std::string name;
  std::vector<std::filesystem::path> files;
};

/// The columns of Measures with what chance gives: made when the columns or the draws change.
struct ColumnsWithChance {
  std::shared_ptr<const ChanceFound> found;
  HeadColumns plain;    ///< made from these
  HeadColumns columns;  ///< one for each of them
};

/// What was said of a head: made anew for another map of it. Maps and runs are not held by what was said of them.
struct ExplainedMap {
  std::weak_ptr<const HeadMaps> maps, before;
  std::vector<Explanation> said;
};

/// What was said of all edits: made anew for another run.
struct ExplainedEdits {
  std::weak_ptr<const Snapshot> now, before;
  Explanation said;
};

/// A number of a head over all lengths of a study's texts: merged anew for another one.
struct MergedCell {
  std::weak_ptr<const StoredStudy> stored;  ///< not held by what was made of it
  std::size_t place = 0, number = 0;
  std::shared_ptr<const StudyCell> cell;
};

/// What a study differs in from what is open: compared anew when either changes.
struct ComparedCorpus {
  std::weak_ptr<const StoredStudy> stored;  ///< not held by what was made of it
  Query query;
  std::string weights, difference;
};

/// The words of a running text in lines: broken anew for another text, width or scale.
struct RunningLines {
  std::shared_ptr<const Encoding> made_from;  ///< held: another text never has its address
  float width = 0, scale = 0;
  WordsInLines words;
};

struct FrameCaches {
  FrameMaps maps;
  Pictures pictures;  ///< of the snapshot's maps, and names of its tokens
  DrawnCells drawn_cells;
  AskedCells asked_cells;
  std::shared_ptr<const AnsweredQuestion> fed_answer;  ///< whose columns the session has
  SightAhead sight_ahead;
  ProgramCost cost;
  FrameTimes frame_times;
  KnownWords known_words;
  std::optional<HeldMap> held_map;  ///< where Head drew its map
  float notes_height = 0;           ///< pixels that the notes of the last frame cover at the lower edge of the view
  /// Pixels that the words of a lesson's step and its question took in the last frame.
  float words_height = 1e4F, question_height = 0;
  std::optional<Cell> spoken_cell;  ///< of the map in Head: what a step of a lesson speaks of, as of the last frame
  FilesOfModel model_files;
  ColumnsWithChance columns_with_chance;
  MergedCell merged_cell;
  ComparedCorpus compared_corpus;
  ExplainedMap explained_map;
  ExplainedEdits explained_edits;
  std::array<RunningLines, 2> running_texts;  ///< of the text, or of the queries; then of the keys where those are another text
};

}  // namespace headlight
