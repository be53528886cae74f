// The subjects of a document: which there are, and every way to change them. Values in, values out.
//
// Texts are the live subjects; people count them from 1 in the order in which they were added. Frozen subjects are kept as they were: the
// baseline, and those that frozen pins are of. A frozen subject that nothing uses is let go.
#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace headlight {

inline constexpr std::size_t kMostTexts = 4;
inline constexpr std::size_t kMostFrozen = 4;

/// Ids of the live subjects, ascending: the focused one among them.
std::vector<int> texts_of(const Document& document);
/// Null where there is no subject of this id.
const Query* query_of(const Document& document, int id);
bool is_frozen(const Document& document, int id);
/// Which of the texts it is, from 1; 0 where it is frozen or not there.
int text_number(const Document& document, int id);
/// "text 2", "before" of the baseline, "frozen".
std::string subject_name(const Document& document, int id);
/// Queries of all subjects but the focused one.
std::vector<Query> queries_beside(const Document& document);

/// Brings a text to the front, with its wish. Nothing happens where `id` is no text, or is in front already.
void focus(Document& document, int id);
/// Adds a copy of the focused subject and brings it to the front; its wish stays with the first. Returns its id. Throws Error (limit)
/// where there are kMostTexts.
int add_copy(Document& document);
/// Adds a copy of the focused subject that reads `text`, and brings it to the front. Returns its id. Throws Error (limit) where there are
/// kMostTexts.
int add_text(Document& document, std::string text);
/// Takes a subject away, with its pins; where it was focused, the text before it comes to the front, or the one after it. The last text
/// stays.
void remove_subject(Document& document, int id);

/// A frozen copy of a text; one that is equal is used again. Returns its id. Throws Error (limit) where there are kMostFrozen.
int freeze(Document& document, int id);
/// Freezes the focused subject as what "before" means, in the place of the baseline until now. Throws Error (limit).
void set_baseline(Document& document);
void clear_baseline(Document& document);

/// Pins a head of the focused subject, or takes its pin away.
void toggle_pin(Document& document, HeadId head);
/// Takes the pin at `place` of the list away.
void unpin(Document& document, std::size_t place);
/// The pin shows from now on what its head does now, whatever is edited. Throws Error (limit).
void freeze_pin(Document& document, std::size_t place);
/// The pin follows the edits again. It belongs to the text that has its sentence, or to the focused text where none has. If that head is
/// pinned already, the earlier pin stays.
void unfreeze_pin(Document& document, std::size_t place);

/// Why add_text would throw, as a sentence; empty: it would not.
std::string why_no_more_texts(const Document& document);
/// Likewise freeze_pin.
std::string why_not_frozen(const Document& document, std::size_t place);

}  // namespace headlight
