// How each view is set. The Labs have theirs in app/document/labs/labs.h, as their results depend on it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/state/shell.h"
#include "app/work/corpora/corpus_run.h"
#include "app/work/corpora/repeated_columns.h"
#include "app/work/effects/sweeps.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/measures/columns/head_order.h"

namespace headlight {

struct HeadPage {
  CellWindow zoom;                ///< empty: all
  Stage stage = Stage::weights;   ///< restored at the next start
  Moment moment = Moment::now;    ///< likewise; counts while there is a baseline
  std::optional<Index> revealed;  ///< the pinned row that the zoomed map was last moved to; another one moves it again
  bool hides_other_text = false;  ///< that an edit takes from: its map beside the edited one was closed
};

struct ComparePage {
  int left = 0, right = 1;       ///< which cards A − B subtracts
  bool has_chosen_pair = false;  ///< by hand
  bool has_shared_scale = true;  ///< one scale for all cards; restored at the next start
};

/// An arrangement of heads that a view shows in place of layers.
struct HeadArrangement {
  std::optional<ColumnSort> sort;   ///< none: by layer and head
  std::vector<ColumnRange> ranges;  ///< heads outside are left out
  std::string tint;                 ///< id of the column whose values the heads carry; empty: the usual number
  bool operator==(const HeadArrangement&) const = default;
};

/// Which measures the list of columns offers.
enum class OfferedMeasures : std::uint8_t { all, in_table, with_parameter };

/// Restored at the next start, but for what is said to be of the moment.
struct MeasuresPage {
  std::string source;                ///< what is measured (ColumnShelf); empty: the shown text
  std::vector<std::string> columns;  ///< ids of measures, from left to right; empty: the usual ones
  std::vector<ColumnSort> sorts;     ///< the first counts most; none: by layer and head
  std::vector<ColumnRange> ranges;   ///< filters: one for a column at most
  std::string across, up, size;      ///< ids of the scatter plot's columns; empty: the usual ones, of the size none
  Fold scatter = Fold::by_room;      ///< the part beside the table
  std::string explained;             ///< id of the column that the inspector explains; empty: the one that sorts
  std::vector<std::string> imports;  ///< paths of files with scores
  // Of the moment:
  std::set<std::string, std::less<>> hidden_of_study;         ///< ids of its columns that are not shown
  std::string typed_range, searched, typed_path;              ///< in the menus of the table
  OfferedMeasures offered = OfferedMeasures::all;             ///< in the list of columns, unless words are searched
  std::string typed_parameter, typed_without;                 ///< of the column whose menu is open
  std::map<std::string, std::string, std::less<>> typed_new;  ///< parameters of columns that are being added, by the measure's id
  std::string newest_import;                                  ///< refused with a note if it cannot be read; an older one stays, and says so
  int reads = 0;                                              ///< of the imports
  bool wants_baselines = false;                               ///< though they take a while
  bool wants_choice = false;                                  ///< opens the list of columns, with the files of scores
  std::optional<HeadId> anchor;                               ///< where a range of rows begins
  std::optional<HeadId> revealed;                             ///< the row that the table was last scrolled to
};

struct OverviewPage {
  float scroll = 0;                   ///< pixels from the top
  HeadArrangement arrangement;        ///< restored at the next start
  Stage stage = Stage::weights;       ///< that all maps show: weights, or one of lengths; restored likewise
  std::string filtered, typed_range;  ///< the column and the text of a filter that is being added
};

struct ShownEffects;
/// What the page Heads shows, until something else is found or chosen.
struct KeptEffects {
  std::shared_ptr<const void> source;   ///< a SweepFound or a StoredStudy
  std::shared_ptr<const Snapshot> run;  ///< the picture
  SweepKind kind = SweepKind::off;
  std::shared_ptr<const ShownEffects> shown;  ///< null: the source has nothing to show
};

/// A target while it is typed, and as long as it cannot be read.
struct TypedTarget {
  std::string text;
  Target beside;  ///< what is watched meanwhile; another one, chosen elsewhere, takes the text's place
  bool operator==(const TypedTarget&) const = default;
};

struct OutputPage {
  enum class Page : std::uint8_t { predictions, parts, heads, layers };
  Page page = Page::predictions;  ///< restored at the next start
  /// What stands beside the grid of heads.
  enum class Beside : std::uint8_t { ranking, methods, pruning };
  SweepKind sweep = SweepKind::off;  ///< what is done to each head; restored likewise, as are the next three
  std::string other_text;            ///< that patches are taken from
  SweepTexts texts;                  ///< a file that means and other z are taken from
  Beside beside = Beside::ranking;
  bool is_over_texts = false;   ///< the numbers of a file of texts (CorpusStudies) in place of this text's
  bool prunes_by_gate = false;  ///< else by switching off
  double agreed_seconds = 0;    ///< a sweep that takes up to this long begins without being asked for
  TypedTarget typed_target = {};
  std::shared_ptr<const SweepFound> patches_to_save = {};  ///< the dialog that saves them is open
  std::optional<Index> revealed;                           ///< the position that the list was last scrolled to
  std::optional<HeadId> chosen_place;                      ///< of patches over texts: layer and position whose texts are listed
  std::optional<HeadId> pointed;                           ///< of the grid or the parts, in this frame
  std::shared_ptr<const SweepFound> settled = {};          ///< what columns of heads were made of
  KeptEffects kept = {};
};

struct LabsPage {
  std::optional<Index> toy_query;  ///< pinned in the toy run, whose tokens are of no text
  std::string wanted_card;         ///< that the page scrolls to once it is drawn; empty: none
  float card_scale = 0;            ///< pixels of a point when it was last scrolled to
};

/// Restored at the next start, all of it but `followed`.
struct LinksPage {
  /// Whose lines are shown.
  enum class Heads : std::uint8_t {
    layer,   ///< of the layer that is looked at
    all,     ///< of all layers with the same texts
    chosen,  ///< by hand
  };
  Heads which = Heads::layer;
  std::vector<HeadId> chosen;  ///< ascending
  LinkFilter filter;
  bool has_arcs = false;
  TextTint tint = TextTint::attention;
  bool are_words_keys = false;         ///< a word pointed at in the running text counts as a key; else as a query
  Fold band = Fold::by_room;           ///< of the running text
  std::optional<Index> followed = {};  ///< the pinned row that was scrolled to
  bool operator==(const LinksPage&) const = default;
};

struct FlowPage {
  /// Whose maps become one; restored at the next start, as the settings are but for `through`.
  enum class Heads : std::uint8_t {
    layer,   ///< of the layer that is looked at
    all,     ///< of all layers with the same texts
    pinned,  ///< of the focused text
    brushed,
  };
  Heads which = Heads::layer;
  FlowSettings settings;
  CellWindow zoom;          ///< empty: all
  double agreed_bytes = 0;  ///< of memory that a map may take without a question
};

/// The corpus whose numbers are shown beside those of this text (CorpusStudies).
struct CorpusPage {
  std::filesystem::path file = {};     ///< of the shown study, empty: it has none; restored at the next start, and with a document
  std::filesystem::path wanted = {};   ///< a study that is to be opened
  std::filesystem::path dropped = {};  ///< a file of texts that was dropped: a note asks what it is for
  std::string dropped_is = {};         ///< what it holds, in words
  bool is_dropped_sentence = false;    ///< the answer: it is one sentence
  bool wants_effects = false;          ///< the dialog opens for what heads do to the target; else for measures
  std::shared_ptr<const StoredStudy> to_save = {};  ///< what the dialog for saving is about, where it is not the shown study
  bool is_difference_closed = false;                ///< the note that the study was measured with another model
  /// The cell of an example that was opened: framed while its text and head are shown.
  struct Marked {
    std::string text;
    std::vector<std::int64_t> ids;
    HeadId head;
    Index query = 0, key = 0;
  };
  std::optional<Marked> marked = {};
  std::uint64_t opened = 0;                            ///< CorpusStudies::opened that was seen last
  std::shared_ptr<const MeasuredCorpus> settled = {};  ///< what the columns of heads were made of
  std::shared_ptr<const RepeatedFound> repeated = {};  ///< likewise
  bool is_settled = false;
};

struct InsidePage {
  InsideMoment moment;  ///< that is shown; its step is restored at the next start
  bool is_playing = false;
  bool has_played = false;             ///< or a moment was chosen: before, playing begins at the beginning
  int speed = 1;                       ///< of kInsideSpeeds; restored likewise
  int most_keys = 0;                   ///< with rows of their own, the others are folded; 0: as many as fit; restored likewise
  std::optional<Index> chosen_key;     ///< whose products open; none: that of the largest weight
  std::optional<InsideNumber> ringed;  ///< whose parts are shown
  std::set<Index> opened;              ///< keys of folds that were opened
  HeadId of_head;                      ///< what the last three belong to
  Index of_query = 0;
};
/// How fast steps play.
inline constexpr std::array<float, 3> kInsideSpeeds{0.5F, 1, 2};

}  // namespace headlight
