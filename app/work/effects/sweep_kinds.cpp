#include "app/work/effects/sweep_kinds.h"

#include <algorithm>
#include <array>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

using Kind = SweepKind;
using Need = SweepNeed;

constexpr std::array kRows{
    SweepRow{Kind::off, "zero", "off", "Each head switched off, alone", "switched off",
             "z of one head becomes 0 at every position; later layers see it.", Need::nothing, EffectMethod::zero},
    SweepRow{Kind::mean, "mean", "mean over texts", "Each head at its mean, alone", "at its mean over the texts",
             "z of one head becomes its mean over the texts of a file, at each position: what it always gives stays, what it says of this "
             "text goes.",
             Need::texts, EffectMethod::mean},
    SweepRow{Kind::resample, "resample", "resampled", "Each head as in some other text, alone", "with z of another text of the file",
             "z of one head becomes what it is in another text, drawn from a file.", Need::texts, EffectMethod::resample},
    SweepRow{Kind::uniform, "uniform", "even map", "Each head looking at all tokens alike, alone", "looking at all tokens alike",
             "Every query of one head gives equal weight to all keys that its mask allows.", Need::nothing, EffectMethod::uniform},
    SweepRow{Kind::previous, "previous", "previous token", "Each head looking at the token before, alone", "looking at the token before",
             "Every query of one head gives all its weight to the token before it.", Need::nothing, EffectMethod::previous},
    SweepRow{Kind::self, "self", "itself", "Each head looking at its own token, alone", "looking at its own token",
             "Every query of one head gives all its weight to its own token.", Need::nothing, EffectMethod::self},
    SweepRow{Kind::first, "first", "first token", "Each head looking at the first token, alone", "looking at the first token",
             "Every query of one head gives all its weight to the first token.", Need::nothing, EffectMethod::first},
    SweepRow{Kind::gate, "gate", "gate gradient", "Each head's gate, alone", "made a little stronger",
             "How strongly the target answers to a small change of one head's strength (Michel et al. 2019).", Need::nothing,
             EffectMethod::gate},
    SweepRow{Kind::z, "patch-z", "z of another text", "Each head's z from the other text, alone", "with z of the other text",
             "z of one head becomes what it is in a text of your own, at every position. Both texts have equally many tokens.", Need::text,
             std::nullopt, PatchedPart::z},
    SweepRow{Kind::pattern, "patch-pattern", "map of another text", "Each head's map from the other text, alone",
             "with the map of the other text",
             "One head weighs its own values with the map that it computes on a text of your own. Both texts have equally many tokens.",
             Need::text, std::nullopt, PatchedPart::pattern},
    SweepRow{Kind::stream, "patch-stream", "stream, layer × position", "The stream of the other text, place by place",
             "with the stream of the other text",
             "What a layer reads at one position becomes that of a text of your own: where is it carried what differs between them? Both "
             "texts have equally many tokens.",
             Need::text, std::nullopt, PatchedPart::stream},
    SweepRow{Kind::layer_z, "patch-layer-z", "z, layer × position", "What a layer's heads give, from the other text, place by place",
             "with z of the other text",
             "z of all heads of a layer at one position becomes that of a text of your own: where do heads move what differs between "
             "them? Both texts have equally many tokens.",
             Need::text, std::nullopt, PatchedPart::layer_z},
};
static_assert(has_row_of_each(kRows, &SweepRow::kind));

}  // namespace

std::span<const SweepRow> sweep_rows() {
  return kRows;
}

const SweepRow& row_of(SweepKind kind) {
  return kRows[static_cast<std::size_t>(kind)];
}

const SweepRow* find_sweep(std::string_view name) {
  const auto* const row = std::find_if(kRows.begin(), kRows.end(), [&](const SweepRow& each) { return each.name == name; });
  return row == kRows.end() ? nullptr : row;
}

const SweepRow& row_of(EffectMethod method) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const SweepRow& row) { return row.method == method; });
}

}  // namespace headlight
