#include "engine/figure/figure_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/pictures.h"
#include "engine/figure/stage.h"
#include "engine/forward/layer_edits.h"
#include "engine/text/signs.h"

namespace headlight {
namespace {

using Origin = GivenMask::Origin;
constexpr std::size_t kLongestSentence = 2000;

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char byte) { return byte == '\n' || byte == '\t' || byte == '\r'; }, ' ');
  return printable(text, kLongestSentence);
}

/// Makes line breaks visible, which are tokens for many models.
std::string with_line_signs(const std::string& text) {
  std::string line;
  for (const char byte : text) line += byte == '\n' ? std::string(kLineBreakSign) : std::string(1, byte);
  return one_line(std::move(line));
}

void append(std::string& notes, const std::string& note) {
  if (!note.empty()) notes.append(notes.empty() ? "" : " · ").append(note);
}

/// The text of the most specific rule that has one, else the model's own mask (mask.h, MaskEdits).
std::string mask_text(const Snapshot& snapshot, HeadId head, const std::string& own_mask) {
  const MaskRule* deciding = nullptr;
  std::size_t strokes = 0;
  const Stack stack = snapshot.model->config.place(head.layer).stack;
  for (const MaskRule& rule : snapshot.query.mask.rules) {
    if (!rule.scope.contains(head, stack)) continue;
    strokes += rule.strokes.size();
    if (!rule.text.empty() && (deciding == nullptr || rule.scope.kind >= deciding->scope.kind)) deciding = &rule;
  }
  std::string note = deciding != nullptr ? one_line(deciding->text) : own_mask;
  if (strokes > 0) note += fmt::format(" + {} painted block{}", strokes, strokes == 1 ? "" : "s");
  const bool is_edited = deciding != nullptr || strokes > 0;
  if (is_edited && snapshot.query.mask_reach == MaskReach::this_head) note += " (this map only: later layers use the model's own)";
  return note;
}

/// The model's own masks in all layers together.
std::string own_masks(const ModelConfig& config) {
  if (!config.is_encoder_decoder()) return config.own_mask(0);
  const std::string mask = config.own_mask(config.stacks.encoder_layers);
  return mask == "none" ? mask : mask + " in the decoder";
}

std::string among_text(Among among) {
  return among == Among::head ? "each map" : among == Among::layer ? "each layer" : "all heads";
}

std::string scale_note(const Style& style) {
  switch (style.scale) {
    case ScaleKind::linear:
      return "linear scale";
    case ScaleKind::log:
      return "log scale";
    case ScaleKind::gamma:
      return fmt::format("γ {:.2g}", style.gamma);
    case ScaleKind::rank:
      return "colours by rank among the cells of " + among_text(style.among);
    case ScaleKind::percentile:
      return fmt::format("colours up to percentile {:g} of the cells of {}", style.percentile, among_text(style.among));
  }
  return "";
}

void append_block(std::string& notes, const BlockSwitches& block) {
  if (!block.has_attention_skip) append(notes, "no skip around attention");
  if (!block.has_feed_forward_skip) append(notes, "no skip around feed-forward");
  if (!block.has_output_projection) append(notes, "no output projection");
  if (!block.has_biases) append(notes, "no biases");
}

/// The settings of a run that are not the model's own.
std::string run_text(const Snapshot& snapshot) {
  std::string notes;
  const ScoreSettings& score = snapshot.query.score;
  if (score.kind) append(notes, fmt::format("{} scores", score_function(*score.kind).name));
  if (!score.is_scaled) append(notes, "scores not scaled");
  if (score.temperature != 1) append(notes, fmt::format("temperature {:.3g}", score.temperature));
  if (score.softcap) append(notes, *score.softcap > 0 ? fmt::format("soft-cap {:.3g}", *score.softcap) : "no soft-cap");
  if (score.sink) append(notes, fmt::format("sink {:.3g}", *score.sink));
  if (snapshot.query.kv_heads) append(notes, fmt::format("{} key/value heads", *snapshot.query.kv_heads));
  append_block(notes, snapshot.query.block);
  if (snapshot.model->is_random) append(notes, one_line(snapshot.model->source));
  return notes;
}

/// Where maps from a file come from.
std::string source_of_dump(const Snapshot& snapshot) {
  return snapshot.is_dump() ? one_line(snapshot.model->source) : std::string();
}

