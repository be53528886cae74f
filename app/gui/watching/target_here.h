// The target of the document in the shown picture: its number, beside that of the run without edits.
#pragma once

#include <memory>
#include <string>

#include "app/gui/panel/panel.h"
#include "engine/analysis/prediction.h"

namespace headlight {

/// Null until it is computed for this very picture, and where the model is another one than the draft's.
std::shared_ptr<const TargetFound> target_here(const Panel& panel);
/// "0.943", or "–" where it is undefined: three digits, as the Δ beside it.
std::string target_number(double value);
/// "−2.417", with its sign.
std::string target_change(double change);
/// "The target, logit of is less that of are at 6, goes from 6.227 to 6.147 (−0.080)." Empty where nothing is edited, and until it is computed.
std::string told_change_of_target(const Panel& panel);
/// Every view says it: it is not the usual one, or something is edited that may move it. Else it is not even computed outside Output, since
/// the usual one takes the logits of the whole text.
bool is_target_worth_showing(const Panel& panel);

/// Watches the logit of a token of the vocabulary at a position; `against`: less that of another.
void watch_token(Document& draft, const Snapshot& run, Index position, std::int64_t token, std::optional<std::int64_t> against = {});
/// The position that a target without one takes in the shown text: its last token, or the first mask. Nothing: there is no picture, or the
/// target is not of one position.
std::optional<Index> usual_position_here(const Panel& panel);
/// The target as other texts are asked for it: a position that is the usual one of this text is not kept, since other texts are of other
/// lengths.
Target target_over_texts(const Panel& panel);
/// "logit of is less that of are, at the last token of every text".
std::string describe_over_texts(const Target& target, const ModelConfig& config);
/// A token as targets name it: the word where it is read as this one token again, else "#ID".
struct TargetWord {
  std::string text;
  bool is_quoted = false;
};
TargetWord name_for_target(const Model& model, std::int64_t token);

}  // namespace headlight
