// A measure as people ask for it: "entropy", "beyond-distance:8", "previous-token-without-first-token".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measures/measure.h"

namespace headlight {

/// One number of every head: a row of the table, its parameter, and the keys that are taken out of the rows before they are measured.
struct MeasureRequest {
  std::string id;  ///< as in files: measure_request(id) gives the request again
  const Measure* measure = nullptr;
  MeasureSettings settings = {};
  std::optional<KeySet> without = {};  ///< rows keep their other keys, and share out 1 again
};

/// "ID", "ID:PARAMETER", each with "-without-SET" after ID or at the end; SET and the parameters as in Measure::need. Throws Error (usage) naming `option`:
/// an id that the table lacks, a parameter that is missing, wrong or too much, a measure that is not made of the rows of one map.
MeasureRequest measure_request(std::string_view id, const std::string& option);
/// The same of any row of the table, also of measures that need texts of their own: "content-dependence:16", "prefix-matching".
MeasureRequest any_measure_request(std::string_view id, const std::string& option);
/// Several, separated by commas; the same one twice counts once. What is left out of the rows of some is added: "hidden-mass:SET". "all":
/// every measure without a parameter, each alone and without the first token.
std::vector<MeasureRequest> measure_requests(std::string_view ids, const std::string& option);
/// The same of any rows of the table.
std::vector<MeasureRequest> any_measure_requests(std::string_view ids, const std::string& option);

/// What a measure is asked with besides its id.
struct MeasureParameter {
  MeasureNeed need;
  std::string_view name;     ///< in a sentence, with its letter in the formula: "distance d"
  std::string_view form;     ///< what fits: "a whole number from 0 on"
  std::string_view example;  ///< "8"
};
/// Null: the measure has no parameter.
const MeasureParameter* parameter_of(const Measure& measure);
/// In one spelling, whatever the person typed: "8", "special", "2-3/0-1"; empty: the measure has none.
std::string parameter_text(const MeasureRequest& request);
/// The id that asks for this measure; an empty part is left out. Only measure_request says whether the parts fit.
std::string measure_id(const Measure& measure, std::string_view parameter, std::string_view without = {});

/// What is measured where nobody says what.
inline constexpr std::string_view kUsualMeasures =
    "normalised-entropy,effective-tokens,confidence,previous-token,first-token,mean-distance,self-token,duplicate,induction,"
    "normalised-entropy-without-first-token,previous-token-without-first-token,hidden-mass:first-token";

/// The request for a row of the table that has no parameter.
MeasureRequest plain_request(const Measure& measure);
/// What is left out, at the end of a title: " without the first token"; empty: nothing.
std::string without_words(const MeasureRequest& request);
/// Asks for the weight that these keys have.
std::string hidden_mass_id(const KeySet& keys);
/// "previous token without the first token"; "weight beyond 8 tokens" is "weight beyond a distance (8)".
std::string title_of(const MeasureRequest& request);

}  // namespace headlight