/// What `say` returns for the heads: once if it is the same for all, else after their letters: "A none, B causal".
template <typename Say>
std::string lettered(const Snapshot& own, std::span<const ComparedHead> heads, Say say) {
  std::vector<std::string> texts;
  for (const ComparedHead& head : heads) texts.push_back(say(run_of(head, own), head.head));
  if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.front(); })) return texts.front();
  std::string all;
  for (std::size_t place = 0; place < texts.size(); ++place) {
    if (!texts[place].empty()) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", pin_letter(place), texts[place]);
  }
  return all;
}

/// What the rows of a map from a file sum to, where that is not 1.
std::string sums_of(const Snapshot& snapshot, HeadId head) {
  const LayerTrace& layer = snapshot.trace.layer(head.layer);
  return layer.given.empty() ? std::string() : sums_text(layer.given[static_cast<std::size_t>(head.head)].sums);
}

constexpr const char* kAssumed = "causal mask assumed";
constexpr const char* kUnknown = "mask not known: every key counts";

/// Whether the maps of a layer were read from a file, and their mask comes from there.
bool has_mask_from(Origin origin, const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = snapshot.trace.layer(layer);
  return !trace.given.empty() && trace.given_mask.origin == origin;
}

/// What was taken for granted of a head's mask; empty: it is known.
std::string guessed_mask(const Snapshot& snapshot, HeadId head) {
  if (has_mask_from(Origin::assumed, snapshot, head.layer)) return kAssumed;
  return has_mask_from(Origin::unknown, snapshot, head.layer) ? kUnknown : "";
}

/// What was taken for granted of maps from a file, beside their mask.
std::string assumed_of(const Snapshot& snapshot) {
  return fmt::format("{}", fmt::join(snapshot.axes.assumed, " · "));
}

/// A run has a mask; maps from a file have one where the file or the query names it.
bool names_mask(const Snapshot& snapshot, int layer) {
  if (!snapshot.is_dump() || !snapshot.query.mask.rules.empty()) return true;
  const Origin origin = snapshot.trace.layer(layer).given_mask.origin;
  return origin == Origin::text || origin == Origin::cells;
}

/// " · mask causal", where all layers of a file have one that is known.
std::string dump_masks(const Snapshot& snapshot) {
  if (!snapshot.query.mask.rules.empty()) return " · mask edited";
  const std::string mask = snapshot.own_mask(0);
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    if (!names_mask(snapshot, layer) || snapshot.own_mask(layer) != mask) return {};
  }
  return " · mask " + one_line(mask);
}

/// The end of the scale where a head's weights go beyond it; 0 where they do not.
float clipped_at(ShownMaps& shown, HeadId head, const MapPicture* picture = nullptr) {
  const Style& style = shown.style();
  if (ranks_cells(style) || style.range == RangeKind::head || style.range == RangeKind::layer) return 0;
  const ColourScale scale = shown.scale(head, picture);
  return scale.clipped > 0 ? scale.high : 0;
}

void append_clipped(std::string& notes, float high) {
  if (high > 0) append(notes, fmt::format("weights above {:.3g} clipped", high));
}

/// Where heads or layers have percentiles of their own, and no bar says it: the most that one of them cuts off.
void append_clipped_share(std::string& notes, ShownMaps& shown) {
  const Snapshot& snapshot = shown.run();
  if (shown.style().scale != ScaleKind::percentile || shown.has_one_scale()) return;
  float most = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    for (int head = 0; head < snapshot.heads(layer); ++head) most = std::max(most, shown.scale({layer, head}).clipped);
  }
  if (most > 0) append(notes, fmt::format("up to {} of the cells clipped", percent_text(static_cast<double>(most))));
}

/// What edits put in the place of what a head does; that it is off is said of switches and edits alike.
void append_edits(std::string& notes, const Snapshot& snapshot, HeadId head) {
  for (const Intervention& each : snapshot.query.interventions) {
    const auto is_here = [&](HeadId place) { return place.layer == head.layer && (place.head == kWholeLayer || place.head == head.head); };
    if (each.kind != InterventionKind::off && std::any_of(each.heads.begin(), each.heads.end(), is_here))
      append(notes, describe_intervention(each));
  }
}

/// Adds notes on one head's map besides its mask, its badge and its scale.
void append_head(std::string& notes, const Snapshot& snapshot, HeadId head) {
  const HeadSummary& summary = snapshot.summary(head);
  if (summary.masked_rows > 0)
    append(notes, fmt::format("∅ no key allowed ({} row{})", summary.masked_rows, summary.masked_rows == 1 ? "" : "s"));
  if (is_switched_off(snapshot.query, head)) append(notes, "head switched off");
  append_edits(notes, snapshot, head);
}

}  // namespace

