// What the corpus dialog's choices ask for: the study, where it is kept, and why it cannot be started.
#pragma once

#include <filesystem>
#include <string>

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"
#include "app/work/effects/sweep_kinds.h"

namespace headlight {

/// What is found; of random tokens always measures.
CorpusChoice::Finds finds_of(const CorpusChoice& choice);
/// Measures that can be switched on by themselves: they need no parameter, and no texts of their own.
bool is_offered(const Measure& measure);
/// The model can be measured on repeated random tokens: it reads one way, and its tokens come from a vocabulary.
bool can_read_repeated(const Panel& panel);
/// "texts-story-gpt.study", beside the texts; of random tokens "repeated-4x25-story-gpt.study", beside the document.
std::filesystem::path usual_study_file(const Panel& panel, const CorpusChoice& choice);
/// What is watched in every text, in words.
std::string watched_over_texts(const Panel& panel);
/// The column of the partners, of `columns`: the chosen one, else "from", else the first that is not that of the texts. −1: there is none.
int partner_of(const CorpusChoice& choice);
/// What a patch takes from the partners, in the words of sweeps.
const SweepRow& row_of_part(PatchedPart part);
/// How often random tokens are drawn: as chosen, else as often as `headlight heads` does, more beside what chance gives.
int draws_of(const CorpusChoice& choice);
/// Why it cannot be started; empty: it can.
std::string why_not(const Panel& panel, const CorpusChoice& choice);
/// Measures, shows where the numbers come, and closes the dialog. why_not says nothing against it.
void start(Panel& panel, const CorpusChoice& choice);

}  // namespace headlight
