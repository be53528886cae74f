// The words around a figure in a file: what was run, and what was done to it.
#pragma once

#include <span>
#include <string>

#include "engine/figure/figure_source.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// The typed text on one line, both sentences of a pair, and what a decoder reads.
std::string sentence_of(const Snapshot& snapshot);

/// What the colours of a head's weights cannot show: "not normalised: 3 rows sum to 3 · weights above 1 clipped", and which
/// keys are left out of the map. Empty if all is well.
std::string badge_of(const Snapshot& snapshot, const Style& style, HeadId head);
/// `picture`: the one that is shown; null: the small one.
std::string badge_of(ShownMaps& shown, HeadId head, const MapPicture* picture = nullptr);
/// The same for all heads together: "rows of 2 of 8 heads are not attention weights (–) · weights above 1 clipped".
std::string badge_of(const Snapshot& snapshot, const Style& style);
std::string badge_of(ShownMaps& shown);

/// The same for several heads, the first is A; `has_scale`: their maps are coloured.
std::string badge_of(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads, bool has_scale);

/// What was taken for granted of maps from a file: "tokens only numbered · causal mask assumed in 2 layers"; empty: nothing was.
std::string assumptions_of(const Snapshot& snapshot);
/// Of the layers of these heads alone.
std::string assumptions_of(const Snapshot& snapshot, std::span<const HeadId> heads);

/// Of numbers about all heads: source, masks and settings of the run; nothing of colours.
std::string notes_of_numbers(const Snapshot& snapshot);
/// Of a map that is made from these heads: source, scale and settings of the run.
std::string notes_of_derived(const Snapshot& snapshot, const Style& style, std::span<const HeadId> heads);
/// "mask causal · γ 0.6 · random weights, seed 1": everything that is needed to make the map again.
std::string notes_of(const Snapshot& snapshot, const Style& style, HeadId head);
/// The same for several heads, the first is A: "mask A none, B causal · …" where they differ. `own`: the run of the heads that name none.
std::string notes_of(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads);
/// The same without what the colours of maps are made of: of figures that show weights as lines or tints (where `style` may hide keys), and of
/// one head's computation, which hides none.
std::string notes_without_scale(const Snapshot& own, const Style& style, std::span<const ComparedHead> heads);
std::string notes_without_scale(const Snapshot& snapshot, HeadId head);
/// The same for all heads together.
std::string notes_of(const Snapshot& snapshot, const Style& style);

/// The mask of a head in words: "causal + window:4", "none + 2 painted blocks".
std::string mask_of_head(const Snapshot& snapshot, HeadId head);
/// Whether the head's mask is decided by an edit of fewer than all heads: of the head itself, its layer or its stack.
bool has_mask_of_its_own(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