std::string mask_of_head(const Snapshot& snapshot, HeadId head) {
  return mask_text(snapshot, head, snapshot.own_mask(head.layer));
}

bool has_mask_of_its_own(const Snapshot& snapshot, HeadId head) {
  const Stack stack = snapshot.model->config.place(head.layer).stack;
  const std::vector<MaskRule>& rules = snapshot.query.mask.rules;
  return std::any_of(rules.begin(), rules.end(),
                     [&](const MaskRule& rule) { return rule.scope.kind != Scope::Kind::all && rule.scope.contains(head, stack); });
}

std::string sentence_of(const Snapshot& snapshot) {
  const Encoding& encoding = *snapshot.encoding;
  std::string sentence = with_line_signs(encoding.text);
  if (!encoding.text_pair.empty()) sentence += "  |  " + with_line_signs(encoding.text_pair);
  if (snapshot.decoder_encoding) sentence += "  |  decoder: " + with_line_signs(snapshot.decoder_encoding->text);
  return sentence;
}

std::string badge_of(ShownMaps& shown, HeadId head, const MapPicture* picture) {
  const Snapshot& snapshot = shown.run();
  std::string badge = shown.derived_text(head, picture);
  append(badge, sums_of(snapshot, head));
  append(badge, assumed_of(snapshot));
  append(badge, guessed_mask(snapshot, head));
  append_clipped(badge, clipped_at(shown, head, picture));
  return badge;
}

std::string badge_of(const Snapshot& snapshot, const Style& style, HeadId head) {
  ShownMaps shown(snapshot, style);
  return badge_of(shown, head);
}

std::string badge_of(const Snapshot& snapshot, const Style& style) {
  ShownMaps shown(snapshot, style);
  return badge_of(shown);
}

namespace {

std::string assumptions_in(const Snapshot& snapshot, const std::set<int>& layers) {
  std::string text = assumed_of(snapshot);
  const auto append_count = [&](const char* what, Origin origin) {
    const auto count = std::count_if(layers.begin(), layers.end(), [&](int layer) { return has_mask_from(origin, snapshot, layer); });
    if (count > 0) append(text, count == std::ssize(layers) ? what : fmt::format("{} in {} layer{}", what, count, count == 1 ? "" : "s"));
  };
  append_count(kAssumed, Origin::assumed);
  append_count(kUnknown, Origin::unknown);
  return text;
}

}  // namespace

std::string assumptions_of(const Snapshot& snapshot) {
  std::set<int> layers;  // not of all heads, of which there may be thousands: views ask in every frame
  for (int layer = 0; layer < snapshot.layers(); ++layer) layers.insert(layer);
  return assumptions_in(snapshot, layers);
}

std::string assumptions_of(const Snapshot& snapshot, std::span<const HeadId> heads) {
  std::set<int> layers;
  for (const HeadId& head : heads) layers.insert(head.layer);
  return assumptions_in(snapshot, layers);
}

std::string badge_of(ShownMaps& shown) {
  const Snapshot& snapshot = shown.run();
  int heads = 0, odd_heads = 0;
  float high = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const LayerTrace& trace = snapshot.trace.layer(layer);
    for (const GivenMap& map : trace.given) odd_heads += !map.sums.are_weights();
    heads += trace.heads;
    for (int head = 0; head < trace.heads; ++head) high = std::max(high, clipped_at(shown, {layer, head}));
  }
  std::string badge = shown.derived_text();
  if (odd_heads > 0) append(badge, fmt::format("rows of {} of {} heads are not attention weights (–)", odd_heads, heads));
  append(badge, assumptions_of(snapshot));
  append_clipped(badge, high);
  append_clipped_share(badge, shown);
  return badge;
}

std::string notes_of(const Snapshot& snapshot, const Style& style, HeadId head) {
  std::string notes = source_of_dump(snapshot);
  if (names_mask(snapshot, head.layer)) append(notes, "mask " + mask_of_head(snapshot, head));
  append(notes, badge_of(snapshot, style, head));
  append(notes, scale_note(style));
  append_head(notes, snapshot, head);
  append(notes, run_text(snapshot));
  return notes;
}

std::string notes_without_scale(const Snapshot& snapshot, HeadId head) {
  const ComparedHead own{.head = head};
  return notes_without_scale(snapshot, Style(), std::span(&own, 1));
}

