// One open document with its history, worker and exporter: everything about the window that can be tested without a display.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/document/document.h"
#include "app/document/history.h"
#include "app/document/pinned_heads.h"
#include "app/session/weights_shelf.h"
#include "app/work/batch/figure_series.h"
#include "app/work/card_heads.h"
#include "app/work/columns/chance_columns.h"
#include "app/work/columns/column_shelf.h"
#include "app/work/columns/score_file.h"
#include "app/work/columns/text_columns.h"
#include "app/work/compute/worker.h"
#include "app/work/corpora/corpus_studies.h"
#include "app/work/corpora/repeated_columns.h"
#include "app/work/document_shelf.h"
#include "app/work/effects/effects.h"
#include "app/work/examples.h"
#include "app/work/exporter.h"
#include "app/work/figures/figure_previews.h"
#include "app/work/finding/head_rankings.h"
#include "app/work/flow/flow_studies.h"
#include "app/work/font_shelf.h"
#include "app/work/head_fits.h"
#include "app/work/inside/insides.h"
#include "app/work/labs.h"
#include "app/work/lessons/lesson_desk.h"
#include "app/work/links/link_studies.h"
#include "app/work/model_shelf.h"
#include "app/work/prediction_changes.h"
#include "app/work/predictions.h"
#include "app/work/stages/stage_studies.h"

namespace headlight {

/// Thread contract: the UI thread only.
class Session {
 public:
  /// Requests the first document's picture at once. `on_change` is called from the worker's and exporter's threads.
  explicit Session(Document first, int threads = 0, const std::function<void()>& on_change = {}, Json unknown = Json::object());

  const Document& document() const { return history_.current(); }
  const History& history() const { return history_; }
  Worker& worker() { return worker_; }
  const Worker& worker() const { return worker_; }
  Labs& labs() { return labs_; }
  LinkStudies& links() { return links_; }
  FlowStudies& flows() { return flows_; }
  Insides& insides() { return insides_; }
  FigurePreviews& figure_previews() { return figure_previews_; }
  FigureSeries& figure_series() { return figure_series_; }
  Predictions& predictions() { return predictions_; }
  PredictionsBefore& predictions_before() { return predictions_before_; }  ///< of the baseline
  Effects& effects() { return effects_; }
  StageStudies& stages() { return stages_; }
  HeadFits& head_fits() { return head_fits_; }
  ExampleShelf& examples() { return examples_; }
  HeadRankings& head_rankings() { return head_rankings_; }
  TextColumns& text_columns() { return text_columns_; }
  ChanceColumns& chance_columns() { return chance_columns_; }
  ScoreFiles& score_files() { return score_files_; }
  ColumnShelf& columns() { return columns_; }
  const ColumnShelf& columns() const { return columns_; }
  CardHeadShelf& card_heads() { return card_heads_; }
  CorpusStudies& corpora() { return corpora_; }
  const CorpusStudies& corpora() const { return corpora_; }
  RepeatedColumns& repeated_columns() { return repeated_columns_; }
  ModelShelf& models() { return models_; }
  FontShelf& fonts() { return fonts_; }
  DocumentShelf& documents() { return documents_; }
  LessonDesk& lessons() { return lessons_; }
  const LessonDesk& lessons() const { return lessons_; }
  Exporter& exporter() { return exporter_; }
  std::shared_ptr<const Snapshot> snapshot() const { return worker_.snapshot(); }
  /// The run of a subject of `document`, which is the current one or the draft of the next. For the focused subject it is what is shown,
  /// which may still be the previous picture; for the others only their own.
  SubjectRun run_of(const Document& document, int subject) const;
  std::shared_ptr<const Snapshot> snapshot_of(int subject) const { return run_of(document(), subject).snapshot; }
  /// The run of the shown texts without any edit: what "before" means where no subject was kept as the baseline. The shown picture itself
  /// where nothing is edited; null while it is being computed, or with the reason why there is none.
  SubjectRun unedited_run() const;
  /// The run of a text that an edit of the shown picture takes from, without edits of heads.
  SubjectRun run_of_other_text(const std::string& text) const;
  const Json& unknown() const { return unknown_; }                 ///< fields of the opened file that this version does not know
  std::uint64_t openings() const { return openings_; }             ///< how many documents were opened after the first
  const std::filesystem::path& origin() const { return origin_; }  ///< the file that the document was opened from; empty: none
  /// The document's own file, where the person saved or found it; empty: it has none yet. What the program keeps by itself is none.
  const std::filesystem::path& file() const { return file_; }
  /// It differs from what its file holds, or, without a file, from how it began.
  bool is_modified() const { return own_document() != saved_; }
  /// The document without a lesson: that of before, while one is taken. It is the one that is kept for the next start.
  const Document& own_document() const { return lessons_.open() != nullptr ? lessons_.open()->before : document(); }

