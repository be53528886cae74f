// Why a question has no answer in a run: what its text or its mask lacks, and what would give it a target.
#pragma once

#include <string>

#include "engine/finding/head_question.h"

namespace headlight {

struct MissingTargets {
  std::string why;  ///< a sentence
  TargetRemedy remedy = TargetRemedy::none;
};

/// Of a run in which no head could be ranked by the question (rank_heads). Throws Cancelled.
MissingTargets missing_targets(const Snapshot& run, const HeadQuestion& question, const Watch& watch = {});

}  // namespace headlight