std::string badge_of(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads, bool has_scale) {
  std::string badge = lettered(own, heads, [](const Snapshot& run, HeadId) { return assumed_of(run); });
  append(badge, lettered(own, heads, guessed_mask));
  append(badge, lettered(own, heads, [&](const Snapshot& run, HeadId head) { return ShownMaps(run, style).derived_text(head); }));
  float clipped = 0;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    ShownMaps shown(run_of(heads[place], own), style);
    if (const std::string sum = sums_of(shown.run(), heads[place].head); !sum.empty()) append(badge, pin_letter(place) + " " + sum);
    clipped = std::max(clipped, clipped_at(shown, heads[place].head));
  }
  if (has_scale) append_clipped(badge, clipped);
  return badge;
}

namespace {

/// `has_scale`: maps are coloured.
std::string notes_of_heads(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads, bool has_scale) {
  const auto is_named = [&](const ComparedHead& head) { return names_mask(run_of(head, own), head.head.layer); };
  std::string notes = lettered(own, heads, [](const Snapshot& run, HeadId) { return source_of_dump(run); });
  if (std::any_of(heads.begin(), heads.end(), is_named)) append(notes, "mask " + lettered(own, heads, mask_of_head));
  append(notes, badge_of(own, style, heads, has_scale));
  if (has_scale) append(notes, scale_note(style));
  append_head(notes, run_of(heads.front(), own), heads.front().head);
  append(notes, lettered(own, heads, [](const Snapshot& run, HeadId) { return run_text(run); }));
  return notes;
}

}  // namespace

std::string notes_of(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads) {
  return notes_of_heads(own, style, heads, true);
}

std::string notes_without_scale(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads) {
  return notes_of_heads(own, style, heads, false);
}

namespace {

/// Where maps come from, and which masks they have.
std::string source_and_masks(const Snapshot& snapshot) {
  if (snapshot.is_dump()) return one_line(snapshot.model->source) + dump_masks(snapshot);
  const auto& rules = snapshot.query.mask.rules;
  const bool is_same = std::all_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind == Scope::Kind::all; });
  return is_same ? "mask " + mask_text(snapshot, {}, own_masks(snapshot.model->config)) : "masks edited for part of the model";
}

void append_switched_off(std::string& notes, const Snapshot& snapshot) {
  const std::vector<HeadId> heads = snapshot.all_heads();
  const auto switched_off = std::count_if(heads.begin(), heads.end(), [&](HeadId head) { return is_switched_off(snapshot.query, head); });
  if (switched_off > 0) append(notes, fmt::format("{} head{} switched off", switched_off, switched_off == 1 ? "" : "s"));
  constexpr std::size_t kMostNamed = 2;
  std::vector<Intervention> edits = snapshot.query.interventions;
  std::erase_if(edits, [](const Intervention& edit) { return edit.kind == InterventionKind::off; });
  for (std::size_t at = 0; at < std::min(edits.size(), kMostNamed); ++at) append(notes, describe_intervention(edits[at]));
  if (edits.size() > kMostNamed) append(notes, fmt::format("{} more edits of heads", edits.size() - kMostNamed));
}

}  // namespace

std::string notes_of_numbers(const Snapshot& snapshot) {
  std::string notes = source_and_masks(snapshot);
  append(notes, assumptions_of(snapshot));
  append_switched_off(notes, snapshot);
  append(notes, run_text(snapshot));
  return notes;
}

std::string notes_of(const Snapshot& snapshot, const Style& style) {
  std::string notes = source_and_masks(snapshot);
  if (notes.ends_with("part of the model")) notes += " (dots)";
  append(notes, badge_of(snapshot, style));
  append(notes, scale_note(style));
  if (!ranks_cells(style) && style.range == RangeKind::head) append(notes, "each head on its own scale");
  if (!ranks_cells(style) && style.range == RangeKind::layer) append(notes, "each layer on its own scale");
  append_switched_off(notes, snapshot);
  append(notes, run_text(snapshot));
  return notes;
}

std::string notes_of_derived(const Snapshot& snapshot, const Style& style, std::span<const HeadId> heads) {
  std::string notes = source_of_dump(snapshot);
  append(notes, assumptions_of(snapshot, heads));
  append(notes, scale_note(style));
  append_switched_off(notes, snapshot);
  append(notes, run_text(snapshot));
  return notes;
}

}  // namespace headlight
