// A target's number for one run: which logits it reads, and what they come to.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/prediction.h"
#include "engine/snapshot.h"
#include "engine/targets/target.h"

namespace headlight {

/// A text whose predictions are watched.
struct WatchedText {
  const Model& model;
  const std::vector<Token>& tokens;       ///< of an encoder–decoder: the decoder's
  std::optional<std::int64_t> next = {};  ///< the token that really comes after the text, where that is known
};

/// The position of a target that names none: the last token, or a masked language model's first mask. The text has tokens.
Index usual_position(const WatchedText& text);

/// A target made ready for one text. Where `problem` is not empty it has no value, and this is the sentence that says why.
struct Watched {
  Target target;
  std::vector<Index> rows = {};            ///< positions whose logits are read, ascending
  std::vector<std::int64_t> answers = {};  ///< one for each row, where the target needs them
  std::int64_t token = -1, other = -1;     ///< ids; −1: none
  std::string problem = {};
};
/// Does not throw for what a text or model lacks: it becomes the problem. Throws Error (usage) for a token that the vocabulary does not have,
/// with what it is made of.
Watched watch_text(const Target& target, const WatchedText& text);

/// That the vocabulary has the tokens of a target, before texts are run for it. Throws Error (usage) as watch_text.
void check_target_tokens(const Target& target, const Model& model);

/// The last hidden states of a run [tokens, …], and for kl those of the unedited run.
struct WatchedStates {
  const SharedRows& hidden;
  const SharedRows* unedited = nullptr;
};
/// The target's number, summed in double precision: same input, same bits, for any number of threads. NaN where a logit is not a number.
/// There is no problem, and kl has its unedited states.
double value_of(const Watched& watched, const Model& model, const WatchedStates& states, ThreadPool& pool, const Watch& watch = {});

struct TargetValue {
  double value = 0;    ///< NaN where it is undefined
  std::string reason;  ///< why it is; empty where there is a value
};
/// The same of a snapshot. unedited: of unedited_query; only kl reads it. Throws Error (usage) as watch_text.
TargetValue target_of(const Target& target, const Snapshot& run, const Snapshot* unedited, ThreadPool& pool, const Watch& watch = {});

/// The same model and texts without any edit: what "before" means.
Query unedited_query(const Query& query);
bool has_edits(const Query& query);

}  // namespace headlight
