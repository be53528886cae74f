#include "engine/targets/watched.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr Index kRowsAtOnce = 16;  // of logits, as in prediction.cpp

using Logits = Eigen::Ref<const RowVector>;

std::int64_t id_typed(const std::string& token, const Model& model) {
  std::int64_t id = -1;
  const char* const end = token.data() + token.size();
  const auto [rest, failure] = std::from_chars(token.data() + 1, end, id);
  if (failure == std::errc() && rest == end && id >= 0 && id < model.config.vocabulary) return id;
  throw Error({.kind = ErrorKind::usage,
               .field = "target",
               .problem = "the vocabulary has no such token",
               .found = printable(token, 40),
               .expected = fmt::format("#0 to #{}", model.config.vocabulary - 1)});
}

bool is_unknown(const Token& token) {
  return token.text == "[UNK]" || token.text == "<unk>";
}

/// The one token that a text is read as.
std::optional<std::int64_t> single_token(const Model& model, const std::string& text) {
  const Encoding encoding = model.tokenizer->encode(text, std::nullopt, {.adds_special = false});
  if (encoding.tokens.size() != 1 || is_unknown(encoding.tokens.front())) return std::nullopt;
  const std::int64_t id = encoding.tokens.front().id;
  return id >= 0 && id < model.config.vocabulary ? std::optional(id) : std::nullopt;
}

/// A word is looked for as it stands inside a text, after a blank, and then as it stands at its beginning. In quotes it is what it is.
std::int64_t id_of(const std::string& token, bool is_quoted, const Model& model) {
  if (!is_quoted && token.starts_with('#')) return id_typed(token, model);
  if (!is_quoted) {
    if (const auto id = single_token(model, " " + token)) return *id;
  }
  if (const auto id = single_token(model, token)) return *id;
  std::string parts;
  for (const Token& part : model.tokenizer->encode(token, std::nullopt, {.adds_special = false}).tokens) {
    parts += fmt::format("{}\"{}\" #{}", parts.empty() ? "" : ", ", printable(part.text, 40), part.id);
  }
  throw Error({.kind = ErrorKind::usage,
               .field = "target",
               .problem = fmt::format("\"{}\" is not one token of this model", printable(token, 60)),
               .found = parts,
               .hint = "Name one of these by #ID, or another word"});
}

std::optional<Index> first_mask(const std::vector<Token>& tokens) {
  const auto mask = std::find_if(tokens.begin(), tokens.end(), is_mask_token);
  return mask == tokens.end() ? std::nullopt : std::optional<Index>(mask - tokens.begin());
}

std::string no_position(const WatchedText& text, Index position) {
  return fmt::format("The text has no position {}: its {} tokens are 0 to {}.", position, text.tokens.size(), text.tokens.size() - 1);
}

void take_tokens(const WatchedText& text, Watched& watched) {
  const Target& target = watched.target;
  watched.token = id_of(target.token, target.is_token_quoted, text.model);
  if (!target.other.empty()) watched.other = id_of(target.other, target.is_other_quoted, text.model);
  const Index position = target.first ? *target.first : usual_position(text);
  if (position >= std::ssize(text.tokens)) {
    watched.problem = no_position(text, position);
  } else {
    watched.rows = {position};
  }
}

/// The token that a position should predict; nullopt after the end of the text.
std::optional<std::int64_t> answer_at(const WatchedText& text, Index position) {
  const Index at = position + 1;
  if (at < std::ssize(text.tokens)) return text.tokens[static_cast<std::size_t>(at)].id;
  return text.next;
}

void take_span(const WatchedText& text, Watched& watched) {
  const Target& target = watched.target;
  const bool has_answers = target_row(target.kind).needs_answers;
  if (has_answers && predicted_place(text.model.config) == PredictedPlace::own) {
    watched.problem =
        "A masked language model's text does not say what is under its masks, so it has no loss. Watch prob:WORD or logit:WORD.";
    return;
  }
  const Index count = std::ssize(text.tokens), first = target.first.value_or(0);
  const Index end = target.last ? *target.last + 1 : count;
  if (first >= count || end > count) {
    watched.problem = no_position(text, std::max(first, end - 1));
    return;
  }
  for (Index position = first; position < end; ++position) {
    const std::optional<std::int64_t> answer = has_answers ? answer_at(text, position) : std::nullopt;
    if (has_answers && !answer) continue;
    watched.rows.push_back(position);
    if (answer) watched.answers.push_back(*answer);
  }
  if (!watched.rows.empty()) return;
  watched.problem = count == 1 ? "The text is one token, and nothing follows it that could be predicted: it has no loss."
                               : "Nothing follows these positions that could be predicted: there is no loss.";
}

/// ln Σ exp(logits).
double log_sum(const Logits& logits) {
  const auto largest = static_cast<double>(logits.maxCoeff());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return largest + std::log(sum);
}

double divergence(const Logits& before, const Logits& after) {
  const double before_sum = log_sum(before), after_sum = log_sum(after);
  double sum = 0;
  for (Index id = 0; id < before.size(); ++id) {
    const double log_p = static_cast<double>(before(id)) - before_sum, log_q = static_cast<double>(after(id)) - after_sum;
    const double p = std::exp(log_p);
    if (p > 0) sum += p * (log_p - log_q);
  }
  return sum;
}