  /// Call it every frame, after the panels. A draft that differs from the current document is recorded and requested. `is_gesture`: a mouse
  /// button is held, and everything that changes until it is released is one undo step. `is_typing`: a text box has the keyboard; each
  /// typed word is one undo step.
  void apply(const Document& draft, bool is_gesture, bool is_typing);
  /// Removes the last step, which asked for something impossible, from the history. Returns false and does nothing if another step
  /// followed.
  bool take_back();
  /// Undo stops at what is shown now, as in a lesson at its step; or goes back to the beginning again.
  void hold_undo() { history_.hold_undo(); }
  void free_undo() { history_.free_undo(); }
  void undo();
  void redo();
  /// Call it every frame, before the panels. Of a batch of maps the first text is shown; the document then names it, without a step.
  void name_shown_item();
  /// Asks for the current document's picture once more: the reason for which it was refused may be gone.
  void retry() { worker_.request(document().query, false); }
  /// The same, but its files are read again: another program has written them.
  void reread() { worker_.request(document().query, false, true); }
  /// Opens another document: new history, the old picture stays until the new one is ready. `origin`: the file it comes from.
  void replace(Document document, Json unknown = Json::object(), std::filesystem::path origin = {});
  /// Has the export thread read a document file; take_opened replaces the current document by it.
  void open(const std::filesystem::path& path) { exporter_.read_document(path); }
  /// Call it every frame. Returns whether another document was opened since the last call. One that cannot be read changes nothing, and
  /// `problem` says why.
  bool take_opened(std::string& problem);
  /// The document that the session began with is that of a file, which holds `saved`.
  void adopt_file(std::filesystem::path file, Document saved);
  /// Writes the current document on the export thread; take_saved makes the path its file.
  /// `look`: what is looked at, for the file (kLookField); null: as it was opened.
  void save(const std::filesystem::path& path, const Json& look = Json());
  /// Call it every frame. Once the model that is asked for has a picture, its weights are compared with those that the document was saved
  /// with, beside everything else.
  void check_weights();
  /// The file that keeps digests of weights for later starts (kept_digests.h); empty, as it is at first: none does.
  void keep_digests_in(const std::filesystem::path& file) {
    weights_shelf_.keep_in(file);
    exporter_.keep_digests_in(file);
    digests_ = file;
  }
  const std::filesystem::path& digests() const { return digests_; }  ///< that file
  bool has_weights_digest() const { return !weights_.empty(); }      ///< of the shown model; it is computed beside everything else
  const std::string& shown_weights() const { return weights_; }      ///< that digest; empty: not known
  /// The model's weights are not those that the opened document was saved with.
  bool has_other_weights() const { return has_other_weights_; }
  /// The person gives up what the file does not hold: nothing counts as changed until the next edit.
  void forget_changes() { saved_ = document(); }
  /// Call it every frame. Returns whether the document was written since the last call. If it could not be, `problem` says why.
  bool take_saved(std::string& problem);
  void go_to(std::size_t step);  ///< of the history, counted from 0, the document as it was opened; later ones can be redone

 private:
  void request_changes(const Document& before, bool is_gesture);
  void keep_beside();
  History history_;
  Json unknown_ = Json::object();
  std::uint64_t openings_ = 0;
  std::filesystem::path origin_, file_, digests_;
  Document saved_;  // as the file has it
  bool has_other_weights_ = false;
  std::string weights_;  // digest of the shown model's; empty while it is not known
  Worker worker_;
  Labs labs_{worker_};
  LinkStudies links_{worker_};
  FlowStudies flows_{worker_};
  Insides insides_{worker_};
  FigurePreviews figure_previews_{worker_};
  FigureSeries figure_series_{worker_};
  Predictions predictions_{worker_};
  PredictionsBefore predictions_before_{worker_};
  Effects effects_{worker_};
  StageStudies stages_{worker_};
  HeadFits head_fits_{worker_};
  ExampleShelf examples_{worker_};
  HeadRankings head_rankings_{worker_};
  TextColumns text_columns_{worker_};
  ChanceColumns chance_columns_{worker_};
  ScoreFiles score_files_{worker_};
  ColumnShelf columns_;
  CardHeadShelf card_heads_{worker_};
  CorpusStudies corpora_{worker_};
  RepeatedColumns repeated_columns_{worker_};
  ModelShelf models_{worker_};
  FontShelf fonts_{worker_};
  DocumentShelf documents_{worker_};
  LessonDesk lessons_{worker_};
  WeightsShelf weights_shelf_{worker_};
  Exporter exporter_;
};

}  // namespace headlight
