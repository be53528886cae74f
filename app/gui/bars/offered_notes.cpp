#include "app/gui/bars/offered_notes.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/document.h"
#include "app/document/wording.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/panel/relations.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

/// Counted again when the text has changed, or is no longer being typed.
const KnownWords& known_words(const Panel& panel) {
  KnownWords& known = panel.caches.known_words;
  const bool is_typing = ImGui::GetIO().WantTextInput;
  const std::string& model = panel.snapshot->query.model.name;
  if (known.model != model) {
    known.model = model;
    known.own_text = find_built_in_model(model) ? document_of_model(model).query.text : std::string();
  }
  if (known.encoding != panel.snapshot->encoding || known.is_typing != is_typing) {
    known.encoding = panel.snapshot->encoding;
    known.is_typing = is_typing;
    known.found = familiarity_of(*known.encoding, is_typing);
  }
  return known;
}

/// What is wrong with the words; empty: nothing.
std::string unfamiliar_text(const Familiarity& found, const std::string& model) {
  constexpr const char* kSo = "Its heads have little to go by here.";
  if (2 * found.spelled > found.words) {
    return fmt::format("{} reads these words letter by letter: {} of {} fall apart. {}", model, found.spelled, found.words, kSo);
  }
  if (2 * found.unknown > found.words) {
    return fmt::format("{} does not know these words: {} of {} are its unknown token. {}", model, found.unknown, found.words, kSo);
  }
  if (found.is_mostly_unknown()) {
    return fmt::format("{} knows few of these words: {} of {} are in pieces. {}", model, found.in_pieces, found.words, kSo);
  }
  if (found.spelled == 0) return {};
  return fmt::format("“{}” falls apart into letters: {} does not know the word.", printable(found.first_spelled, 40), model);
}

void add_unfamiliar(Panel& panel, std::vector<OfferedNote>& notes) {
  const std::string& model = panel.snapshot->query.model.name;
  if (panel.is_dump() || panel.is_sandbox() || model != panel.draft.query.model.name) return;
  if (panel.view.notes.closed_unfamiliar == model) return;
  const KnownWords& known = known_words(panel);
  if (known.encoding->text == known.own_text) return;
  std::string text = unfamiliar_text(known.found, printable(short_model_name(model), 60));
  if (text.empty()) return;
  OfferedNote note{"Unfamiliar words", panel.look.colours.query, std::move(text)};
  note.close = [model](Panel& here) { here.view.notes.closed_unfamiliar = model; };
  if (!known.own_text.empty()) {
    note.button = "Its own sentence";
    note.act = [own = known.own_text](Panel& here) {
      here.draft.query.text = own;
      here.draft.query.text_pair.reset();
    };
  }
  notes.push_back(std::move(note));
}

/// "deposit → bank 2.3 (0.61)" for each relation that a head carries.
std::string carried_text(const Panel& panel, const Ranking& ranking, const std::vector<Relation>& relations) {
  std::string text;
  for (std::size_t i = 0; i < std::min(relations.size(), ranking.by_frame.size()); ++i) {
    const std::vector<RankedHead>& heads = ranking.by_frame[i];
    if (heads.empty() || !carries(heads.front())) continue;
    text += fmt::format("{}{} → {}: {} ({})", text.empty() ? " Each by itself: " : " · ", relations[i].from, relations[i].to,
                        short_name(*panel.snapshot, heads.front().head), weight_text(heads.front().mass));
  }
  return text.empty() ? text : text + ".";
}

/// In how many of the frames a head carries the relation.
std::size_t carried_by(const Ranking& ranking, HeadId head) {
  std::size_t count = 0;
  for (const std::vector<RankedHead>& heads : ranking.by_frame) {
    const auto found = std::find_if(heads.begin(), heads.end(), [&](const RankedHead& each) { return each.head == head; });
    count += found != heads.end() && carries(*found) ? 1 : 0;
  }
  return count;
}

