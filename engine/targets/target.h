// What is watched while heads are edited: one number of the model's output, as a value with a text form.
//
//     logit:A@POS     the logit of token A in the prediction at a position     logit:A-B@POS     that of A less that of B
//     prob:A@POS      the probability of A there
//     loss            mean −ln p of the text's own tokens (metrics 6.0)        loss@5-10, loss@5-    of the predictions at these positions
//     kl, kl@POS      Σ p ln(p / q), p of the unedited run and q of this one, mean over positions (Kullback and Leibler 1951)
//     all-right       1 where each of the text's own tokens is the first choice, else 0; its mean over texts is their accuracy
//
// A token is a word as it is typed, in quotes where it holds a blank, - or @, or #ID. A position counts from 0 and is the one that predicts: in a
// causal model the token after it. Not given: the last one, or the first mask of a masked language model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

enum class TargetKind : std::uint8_t { logit, prob, loss, kl, all_right };
/// Whether it names a token at one position, whose logit it is made of.
constexpr bool is_of_logit(TargetKind kind) {
  return kind == TargetKind::logit || kind == TargetKind::prob;
}

/// One row of the table of targets.
struct TargetRow {
  TargetKind kind;
  std::string_view name;  ///< in texts: "logit"
  std::string_view form;  ///< "logit:A-B@POS"
  int fewest_tokens = 0, most_tokens = 0;
  bool needs_answers = false;   ///< the tokens that the text really has
  bool needs_unedited = false;  ///< a run without edits beside it
  std::string_view unit;        ///< empty: none
  std::string_view meaning;
};
std::span<const TargetRow> target_rows();
const TargetRow& target_row(TargetKind kind);

struct Target {
  TargetKind kind = TargetKind::loss;
  std::string token, other;  ///< as typed, without quotes; "#ID" for an id; `other` is subtracted
  bool is_token_quoted = false, is_other_quoted = false;
  std::optional<int> first = {}, last = {};  ///< positions, both included; of logit and prob `first` alone
  bool is_open = false;                      ///< "5-": from `first` to the end
  bool operator==(const Target&) const = default;
};

/// Throws Error (usage) naming the place, counted in characters from 1, and what was expected there.
Target parse_target(std::string_view text);
/// parse_target gives the target back.
std::string to_text(const Target& target);
/// "logit of follows less that of follow, at position 5", "loss of the text".
std::string describe_target(const Target& target);
/// A token in a sentence, “is”; an id as it is.
std::string in_words(const std::string& token);
/// The forms of all targets, for help texts: "logit:A-B@POS | prob:A@POS | …".
std::string target_forms();

}  // namespace headlight
