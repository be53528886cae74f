// What a person does with a corpus, from wherever it is shown.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Keeps the page and the columns of heads in step with what the desk finds; opens what is wanted. Call it every frame, before the panels.
void settle_corpus(Panel& panel);
/// The text of an example of a study. Token ids are decoded while the study's model is the one that is open.
std::string text_of_example(const Panel& panel, const StudyManifest& manifest, const TopExample& example);
/// Puts the text of an example in as the sentence, opens its head, pins the query and frames the cell.
void show_corpus_example(Panel& panel, HeadId head, const TopExample& example);
/// The model and the edits that the shown study was measured with take the place of the present ones; the sentence stays.
void open_as_measured(Panel& panel);
/// The rest of a study that was opened unfinished, where its texts lie beside its file and its model is open.
std::optional<CorpusRequest> rest_of_corpus(const Panel& panel);
/// A number of a place of a study over texts of all lengths, merged once and not in every frame.
std::shared_ptr<const StudyCell> merged_cell(Panel& panel, const std::shared_ptr<const StoredStudy>& stored, std::size_t place,
                                             std::size_t number);
/// What of the open model is not as the shown study had it, in words: "the model's weights"; empty: nothing, or not known yet.
std::string difference_from_corpus(const Panel& panel);
/// The corpus is of patches by layer and position: it has no numbers of heads.
bool is_of_positions(const Panel& panel);
/// The shown study, where it knows this head of the picture; null: it does not, or there is none.
std::shared_ptr<const StoredStudy> corpus_of(const Panel& panel, HeadId head);
/// The place of a head in a study.
std::optional<std::size_t> place_in(const CorpusStudy& study, HeadId head);

}  // namespace headlight
