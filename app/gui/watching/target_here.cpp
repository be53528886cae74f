#include "app/gui/watching/target_here.h"

#include <fmt/core.h>

#include <array>

#include "engine/core/numbers.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {
namespace {

constexpr int kTargetDigits = 3;

}  // namespace

std::shared_ptr<const TargetFound> target_here(const Panel& panel) {
  if (!panel.has_picture() || panel.snapshot->is_dump() || panel.config() == nullptr) return nullptr;
  const SubjectRun unedited = panel.context.session.unedited_run();
  return panel.context.session.effects().target({panel.draft.target, panel.snapshot, unedited.snapshot});
}

std::string target_number(double value) {
  return number_text(value, kTargetDigits);
}

std::string target_change(double change) {
  return signed_number_text(change, kTargetDigits);
}

std::string told_change_of_target(const Panel& panel) {
  const std::shared_ptr<const TargetFound> found = target_here(panel);
  const std::optional<double> change = found ? found->change() : std::nullopt;
  if (!change) return {};
  const std::string what = "The target, " + printable(describe_target(panel.draft.target), 120) + ", ";
  const std::string before = target_number(found->before->value), now = target_number(found->now.value);
  return what +
         (before == now ? fmt::format("stays at {}.", now) : fmt::format("goes from {} to {} ({}).", before, now, target_change(*change)));
}

bool is_target_worth_showing(const Panel& panel) {
  return panel.draft.target != Target{} || (panel.snapshot && has_edits(panel.snapshot->query));
}

TargetWord name_for_target(const Model& model, std::int64_t token) {
  const std::string spelled = model.tokenizer->decode(std::array{token}, false);
  const std::string word = spelled.starts_with(' ') ? spelled.substr(1) : spelled;
  const auto is_read_as = [&](const std::string& text, bool is_quoted) {
    if (text.empty() || (!is_quoted && text.starts_with('#'))) return false;
    try {
      Target target;
      target.kind = TargetKind::logit;
      target.token = text;
      target.is_token_quoted = is_quoted;
      target.first = 0;
      return watch_text(target, {model, std::vector<Token>(1)}).token == token;
    } catch (const Error&) {
      return false;
    }
  };
  if (is_read_as(word, false)) return {word, false};
  if (is_read_as(spelled, true)) return {spelled, true};
  return {fmt::format("#{}", token), false};
}

std::optional<Index> usual_position_here(const Panel& panel) {
  if (target_row(panel.draft.target.kind).most_tokens == 0 || !panel.has_picture() || panel.snapshot->is_dump()) return std::nullopt;
  const WatchedText text{*panel.snapshot->model, predicted_text(*panel.snapshot).tokens};
  if (!text.model.config.has_logits || text.tokens.empty()) return std::nullopt;
  return usual_position(text);
}

Target target_over_texts(const Panel& panel) {
  Target target = panel.draft.target;
  const std::optional<Index> usual = usual_position_here(panel);
  if (target.first && usual && *usual == *target.first) target.first.reset();
  return target;
}

std::string describe_over_texts(const Target& target, const ModelConfig& config) {
  const bool is_usual = target_row(target.kind).most_tokens > 0 && !target.first;
  const char* const usual = predicted_place(config) == PredictedPlace::own ? "the first mask" : "the last token";
  return describe_target(target) + (is_usual ? fmt::format(" at {} of every text", usual) : target.first ? " of every text" : "");
}

void watch_token(Document& draft, const Snapshot& run, Index position, std::int64_t token, std::optional<std::int64_t> against) {
  const TargetWord name = name_for_target(*run.model, token);
  Target target;
  target.kind = TargetKind::logit;
  target.token = name.text;
  target.is_token_quoted = name.is_quoted;
  if (against) {
    const TargetWord other = name_for_target(*run.model, *against);
    target.other = other.text;
    target.is_other_quoted = other.is_quoted;
  }
  target.first = static_cast<int>(position);
  draft.target = std::move(target);
}

}  // namespace headlight
