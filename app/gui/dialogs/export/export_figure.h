// What the export dialog writes as it is set: the figure, and where it goes. Nothing here draws.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"
#include "app/work/figures/figure_previews.h"
#include "engine/figure/files/write_figure.h"

namespace headlight {

/// The figure as it is set; one of another kind, or for another task.
FigureRequest figure_to_export(const Panel& panel, const ExportChoice& choice);
FigureRequest figure_of(const Panel& panel, const ExportChoice& choice, const FigureKind& kind, ExportTask task);
/// Parts that none of the figures has are neither left out nor added.
void leave_out_parts(std::span<const FigureKind* const> kinds, PageLook& page);
/// Of a figure of a study: the model and the edits that it is of; none of others.
std::optional<Query> measured_in_figure(const Panel& panel, const FigureRequest& request);
/// How its file is written: a PNG of a size in print has the pixels that print needs.
FigureOutput output_of(const PageLook& page);
/// The same for its preview.
FigureQuestion figure_to_preview(const Panel& panel, const ExportChoice& choice);

/// Whether there are as many heads as a kind takes.
bool has_heads_for(const Panel& panel, const FigureKind& kind);
/// The figure of the view, or that of a head where the view's own cannot be made.
const FigureKind* kind_of_view(const Panel& panel);
/// Why that is not the view's own, in sentences; empty: it is, or heads have to be pinned for it first.
std::string why_not_of_view(const Panel& panel);
/// The keys that a figure can mark one of; null: it marks none. `request`: of the figure without a marked key.
const Encoding* keys_to_mark(const Panel& panel, const FigureRequest& request);
/// The typed key; nothing where there is no such key.
std::optional<Index> typed_key(const ExportChoice& choice, const Encoding& keys);
/// The figures that can be written of what is shown, in their order.
std::vector<const FigureKind*> offered_kinds(const Panel& panel);
/// "head 2.1 · weights": a kind as a person chooses it.
std::string name_of_figure(const Panel& panel, const ExportChoice& choice, const FigureKind& kind);
/// The endings of a kind that the dialog offers, without their dots: of pictures, or of files of numbers.
std::vector<std::string> offered_endings(const FigureKind& kind, bool is_drawn);
/// The row of the chosen ending.
const FigureFile& chosen_file(const ExportChoice& choice);

/// The row of the ending that the typed path has; null: it has none that can be written.
const FigureFile* file_of_typed(const ExportChoice& choice);
/// Chooses an ending, which a typed path that has one gets in its place.
void choose_ending(ExportChoice& choice, const std::string& ending);

/// A name made from the figure, with its ending.
std::string usual_name(const Panel& panel, const ExportChoice& choice);
/// Where the file goes: the typed path, with the chosen ending where it has none of the figure's, or a name made from the figure, in the current folder.
std::filesystem::path target_of(const Panel& panel, const ExportChoice& choice);
/// The same as it is typed.
std::string typed_target(const Panel& panel, const ExportChoice& choice);

}  // namespace headlight