std::string ranking_text(const Panel& panel, const Ranking& ranking, const std::vector<Relation>& relations) {
  if (ranking.together.empty()) return "Every framed cell is masked in this model: no head can follow these relations.";
  const RankedHead& best = ranking.together.front();
  const std::string name = short_name(*panel.snapshot, best.head);
  const std::string figures = fmt::format("{} of the first word's attention goes to the second, on average ({} if it were spread evenly).",
                                          weight_text(best.mass), weight_text(best.uniform));
  const std::string first = carried_by(ranking, best.head) == relations.size()
                                ? fmt::format("Head {} follows these relations best: {}", name, figures)
                                : fmt::format("No head follows all of these relations. {} comes nearest: {}", name, figures);
  return first + carried_text(panel, ranking, relations);
}

void add_ranking(Panel& panel, std::vector<OfferedNote>& notes) {
  const auto [examples, example] = example_of_picture(panel);
  if (example == nullptr || panel.view.notes.closed_ranking == example->text) return;
  if (panel.view.notes.closed_example == example->text) return;  // its note is about a single head
  const std::shared_ptr<const Ranking> ranking = ranking_of_example(panel);
  if (!ranking || ranking->request.frames.size() != example->relations.size()) return;
  OfferedNote note{"Relation heads", panel.look.colours.key, ranking_text(panel, *ranking, example->relations)};
  note.close = [text = example->text](Panel& here) { here.view.notes.closed_ranking = text; };
  const bool is_elsewhere =
      !ranking->together.empty() && (panel.view.head != ranking->together.front().head || panel.view.view != View::head);
  if (is_elsewhere) {
    const HeadId best = ranking->together.front().head;
    note.button = "Show head " + short_name(*panel.snapshot, best);
    note.act = [best](Panel& here) {
      here.view.head = best;
      here.view.view = View::head;
    };
  }
  notes.push_back(std::move(note));
}

/// Files that another program has written.
void add_changed_files(Panel& panel, std::vector<OfferedNote>& notes) {
  const std::vector<std::filesystem::path>& files = panel.view.notes.changed_files;
  if (files.empty()) return;
  std::string text = printable(files.front().filename().string(), 60);
  if (files.size() > 1) text += fmt::format(" and {} more", files.size() - 1);
  text += " changed on disk. You still see what was there before.";
  notes.push_back({"Changed files", panel.look.colours.accent, std::move(text), "Reload",
                   [](Panel& here) { here.view.notes.wants_reload = true; }, [](Panel& here) { here.view.notes.changed_files.clear(); },
                   "Keep"});
}

/// A file that was dropped, and may be one sentence or many texts.
void add_dropped_texts(Panel& panel, std::vector<OfferedNote>& notes) {
  const CorpusPage& corpus = panel.view.corpus;
  if (corpus.dropped.empty() || panel.view.dialogs.corpus) return;
  std::string text = fmt::format("{} has {}. All heads can be measured over them, text by text; or they are one sentence.",
                                 printable(corpus.dropped.filename().string(), 60), corpus.dropped_is);
  notes.push_back({"Dropped texts", panel.look.colours.accent, std::move(text), "Measure all heads …",
                   [](Panel& here) { here.view.dialogs.corpus = true; }, [](Panel& here) { here.view.corpus.is_dropped_sentence = true; },
                   "Use as the sentence"});
}

/// The numbers beside the picture are of another model.
void add_other_corpus(Panel& panel, std::vector<OfferedNote>& notes) {
  const bool is_seen = panel.view.measures.source == kCorpusSource || is_of_positions(panel);
  if (panel.view.corpus.is_difference_closed || !is_seen) return;
  const std::string difference = difference_from_corpus(panel);
  if (difference.empty()) return;
  const StudyManifest& manifest = panel.context.session.corpora().shown()->stored->manifest;
  std::string text =
      fmt::format("The study of {} was made with {}, and {} differ from what is open: its numbers are not those of the heads you see.",
                  printable(manifest.corpus, 60), printable(manifest.model, 60), difference);
  notes.push_back({"Measured otherwise", panel.look.colours.query, std::move(text), "Open as measured", open_as_measured,
                   [](Panel& here) { here.view.corpus.is_difference_closed = true; }});
}

}  // namespace

std::vector<OfferedNote> offered_notes(Panel& panel) {
  std::vector<OfferedNote> notes;
  add_changed_files(panel, notes);
  add_dropped_texts(panel, notes);
  if (!panel.has_picture()) return notes;
  add_other_corpus(panel, notes);
  add_unfamiliar(panel, notes);
  add_ranking(panel, notes);
  return notes;
}

}  // namespace headlight
