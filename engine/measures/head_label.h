// What a head is called for what it does: never without the score, what it was measured on, and the least score of such a head.
#pragma once

#include <optional>
#include <string>

#include "engine/measures/measure_request.h"

namespace headlight {

struct HeadLabel {
  std::string name;  ///< "previous token"
  double score = 0, threshold = 0;
  std::int64_t texts = 0;
  Index rows = 0;         ///< of one text; 0: not counted
  bool is_drawn = false;  ///< the texts are draws of random tokens
  std::string of = {};    ///< the file that the texts are from; empty: it is not said

  /// "previous token: 0.998 (threshold 0.5, 1 text, 12 queries: a hint, not a finding)", "… (threshold 0.5, 400 texts of stories.txt)".
  std::string text() const;
};
/// "4 draws of random tokens"
std::string draws_text(std::int64_t draws);

/// "previous token without the first token"
std::string label_name(const MeasureRequest& request);
/// nullopt: the measure names no kind of head, or the score is below its threshold, or it counts the first token, which draws most heads.
std::optional<HeadLabel> label_of(const MeasureRequest& request, double score, std::int64_t texts, Index rows = 0);

}  // namespace headlight
