#include "engine/figure/figure_notes.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestSentence = 2000;

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char byte) { return byte == '\n' || byte == '\t' || byte == '\r'; }, ' ');
  return printable(text, kLongestSentence);
}

void append(std::string& notes, const std::string& note) {
  if (!note.empty()) notes.append(notes.empty() ? "" : " · ").append(note);
}

/// The text of the most specific rule that has one, else the model's own mask (mask.h, MaskEdits).
std::string mask_note(const Snapshot& snapshot, HeadId head) {
  const MaskRule* deciding = nullptr;
  std::size_t strokes = 0;
  for (const MaskRule& rule : snapshot.query.mask.rules) {
    if (!rule.scope.contains(head)) continue;
    strokes += rule.strokes.size();
    if (!rule.text.empty() && (deciding == nullptr || rule.scope.kind >= deciding->scope.kind)) deciding = &rule;
  }
  std::string note = "mask ";
  note += deciding != nullptr ? one_line(deciding->text) : snapshot.model->config.own_mask(head.layer);
  if (strokes > 0) note += fmt::format(" + {} painted block{}", strokes, strokes == 1 ? "" : "s");
  const bool is_edited = deciding != nullptr || strokes > 0;
  if (is_edited && snapshot.query.mask_reach == MaskReach::this_head) note += " (shown only: the model goes on with its own)";
  return note;
}

std::string scale_note(const Style& style) {
  switch (style.scale) {
    case ScaleKind::linear:
      return "linear scale";
    case ScaleKind::log:
      return "log scale";
    case ScaleKind::gamma:
      return fmt::format("γ {:.2g}", style.gamma);
  }
  return "";
}

void append_block(std::string& notes, const BlockSwitches& block) {
  if (!block.has_attention_skip) append(notes, "no skip around attention");
  if (!block.has_feed_forward_skip) append(notes, "no skip around feed-forward");
  if (!block.has_output_projection) append(notes, "no output projection");
  if (!block.has_biases) append(notes, "no biases");
}

void append_run(std::string& notes, const Snapshot& snapshot) {
  const ScoreSettings& score = snapshot.query.score;
  if (score.kind) append(notes, fmt::format("{} scores", score_function(*score.kind).name));
  if (!score.is_scaled) append(notes, "scores not scaled");
  if (score.temperature != 1) append(notes, fmt::format("temperature {:.3g}", score.temperature));
  if (score.softcap) append(notes, *score.softcap > 0 ? fmt::format("soft-cap {:.3g}", *score.softcap) : "no soft-cap");
  if (score.sink) append(notes, fmt::format("sink {:.3g}", *score.sink));
  if (snapshot.query.kv_heads) append(notes, fmt::format("{} key/value heads", *snapshot.query.kv_heads));
  append_block(notes, snapshot.query.block);
  if (snapshot.model->is_random) append(notes, one_line(snapshot.model->source));
}

}  // namespace

std::string sentence_of(const Snapshot& snapshot) {
  const Encoding& encoding = *snapshot.encoding;
  std::string sentence = one_line(encoding.text);
  if (!encoding.text_pair.empty()) sentence += "  |  " + one_line(encoding.text_pair);
  return sentence;
}

std::string notes_of(const Snapshot& snapshot, const Style& style, HeadId head) {
  std::string notes = mask_note(snapshot, head);
  append(notes, scale_note(style));
  const HeadSummary& summary = snapshot.summary(head);
  const float high = scale_of_head(snapshot, style, head).high;
  if (summary.largest > high * 1.0001F) append(notes, fmt::format("weights above {:.3g} clipped", high));
  if (summary.masked_rows > 0)
    append(notes, fmt::format("∅ no key allowed ({} row{})", summary.masked_rows, summary.masked_rows == 1 ? "" : "s"));
  const auto& silenced = snapshot.query.silenced;
  if (std::find(silenced.begin(), silenced.end(), head) != silenced.end()) append(notes, "head silenced");
  append_run(notes, snapshot);
  return notes;
}

std::string notes_of(const Snapshot& snapshot, const Style& style) {
  const auto& rules = snapshot.query.mask.rules;
  const bool is_same = std::all_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind == Scope::Kind::all; });
  std::string notes = is_same ? mask_note(snapshot, {}) : "masks edited by layer or head";
  append(notes, scale_note(style));
  if (style.range == RangeKind::head) append(notes, "each head on its own scale");
  if (style.range == RangeKind::layer) append(notes, "each layer on its own scale");
  if (!snapshot.query.silenced.empty()) append(notes, fmt::format("{} heads silenced", snapshot.query.silenced.size()));
  append_run(notes, snapshot);
  return notes;
}

}  // namespace headlight
