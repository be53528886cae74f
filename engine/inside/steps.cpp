#include "engine/inside/steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

constexpr std::array<InsideStepRow, kInsideSteps> kSteps{{
    {InsideStep::query, "Query", "query", 2.0F, 1, "A token asks",
     "The query's token reads its own place in the residual stream. W_Q turns that into q: each number of q is x times one column of W_Q, "
     "summed.",
     "q = x · W_Q"},
    {InsideStep::keys, "Keys", "keys", 1.5F, 1, "Every token offers a key",
     "W_K makes a k from every token's x in the same way. Only the keys that the query may attend to are shown.", "k_j = x_j · W_K"},
    {InsideStep::products, "Products", "products", 3.0F, 2, "q meets each k",
     "Number by number, q and k are multiplied; the products are summed. Where both point the same way, the score is high.",
     "score_j = q · k_j"},
    {InsideStep::scale, "Scale", "scale", 1.0F, 1, "Scores are scaled",
     "A sum of more products spreads wider. Dividing by the root of d_head keeps scores in a range in which the softmax still listens to "
     "several keys.",
     "s_j = score_j ÷ √d"},
    {InsideStep::mask, "Mask", "mask", 1.5F, 1, "Some keys are out of bounds",
     "Keys that the query may not attend to get −∞, so that nothing of them is left after the softmax.", "s_j = −∞"},
    {InsideStep::softmax, "Softmax", "softmax", 3.0F, 4, "Scores become shares",
     "The largest score is subtracted from every score, so that exp stays small; the result is the same. Each exp is then divided by "
     "their sum. The weights add up to 1.",
     "weight_j = exp(s_j − max s) ÷ Σ"},
    {InsideStep::values, "Values", "values", 2.0F, 1, "Shares of values are summed",
     "Each key's v counts as much as its weight. Their sum is z: what this head found for the query.", "z = Σ weight_j · v_j"},
    {InsideStep::output, "Output", "output", 2.0F, 1, "z goes back to the stream",
     "The z of all heads are concatenated. W_O mixes them into as many numbers as the stream has, and these are added to it.",
     "output = z · W_O"},
}};
static_assert(has_row_of_each(kSteps, &InsideStepRow::step));

InsideMoment stop(InsideStep step, int number) {
  return {step, static_cast<float>(number) / static_cast<float>(inside_step(step).stops)};
}
constexpr float kSame = 1e-4F;  // of a step: two moments as near as that are one

}  // namespace

std::span<const InsideStepRow> inside_steps() {
  return kSteps;
}

const InsideStepRow& inside_step(InsideStep step) {
  return kSteps[static_cast<std::size_t>(step)];
}

InsideMoment end_of_step(int number) {
  return {static_cast<InsideStep>(std::clamp(number, 1, kInsideSteps) - 1), 1};
}

InsideMoment played(InsideMoment moment, float seconds) {
  while (seconds > 0) {
    const float whole = inside_step(moment.step).seconds;
    const float left = (1 - moment.progress) * whole;
    if (seconds < left) return {moment.step, moment.progress + seconds / whole};
    seconds -= left;
    if (moment.step == InsideStep::output) return {moment.step, 1};
    moment = {static_cast<InsideStep>(static_cast<int>(moment.step) + 1), 0};
  }
  return moment;
}

int stops_passed(InsideMoment moment) {
  return static_cast<int>(std::floor(moment.progress * static_cast<float>(inside_step(moment.step).stops) + kSame));
}

InsideMoment next_stop(InsideMoment moment) {
  const int passed = stops_passed(moment);
  if (passed < inside_step(moment.step).stops) return stop(moment.step, passed + 1);
  if (moment.step == InsideStep::output) return moment;
  return stop(static_cast<InsideStep>(static_cast<int>(moment.step) + 1), 1);
}

InsideMoment previous_stop(InsideMoment moment) {
  const int passed = stops_passed(moment);
  const bool is_at_stop = std::abs(stop(moment.step, passed).progress - moment.progress) < kSame;
  const int before = is_at_stop ? passed - 1 : passed;
  if (before >= 1) return stop(moment.step, before);
  if (moment.step == InsideStep::query) return stop(moment.step, 1);
  return {static_cast<InsideStep>(static_cast<int>(moment.step) - 1), 1};
}

float place_of(InsideMoment moment) {
  return (static_cast<float>(moment.step) + moment.progress) / kInsideSteps;
}

InsideMoment moment_at(float place) {
  const float at = std::clamp(place, 0.0F, 1.0F) * kInsideSteps;
  const int step = std::clamp(static_cast<int>(std::floor(at)), 0, kInsideSteps - 1);
  return {static_cast<InsideStep>(step), std::clamp(at - static_cast<float>(step), 0.0F, 1.0F)};
}

}  // namespace headlight
