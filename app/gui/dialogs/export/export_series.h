// Many figures of the export dialog: those of a sweep, or of every text of a file. Nothing here draws.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/dialogs/export/export_figure.h"
#include "app/work/batch/figure_series.h"

namespace headlight {

/// What a person chose to sweep over.
struct ChosenSweep {
  Sweep sweep;                 ///< as it is typed: without values, all there are
  std::vector<double> values;  ///< not empty, unless there is a problem
  std::string problem = {};    ///< why it cannot be made, as a sentence; empty: it can
};
ChosenSweep chosen_sweep(const Panel& panel, const ExportChoice& choice);
/// What an empty box stands for: "all: 0-7", "0.5,1,2".
std::string usual_values(const Panel& panel, const ExportChoice& choice);
/// Why a figure does not change with it, as a sentence; empty: it does. Whether it changes with anything.
std::string why_no_sweep(const Panel& panel, const ExportChoice& choice, SweepOf of);
bool changes_with(const Panel& panel, const ExportChoice& choice, SweepOf of);
/// Where its first file, or its page, goes.
std::filesystem::path first_of_sweep(const Panel& panel, const ExportChoice& choice, const ChosenSweep& swept);
SweepOrder sweep_order(const Panel& panel, const ExportChoice& choice, const ChosenSweep& swept);

/// The figures that every text can have, in their order; and those that are chosen, at least one.
std::vector<const FigureKind*> kinds_of_texts(const Panel& panel, const ExportChoice& choice);
std::vector<const FigureKind*> chosen_kinds(const Panel& panel, const ExportChoice& choice);
std::vector<FigureRequest> figures_of_texts(const Panel& panel, const ExportChoice& choice);
/// The endings that all chosen figures have; and the kinds of files that are chosen, at least one.
std::vector<std::string> endings_of_texts(const Panel& panel, const ExportChoice& choice, bool is_drawn);
std::vector<const FigureFile*> files_of_texts(const Panel& panel, const ExportChoice& choice);
/// The folder, as it is typed or beside the texts, and as a whole path.
std::string typed_folder(const ExportChoice& choice);
std::filesystem::path folder_of_texts(const ExportChoice& choice);
/// " --texts F --column C -o FOLDER/", what the command has besides the figures.
std::string texts_options(const ExportChoice& choice);
/// Why it cannot be started, as a sentence; empty: it can.
std::string why_no_texts(const Panel& panel, const ExportChoice& choice);
TextsOrder texts_order(const Panel& panel, const ExportChoice& choice);

}  // namespace headlight
