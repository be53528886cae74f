// The request: everything that decides what a run computes, and nothing that does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/model/model.h"

namespace headlight {

/// How scores are made from q and k.
struct ScoreSettings {
  bool is_scaled = true;     ///< ÷ √d_head
  float temperature = 1.0F;  ///< scores are divided by it before the softmax; above 0
  bool operator==(const ScoreSettings&) const = default;
};

struct Query {
  ModelChoice model;
  std::string text;
  std::optional<std::string> text_pair;
  std::vector<std::int64_t> ids;  ///< instead of the text, where not empty
  std::optional<int> heads;       ///< re-split every layer's projections into this many heads
  MaskEdits mask;
  ScoreSettings score;
  std::vector<HeadId> silenced;  ///< heads whose z is set to zero; sorted
  bool operator==(const Query&) const = default;
};

}  // namespace headlight
