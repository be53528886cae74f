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
/// Every view says it: it is not the usual one, or something is edited that may move it. Else it is not even computed outside Output, since
/// the usual one takes the logits of the whole text.
bool is_target_worth_showing(const Panel& panel);

/// Watches the logit of a token of the vocabulary at a position; `against`: less that of another.
void watch_token(Document& draft, const Snapshot& run, Index position, std::int64_t token, std::optional<std::int64_t> against = {});
/// A token as targets name it: the word where it is read as this one token again, else "#ID".
struct TargetWord {
  std::string text;
  bool is_quoted = false;
};
TargetWord name_for_target(const Model& model, std::int64_t token);

}  // namespace headlight
