// The parts of a document as JSON. Readers check every range, so that a loaded document needs no second look; they throw Error (input)
// naming the file and the field.
#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace headlight {

/// Heads of a query that are switched off; and what an earlier Headlight called them: still read, no longer written.
inline constexpr const char* kSwitchedOff = "switched_off";
inline constexpr const char* kOldSwitchedOff = "silenced";
/// Likewise the map that a head should learn, and the steps that were taken towards it.
inline constexpr const char* kDrawnMap = "drawn_map";
inline constexpr const char* kOldDrawnMap = "wish";
inline constexpr const char* kTrainingSteps = "training_steps";
inline constexpr const char* kOldTrainingSteps = "taught_steps";

Json to_json(HeadId head);                       ///< [layer, head]
Json to_json(const std::vector<HeadId>& heads);  ///< a list of those
Json to_json(const std::vector<CellBlock>& strokes);
Json to_json(const Query& query);
Json to_json(const Style& style);
Json to_json(const DrawnMap& drawn_map);
/// [layer, head] of subject 1 and of the only one, [layer, head, subject] of others.
Json pins_json(const Document& document);
/// All subjects, by ascending id.
Json subjects_json(const Document& document);

/// Throws Error (input) about a field of a document; with an empty field, about the file.
[[noreturn]] void refuse_field(const std::string& file, std::string field, std::string problem, std::string found = {},
                               std::string expected = {});
std::vector<HeadId> read_heads(const JsonFields& fields, const std::string& key);
/// The field "drawn_map" of a document or subject; an empty one where there is none.
DrawnMap read_drawn_map(const JsonFields& fields);
/// The field "target" of a document, as text; the loss where there is none.
Target read_target(const JsonFields& fields);
/// The fields "subjects", "focused" and "baseline" of a document.
void read_subjects(const JsonFields& fields, Document& document);
/// Pins of the subjects that `document` already has.
std::vector<Pin> read_pins(const JsonFields& fields, const Document& document);
Query read_query(const JsonFields& fields);
Style read_style(const JsonFields& fields);

}  // namespace headlight
