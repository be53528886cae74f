#include "engine/studies/importance/patch_sweep.h"

#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/interventions/placed_map.h"

namespace headlight {
namespace {

[[noreturn]] void refuse_sweep(std::string field, std::string problem, std::string expected = {}, std::string hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = std::move(field),
               .problem = std::move(problem),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

void check_texts(const TokenStage& tokens, const TokenStage& other) {
  const auto own = std::ssize(tokens.encoding->tokens), others = std::ssize(other.encoding->tokens);
  if (own != others) {
    refuse_sweep("from",
                 fmt::format("the other text has {} tokens and this one {}, so their positions do not belong together", others, own),
                 "texts of equally many tokens", "`headlight tokenize` shows the tokens; --edit patches chosen positions");
  }
}

void require_value(const TextEffects& text, std::string_view which) {
  if (text.problem().empty()) return;
  refuse_sweep("target", fmt::format("in {} it has no value: {}", which, text.problem().substr(0, text.problem().size() - 1)));
}

double patched_stream(TextEffects& text, const TextEffects& other, int layer, Index position) {
  const auto number = static_cast<std::size_t>(layer);
  Matrix stream = *text.layers()[number].resid_pre.whole();
  stream.row(position) = other.layers()[number].resid_pre.middle_rows(position, 1);
  return text.with_stream(layer, stream);
}

double patched_layer(TextEffects& text, const TextEffects& other, int layer, Index position) {
  const auto number = static_cast<std::size_t>(layer);
  Matrix z = *text.layers()[number].z.whole();
  z.row(position) = other.layers()[number].z.middle_rows(position, 1);
  return text.with_outputs(layer, z);
}

double patched_pattern(TextEffects& text, const TextEffects& other, HeadId head) {
  const LayerTrace& own = text.layers()[static_cast<std::size_t>(head.layer)];
  const Matrix weights = rebuild_head(other.layers()[static_cast<std::size_t>(head.layer)], head.head).weights;
  return text.with(head, text.output_with(head, placed_map(weights, own.mask(head.head), rebuild_head(own, head.head).weights)));
}

}  // namespace

void check_patches(const EffectPlan& plan, PatchedPart part) {
  if (target_row(plan.target().kind).needs_unedited)
    refuse_sweep("target", "it compares a run with itself unedited, so it says nothing of the other text",
                 "logit, prob, loss or all-right");
  if (is_by_position(part) && plan.model().config.is_encoder_decoder())
    refuse_sweep("part", "an encoder-decoder model has two streams", "z or pattern");
}

PatchRuns::PatchRuns(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
                     const Watch& watch)
    : plan_(plan),
      part_((check_texts(tokens, other), check_patches(plan, part), part)),
      text_(plan, tokens, pool, watch),
      other_(plan, other, pool, watch) {
  require_value(text_, "the text");
  require_value(other_, "the other text");
}

Index PatchRuns::places(int layer) const {
  return is_by_position(part_) ? text_.layers()[static_cast<std::size_t>(layer)].resid_pre.rows() : plan_.run().heads(layer);
}

PatchValue PatchRuns::at(int layer, Index place) {
  PatchValue patched{.layer = layer};
  if (is_by_position(part_)) {
    patched.position = place;
    patched.value = part_ == PatchedPart::stream ? patched_stream(text_, other_, layer, place) : patched_layer(text_, other_, layer, place);
    return patched;
  }
  const HeadId head{layer, static_cast<int>(place)};
  patched.head = head.head;
  patched.value = part_ == PatchedPart::z ? text_.with(head, other_.output(head)) : patched_pattern(text_, other_, head);
  return patched;
}

PatchSweep sweep_patches(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
                         Progress& progress) {
  PatchRuns runs(plan, tokens, other, part, pool, progress);
  PatchSweep sweep{.unpatched = runs.unpatched(), .other = runs.other(), .values = {}, .other_ids = other.numbers.ids};
  const int layers = plan.model().config.layers;
  for (int layer = 0; layer < layers; ++layer) {
    const Index places = runs.places(layer);
    for (Index place = 0; place < places; ++place) {
      progress.step((layer + static_cast<double>(place) / static_cast<double>(places)) / layers, "patching");
      sweep.values.push_back(runs.at(layer, place));
    }
  }
  return sweep;
}

}  // namespace headlight
