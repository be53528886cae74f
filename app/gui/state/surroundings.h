// What stands around the views: notes above them, the left rail, the dialogs over the window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/mask_edits.h"
#include "app/gui/state/finding.h"
#include "engine/interventions/intervention.h"

namespace headlight {

/// What the notes above a view say, and which of them were closed.
struct Notes {
  std::string banner;                      ///< an error message that stays after its request has ended
  std::filesystem::path offered_document;  ///< left closed by a safe start; empty: none is offered
  std::string closed_example;              ///< text of the example whose note was closed
  std::string closed_notices;
  std::string copied;                                ///< what ctrl+C took last; until the next click or key
  std::vector<std::filesystem::path> changed_files;  ///< of what is shown, by another program; until they are reloaded or kept
  bool wants_reload = false;                         ///< of these, in this frame
  std::string closed_unfamiliar;                     ///< model whose note on words that it does not know was closed
  std::string closed_ranking;                        ///< text of the example whose note on heads was closed
  std::string_view wants_head_in;                    ///< the view of that moment: whoever goes elsewhere meanwhile stays there
  std::string wants_head_of;  ///< text of an example that was just chosen: the head that carries its relations is shown once it is known
  std::uint64_t closed_error = 0;        ///< generation whose error was closed
  bool wants_sentence = false;           ///< the keyboard goes to the sentence, in the next frame
  bool is_welcoming = false;             ///< the line of welcome of a first start
  bool is_random_closed = false;         ///< the note on random weights; restored at the next start
  std::uint64_t closed_weights = ~0ULL;  ///< Session::openings of the document whose note on other weights was closed
};

/// What is set in the section Intervene, and not yet put in place.
struct InterveneEntry {
  enum class On : std::uint8_t { head, layer, brushed };
  On on = On::head;
  InterventionKind kind = InterventionKind::off;
  std::string from;                 ///< typed: the head whose map is taken, "1.3"
  std::string text;                 ///< the other text
  std::string positions;            ///< typed: "3-5"; empty: all
  std::string texts, texts_column;  ///< the file that a mean is taken over, and its column where it is not the usual one
  std::string problem;              ///< why what was pressed last could not be put in place
};

/// The sections of the left rail, and what is typed in them but not yet in the document.
struct RailEntries {
  std::set<std::string, std::less<>> folded{"Block", "Intervene", "More", "Why this cell",
                                            kFindingSection};  ///< sections shown by their title only; restored at the next start
  MaskEntry mask_entry;
  InterveneEntry intervene;
  std::string wanted_section;    ///< that the rail opens and scrolls to in the next frame; empty: none
  std::string typed_heads;       ///< in the list of head counts
  std::string typed_keys;        ///< in the list of keys that are hidden
  bool shows_whole_row = false;  ///< the row profile lists every key
};

/// Which dialogs are open. What is set in them is theirs alone (app/gui/dialogs/dialog_states.h).
struct OpenDialogs {
  bool model_picker = false;
  bool figure_export = false;
  std::string asked_figure;  ///< the name of the figure that its dialog opens with; empty: that of the view
  bool help = false;
  bool model_card = false;
  bool performance = false;  ///< what the last picture cost, and where memory goes
  bool mask_file = false;
  bool parameters = false;
  bool palette = false, settings = false;
  bool lessons = false;            ///< which lesson to take
  std::string guess_path = {};     ///< typed: where the guesses of a class are to be written
  std::string guess_problem = {};  ///< why they cannot be
  std::string wanted_lesson = {};  ///< that is taken once it is read, by its name; empty: none
  bool document_open = false, document_save = false;
  bool corpus = false;       ///< measure all heads over a file of texts
  bool corpus_save = false;  ///< write what was found
  /// Who the dialog that chooses a file of texts is open for.
  enum class TextsFor : std::uint8_t { nobody, sweep, intervene };
  TextsFor texts = TextsFor::nobody;
  /// A document that is to be shown in place of this one, once nothing can be lost; an empty path: a new one.
  std::optional<std::filesystem::path> wanted_document = {};
};

}  // namespace headlight
