// What is set in the dialogs. It lasts as long as the program and is not restored, except for the recent models (Settings, session/state.h).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/browsing/folder_listing.h"
#include "app/recipe/sweep.h"
#include "app/session/model_card.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/style.h"
#include "engine/model/files/hub_cache.h"
#include "engine/targets/effect.h"
#include "engine/targets/patches.h"

namespace headlight {

struct Panel;

struct ModelPicker {
  std::vector<std::string> recent_models;  ///< newest first
  std::string path;                        ///< typed
  FolderListing listing;
  std::vector<CachedModel> cached_models;  ///< in the Hugging Face cache, as of when the picker was opened
  std::string hub_id;                      ///< typed, to be downloaded
  std::uint64_t seen_downloads = 0;        ///< DownloadStatus::ended when the window last acted on it
  bool was_open = false;                   ///< in the last frame
};

/// A file of many texts, as it is chosen (texts_file.h).
struct TextsFile {
  std::string path;  ///< typed
  FolderListing listing;
  std::filesystem::path looked_at;   ///< the file whose columns these are
  std::vector<std::string> columns;  ///< empty: it has none
  std::string problem;               ///< why that file cannot be used
  int column = 0;                    ///< of `columns`
  bool has_ids = false;              ///< the texts are token ids
};

/// Size, letters and parts of a figure under a name that a person gave them.
struct OwnPreset {
  std::string name;
  PageLook look;
  bool operator==(const OwnPreset&) const = default;
};

/// How large the preview of a figure is.
enum class PreviewZoom : std::uint8_t { print, twice, fit };

/// What the export dialog makes: the figure, that figure once for every value, or figures of every text of a file.
enum class ExportTask : std::uint8_t { figure, sweep, texts };

/// What changes from figure to figure.
struct SweepChoice {
  SweepOf of = SweepOf::layer;
  std::string typed;  ///< the values; empty: all, or the usual ones
};

struct BatchChoice : TextsFile {
  std::set<std::string, std::less<>> figures = {};  ///< names of kinds, with that of ExportChoice::kind
  std::set<std::string, std::less<>> endings = {};  ///< without their dots; empty: ExportChoice::ending
  std::string folder;                               ///< typed; empty: one beside the texts
};

struct ExportChoice {
  ExportTask task = ExportTask::figure;
  SweepChoice sweep;
  BatchChoice batch;
  const FigureKind* kind = &kHeatmapFigure;
  std::string ending = "png";
  std::string
      path;  ///< its ending, if it has one of the figure's, is the chosen one; empty: a name made from the figure, in the current folder
  FolderListing listing;
  PreviewZoom zoom = PreviewZoom::fit;
  std::string copied;  ///< the command line that was copied last
  std::optional<Theme> theme;
  PageLook page;                      ///< size, letters and parts; as large as its content at first
  std::vector<OwnPreset> presets;     ///< newest last; restored at the next start
  std::string preset_name;            ///< typed, for another
  std::array<std::string, 4> typed;   ///< into the boxes of width, height, type and family, while they hold what cannot be taken
  bool hides_marks = false;           ///< the pinned row is not marked
  std::string key;                    ///< typed: the position of the key that is marked; empty: none
  bool awaits_view = false;           ///< another figure stands in for that of the view, which cannot be made yet
  bool is_series_watched = false;     ///< a series was under way in the last frame, without the dialog
  bool is_spreadsheet_safe = false;   ///< of CSV
  std::filesystem::path asked;        ///< an existing file: the dialog asks whether to replace it (dialog.h)
  std::filesystem::path started;      ///< the file that was written last
  std::uint64_t finished_before = 0;  ///< ExportStatus::finished when the dialog was opened
};

struct MaskFileChoice {
  std::string path;                   ///< typed; empty: a name made from the head
  std::filesystem::path asked;        ///< as ExportChoice::asked
  std::uint64_t finished_before = 0;  ///< likewise
  /// The mask that was read last, to be read again when its file changes.
  struct Read {
    std::filesystem::path path;
    Scope scope;
    Index queries = 0, keys = 0;
  };
  std::optional<Read> read;
};

/// The tensor and cell of the sandbox that the parameters dialog shows.
struct ParameterChoice {
  int layer = 0;
  std::string tensor;  ///< "layer.0.q.weight"; empty before the first time
  Cell cell;           ///< row and column
  std::string typed;
  Matrix values;  ///< of `tensor` in `values_of`: copied when either changes, not in every frame
  std::shared_ptr<const Model> values_of;
  std::string values_name;
};

/// The card of the shown model, made once and not in every frame.
struct ShownCard {
  std::shared_ptr<const Model> model;
  std::array<CardSection, 3> sections;
};

/// Which document is opened, or where it is saved.
struct DocumentFiles {
  std::vector<std::string> recent;  ///< files, newest first; restored at the next start
  std::string path;                 ///< typed
  FolderListing listing;
  std::filesystem::path asked;  ///< as ExportChoice::asked
  bool was_open = false;        ///< one of the two dialogs, in the last frame
};

/// A file of texts that numbers are taken from.
struct OtherTextsChoice : TextsFile {
  bool was_open = false;  ///< in the last frame
};

/// A corpus that is to be measured, and how.
struct CorpusChoice : TextsFile {
  enum class Measures : std::uint8_t { usual, all, chosen, content };
  /// measures: of the maps. effects: what heads do to the target. patches: what each text's partner does to it.
  enum class Finds : std::uint8_t { measures, effects, patches };
  Finds finds = Finds::measures;
  PatchedPart part = PatchedPart::stream;              ///< of patches
  int partner = -1;                                    ///< of `columns`: the column of the partners; −1: the usual one
  std::set<EffectMethod> methods{EffectMethod::zero};  ///< of effects
  Measures measures = Measures::usual;
  std::set<std::string, std::less<>> chosen;                     ///< ids
  bool has_rest = true;                                          ///< each of them also without the first token
  bool has_random_weights = false, has_shuffled_tokens = false;  ///< what chance gives, measured beside
  int positions = 16;                                            ///< that content dependence compares
  bool has_repeated_tokens = false;                              ///< those of random tokens beside them, in no file
  bool draws_tokens = false;                                     ///< in place of a file of texts: repeated random tokens
  bool repeats_twice = false;                                    ///< 50 of these twice; else 25 four times
  std::optional<int> draws = {};                                 ///< of them; none: as many as the command line takes
  int top = 5;                                                   ///< examples kept for each
  std::string lengths;                                           ///< typed: "8,16,32"
  std::string file;                                              ///< typed: where the study is kept; empty: beside the texts
  bool was_open = false;                                         ///< in the last frame
};

/// Where numbers are written.
struct NumbersSaving {
  std::string path;  ///< typed
  FolderListing listing;
  std::filesystem::path asked;  ///< as ExportChoice::asked
  bool was_open = false;        ///< in the last frame
};

/// Where a study is written.
struct CorpusSaving : NumbersSaving {
  bool has_details = false;  ///< of a table
};

/// The command palette.
struct CommandPalette {
  std::string typed;
  int chosen = 0;                        ///< of the lines that are offered
  std::function<void(Panel&)> act = {};  ///< what was chosen, until it is done (take_from_palette)
  bool was_open = false;                 ///< in the last frame
};

struct DialogStates {
  CommandPalette palette;
  DocumentFiles documents;
  CorpusChoice corpus;
  CorpusSaving corpus_saving;
  NumbersSaving patch_saving;
  OtherTextsChoice other_texts;
  ModelPicker model_picker;
  ExportChoice figure_export;
  MaskFileChoice mask_file;
  ParameterChoice parameters;
  ShownCard model_card;
  std::string typed_font;  ///< in the settings
};

}  // namespace headlight