bool is_first_choice(const Logits& logits, std::int64_t id) {
  Index best = 0;
  logits.maxCoeff(&best);
  return best == id && logits.allFinite();
}

/// What one row adds.
double value_of_row(const Watched& watched, std::size_t row, const Logits& logits, const Logits& before) {
  const auto logit = [&](std::int64_t id) { return static_cast<double>(logits(id)); };
  switch (watched.target.kind) {
    case TargetKind::logit:
      return logit(watched.token) - (watched.other < 0 ? 0 : logit(watched.other));
    case TargetKind::prob:
      return std::exp(logit(watched.token) - log_sum(logits));
    case TargetKind::loss:
      return log_sum(logits) - logit(watched.answers[row]);
    case TargetKind::kl:
      return divergence(before, logits);
    case TargetKind::all_right:
      return is_first_choice(logits, watched.answers[row]) ? 1 : 0;
  }
  return 0;
}

Matrix logits_at(const Model& model, const SharedRows& hidden, const Index* rows, Index count, ThreadPool& pool, const Watch& watch) {
  Matrix states(count, hidden.cols());
  for (Index row = 0; row < count; ++row) states.row(row) = hidden.middle_rows(rows[row], 1);
  return compute_logits(model, states, pool, watch);
}

}  // namespace

Index usual_position(const WatchedText& text) {
  const Index last = std::ssize(text.tokens) - 1;
  return predicted_place(text.model.config) == PredictedPlace::own ? first_mask(text.tokens).value_or(last) : last;
}

Watched watch_text(const Target& target, const WatchedText& text) {
  Watched watched{.target = target};
  if (!text.model.config.has_logits) {
    watched.problem = "The model predicts no tokens: it has no language-model head, so there is no such number.";
  } else if (text.tokens.empty()) {
    watched.problem = "The text has no tokens.";
  } else if (target_row(target.kind).most_tokens > 0) {
    take_tokens(text, watched);
  } else {
    take_span(text, watched);
  }
  return watched;
}

void check_target_tokens(const Target& target, const Model& model) {
  if (target_row(target.kind).most_tokens == 0 || !model.config.has_logits) return;
  id_of(target.token, target.is_token_quoted, model);
  if (!target.other.empty()) id_of(target.other, target.is_other_quoted, model);
}

double value_of(const Watched& watched, const Model& model, const WatchedStates& states, ThreadPool& pool, const Watch& watch) {
  const Index count = std::ssize(watched.rows);
  std::vector<double> values(watched.rows.size());
  for (Index begin = 0; begin < count; begin += kRowsAtOnce) {
    watch.check();
    const Index rows = std::min(kRowsAtOnce, count - begin);
    const Index* const first = watched.rows.data() + begin;
    const Matrix logits = logits_at(model, states.hidden, first, rows, pool, watch);
    const Matrix before = states.unedited ? logits_at(model, *states.unedited, first, rows, pool, watch) : Matrix();
    pool.for_each(rows, [&](Index row) {
      const auto place = static_cast<std::size_t>(begin + row);
      values[place] = value_of_row(watched, place, logits.row(row), states.unedited ? before.row(row) : logits.row(row));
    });
  }
  if (watched.target.kind == TargetKind::all_right)
    return std::all_of(values.begin(), values.end(), [](double value) { return value == 1; }) ? 1 : 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return std::isfinite(sum) ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

TargetValue target_of(const Target& target, const Snapshot& run, const Snapshot* unedited, ThreadPool& pool, const Watch& watch) {
  const auto undefined = [](std::string reason) { return TargetValue{std::numeric_limits<double>::quiet_NaN(), std::move(reason)}; };
  if (run.is_dump()) return undefined("Maps from a file come without a model, so nothing is predicted.");
  const std::vector<Token>& tokens = (run.decoder_encoding ? run.decoder_encoding : run.encoding)->tokens;
  const Watched watched = watch_text(target, {*run.model, tokens});
  if (!watched.problem.empty()) return undefined(watched.problem);
  const bool needs_unedited = target_row(target.kind).needs_unedited;
  if (needs_unedited && (unedited == nullptr || unedited->trace.final_hidden.rows() != run.trace.final_hidden.rows()))
    return undefined("There is no unedited run of the same tokens beside this one.");
  const double value =
      value_of(watched, *run.model, {run.trace.final_hidden, needs_unedited ? &unedited->trace.final_hidden : nullptr}, pool, watch);
  if (std::isfinite(value)) return {value, {}};
  return undefined("The logits are not numbers: there is nothing to watch.");
}

Query unedited_query(const Query& query) {
  Query same;
  same.model = query.model;
  same.text = query.text;
  same.text_pair = query.text_pair;
  same.decoder_text = query.decoder_text;
  same.reads_special_text = query.reads_special_text;
  same.item = query.item;
  same.ids = query.ids;
  return same;
}

bool has_edits(const Query& query) {
  return query != unedited_query(query);
}

}  // namespace headlight
