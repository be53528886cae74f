// Which head does this: asking it from anywhere in the window, and the answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Shows the section of the left rail, open and in sight.
void show_finding(Panel& panel);
/// Asks this in place of what was asked before.
void ask_question(Panel& panel, HeadQuestion question);
void ask_alike(Panel& panel, HeadId head);
/// One click takes all of it back: question, list, frames on the map.
void ask_nothing(Panel& panel);

/// "follow → horse" in the colours of query and key, "previous token", "7 cells", "k == q - 2".
std::vector<Span> question_words(const Panel& panel);
/// The question counts tokens of another text than the shown one.
bool is_of_another_text(const Panel& panel);

/// All heads of the shown picture by what is asked. The answer to the same question of the picture before stays while the new one is
/// computed; null: nothing is asked, or nothing is known yet.
std::shared_ptr<const AnsweredQuestion> answered_question(const Panel& panel);
/// The same for heads like one, with other live texts of the document as further runs.
std::shared_ptr<const AnsweredAlike> answered_alike(const Panel& panel);
/// The subject whose run a list of heads like one names; nullopt: it is gone.
std::optional<int> subject_of(const Panel& panel, const AnsweredAlike& answer, std::size_t run);
/// Forgets answers to what is asked no longer. Call it every frame.
void rest_finding(Panel& panel);

/// Opens a head at a row, whose token is then pinned; −1: at none.
void open_at_row(Panel& panel, HeadId head, Index query);

/// Whether presses in the strip and on the map draw the question.
inline bool is_framing(const Panel& panel) {
  return panel.view.finding.drawing != FindingPage::Drawing::off;
}
void begin_framing(Panel& panel, FindingPage::Drawing drawing);
/// A press on a token of the strip while a relation is framed: first the word that looks, then the word that it looks at.
void press_for_relation(Panel& panel, int layer, const TokenPlace& place, bool is_query, bool is_key);
/// What a press on the strip does next, in a few words.
const char* framing_words(const Panel& panel);

/// A token's part in the drawn cells.
struct AskedToken {
  bool is_query = false, is_key = false;
};
AskedToken asked_token(const Panel& panel, int layer, const TokenPlace& place);

}  // namespace headlight
