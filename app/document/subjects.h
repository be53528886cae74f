// The subjects of a document, and every way to change them. Values in, values out.
//
// Texts are the live subjects; people count them from 1 in the order in which they were added. Frozen subjects are kept as they were: the
// baseline, and those that frozen pins belong to. A frozen subject that nothing uses is removed.
#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace headlight {

inline constexpr std::size_t kMostTexts = 4;
inline constexpr std::size_t kMostFrozen = 4;

/// Ids of the live subjects, ascending: the focused one among them.
std::vector<int> texts_of(const Document& document);
/// Null if there is no subject of this id.
const Query* query_of(const Document& document, int id);
bool is_frozen(const Document& document, int id);
/// Which of the texts it is, from 1; 0 if it is frozen or does not exist.
int text_number(const Document& document, int id);
/// "text 2", "before" for the baseline, "frozen".
std::string subject_name(const Document& document, int id);
/// Queries of all subjects but the focused one.
std::vector<Query> queries_beside(const Document& document);

/// Focuses a text, with its drawn map. Nothing happens if `id` is not a text, or is focused already.
void focus(Document& document, int id);
/// Adds a copy of the focused subject and focuses it; the drawn map stays with the first. Returns its id. Throws Error (limit)
/// if there are kMostTexts.
int add_copy(Document& document);
/// Adds a copy of the focused subject that reads `text`, and focuses it. Returns its id. Throws Error (limit) if there are
/// kMostTexts.
int add_text(Document& document, std::string text);
/// Removes a subject and its pins; if it was focused, the text before it is focused, or else the one after it. The last text stays.
void remove_subject(Document& document, int id);

/// Makes a frozen copy of a text, or reuses an equal one. Returns its id. Throws Error (limit) if there are kMostFrozen.
int freeze(Document& document, int id);
/// Freezes the focused subject as the new baseline ("before"). Throws Error (limit).
void set_baseline(Document& document);
void clear_baseline(Document& document);

/// Pins a head of the focused subject, or unpins it.
void toggle_pin(Document& document, HeadId head);
/// Switches a head off in a query, or on again.
void toggle_switched_off(Query& query, HeadId head);
/// Removes the pin at `place` of the list.
void unpin(Document& document, std::size_t place);
/// The pin shows from now on what its head does now, whatever is edited. Throws Error (limit).
void freeze_pin(Document& document, std::size_t place);
/// The pin follows the edits again. It belongs to the text that has its sentence, or to the focused text if none has. If that head is
/// pinned already, the earlier pin stays.
void unfreeze_pin(Document& document, std::size_t place);

/// Why add_text would throw, as a sentence; empty if it would not.
std::string why_no_more_texts(const Document& document);
/// The same for freeze_pin.
std::string why_not_frozen(const Document& document, std::size_t place);

}  // namespace headlight
