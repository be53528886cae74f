// A number that a lesson's words name, such as {weight 2.1 follow horse}: which kind of number, of which heads and words. Its value comes from
// the engine at that moment (live_value.h).
//
//     [change] [before] [without HEAD] KIND ARGUMENTS
//
//     weight 2.1 follow horse                     of the run
//     before weight 2.1 follow horse              of the same model and text without any edit
//     without 1.3 logit:is-are            of the run with head 1.3 switched off as well
//     change without 1.3 logit:is-are     that minus the number of the run
//     change weight 2.1 follow horse              that of the run minus the one without edits
//     change before without 1.3 logit:is-are      what switching 1.3 off changes where nothing else is edited
//
// HEAD is LAYER.HEAD. A word is one of the text; the#2 is the second "the", @6 the token at position 6, "New York" words with a blank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/core/progress.h"
#include "engine/labs/three_attempts.h"
#include "engine/measures/measure_request.h"
#include "engine/snapshot.h"
#include "engine/targets/target.h"

namespace headlight {

/// Which word of a text.
struct WordPlace {
  std::string word = {};  ///< empty: `position` is given
  int occurrence = 1;
  std::optional<Index> position = {};
  bool operator==(const WordPlace&) const = default;
};
/// "follow", "the#2", "@6". Throws Error (usage).
WordPlace parse_word_place(std::string_view text);
std::string to_text(const WordPlace& place);
/// "follow horse", a query and a key. Throws Error (usage).
std::pair<WordPlace, WordPlace> parse_word_pair(std::string_view text);

/// "2.1". Throws Error (usage).
HeadId parse_head(std::string_view text);

enum class NumberArgument : std::uint8_t { none, head, layer, query, key, attempt, measure, target, convention, number };

/// How a number is rounded for a room.
enum class NumberFormat : std::uint8_t { share, number, count, word, measure, target };

struct NumberAsked;
/// What was found: a number, or a word with its number.
struct NumberReading {
  double value = 0;         ///< NaN: undefined
  std::string word = {};    ///< shown in place of the number
  std::string reason = {};  ///< why it is undefined
};

/// One row of the table of kinds: a further kind is a further row with its function.
struct NumberRow {
  std::string_view name = {};
  NumberArgument arguments[3];
  NumberFormat format;
  std::string_view example = {};  ///< parse_live_number reads it
  std::string_view meaning = {};  ///< said where its arguments are refused
  NumberReading (*read)(const NumberAsked& asked);
  bool is_seen_in_maps = false;  ///< whoever looks at the head's map, or points at it, sees it
};
std::span<const NumberRow> number_rows();
/// "weight HEAD QUERY KEY"
std::string form_of(const NumberRow& row);

/// In which run a number is read.
struct NumberRun {
  bool is_before = false;              ///< the edits are left out
  std::optional<HeadId> without = {};  ///< this head is switched off as well
  bool operator==(const NumberRun&) const = default;
};

struct LiveNumber {
  const NumberRow* row = nullptr;
  NumberRun run = {};
  bool is_change = false;
  HeadId head = {};  ///< of the number; its layer alone where the kind asks for a layer
  std::vector<WordPlace> places = {};
  Attempt attempt = Attempt::vanilla;
  std::optional<MeasureRequest> measure = {};
  Target target = {};
  std::string convention = {};  ///< of masks, by its name in the lab
  double number = 0;
  bool is_head_open = false, is_without_open = false;  ///< written with the word HEAD: of_head puts one there
  std::string text = {};                               ///< as it was written
};

/// `allows_any_head`: the word HEAD may stand for a head. Throws Error (usage) saying what was found and what was expected.
LiveNumber parse_live_number(std::string_view text, bool allows_any_head = false);
/// The number of one head, in place of the word HEAD.
LiveNumber of_head(LiveNumber number, HeadId head);
/// Whether it was written with that word.
inline bool is_of_any_head(const LiveNumber& number) {
  return number.is_head_open || number.is_without_open;
}

}  // namespace headlight
