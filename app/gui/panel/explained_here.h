// What is pointed at, explained (engine/explain/explain.h): with the colours of the window, and with what edits changed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/gui/panel/panel.h"
#include "engine/explain/explain.h"

namespace headlight {

/// Tokens have the colour of their axis, all else is `plain`.
std::vector<Span> spans_of(const Palette& colours, const Explanation& explanation, Colour plain);

ExplainedHead explained_head(const Panel& panel, const ComparedHead& head, const HeadMaps& maps);

/// A paragraph each: the cell, and what it was in the baseline, or without one before the edits, once that is computed.
std::vector<Explanation> explain_cell_here(const Panel& panel, const ComparedHead& head, const HeadMaps& maps, Cell cell);
/// The head, what it may be called, and where edits changed its map most. Kept for the next frame.
const std::vector<Explanation>& explain_head_here(const Panel& panel, const ComparedHead& head,
                                                  const std::shared_ptr<const HeadMaps>& maps);

/// What all edits of the shown picture changed; empty without edits, and until the picture without them is made. Kept for the next frame.
const Explanation& explain_edits_here(const Panel& panel);

/// A line for each paragraph; the status bar says so.
void copy_explanation(Panel& panel, std::span<const Explanation> explanation);

}  // namespace headlight
