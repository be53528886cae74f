// How a figure is made, from the figure's run and request to what its file says of it, and back.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/document/document.h"
#include "app/recipe/figure_json.h"
#include "app/recipe/found/find_effects.h"
#include "engine/core/progress.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/write_figure.h"

namespace headlight {

/// The program's own version, as `headlight --version` has it.
std::string program_version();

/// What a figure uses of the style beyond its theme: keys that are left out of weights, and how weights become the colours of maps. Lists,
/// tables and points of measures use neither; links and tinted texts have colours of their own.
bool hides_keys(const FigureNeeds& needs);
bool follows_scale(const FigureNeeds& needs);
/// How weights become colours, without a range of its own: a lab has one scale for its maps.
bool uses_colours(const FigureNeeds& needs);

/// What the file of a figure says of how it was made: a document of the runs that the figure uses, and nothing of any other. `file`: whether
/// it is drawn decides what it uses. `digests`: where digests of weights are kept (model_digest.h); empty: they are computed. Throws Error
/// (input) where weights can no longer be read; or Cancelled.
/// `sweep`: the figure is the first of several.
Provenance make_provenance(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file, const FigureOutput& output,
                           const std::filesystem::path& digests, Progress& progress, const std::optional<Sweep>& sweep = {});

/// The command line that writes the figure on this machine, without `-o FILE`: unlike a file, it has models by their paths. nullopt where
/// some part of it has no option.
std::optional<std::string> command_here(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                                        const FigureOutput& output, const std::optional<Sweep>& sweep = {});

/// All that decides a figure of any text (any_text.h) besides that text and the weights, as words of a command: the same whoever asks for it.
/// nullopt where some part of it has no option.
std::optional<std::string> batch_choice_of(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                                           const FigureOutput& output);

/// The command for every text of a file, as batch_options_of (command_text.h) has it, in figures of any text.
std::optional<std::string> batch_command_here(const Snapshot& snapshot, std::span<const FigureRequest> requests,
                                              std::span<const FigureFile* const> files, const FigureOutput& output);

/// Writes a figure that says how it was made, where its file can. Returns what write_figure does.
PageFit write_recorded_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                              FigureOutput output, const std::filesystem::path& digests, Progress& progress);

/// How many bytes such a file of a drawn figure has, whose scene is made already; the digests of weights, which have one length, are not
/// computed for it.
std::size_t size_of_recorded_figure(const Snapshot& snapshot, const FigureRequest& request, const Scene& scene, const FigureFile& file,
                                    FigureOutput output);

/// The same of several figures on one page (write_stills). `base`: the run that the sweep changes. `sweep`: its values are those of the stills.
void write_recorded_sweep(const Snapshot& base, std::span<const FigureStill> stills, const Sweep& sweep, const std::filesystem::path& path,
                          const std::filesystem::path& digests, Progress& progress);

/// A figure's file, read.
struct RecordedFigure {
  Provenance provenance = {};
  Document document = {};
  FigureChoice choice = {};
};
/// Throws Error: input for a file that does not say how it was made, or not in a way that can be followed; limit for its size.
RecordedFigure read_recorded_figure(const std::filesystem::path& path);
/// The figure's request, of runs of the document's subjects. Throws Error (input) for a subject that is not there.
FigureRequest request_of(const RecordedFigure& figure, const RunOfId& run_of);
/// The subjects whose runs that needs; the first is the figure's own.
std::vector<int> subjects_of(const RecordedFigure& figure);

/// Whether a file is a figure that may say how it was made, by its ending, and no document.
bool names_figure(const std::filesystem::path& path);
/// A document's file (load_document), or a figure's: then the document that it was made from.
Document load_document_or_figure(const std::filesystem::path& path, Json* unknown = nullptr);

}  // namespace headlight
