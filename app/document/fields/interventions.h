// Interventions of a query as a list that is added to and taken from, one step of undo each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/formats/json.h"
#include "engine/forward/query.h"

namespace headlight {

/// Everything that is done to heads, in the order in which it acts: heads that are switched off, and then the rest.
std::vector<Intervention> interventions_of(const Query& query);
/// Those of one head's weights and z, in words, joined by "; ": "looks at the previous token". Empty: none.
std::string edits_in_words(const Query& query, HeadId head);

/// The last of what is done to heads. Switching off single heads is kept with those that are switched off already. What is there stays once.
void add_intervention(Query& query, Intervention intervention);
/// Nothing where it is not there. Switched-off heads of the list above are switched on.
void remove_intervention(Query& query, const Intervention& intervention);

/// The field of a query in documents: the text form of each, and the texts of a mean. Documents hold texts as they were read.
inline constexpr const char* kInterventions = "interventions";
Json interventions_json(const std::vector<Intervention>& interventions);
/// Empty where the field is not there. Throws Error (input).
std::vector<Intervention> read_interventions(const JsonFields& fields);
/// The field `texts` of an object, as a set of this name. Throws Error (input) for none, and for more than a set holds.
std::shared_ptr<const TextSet> read_texts(const JsonFields& fields, const std::string& name);

}  // namespace headlight
