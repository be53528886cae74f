// The options of `headlight export`: which figure, what of it, and how its file is written.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/figures/batch_options.h"
#include "app/cli/figures/effect_options.h"
#include "app/cli/figures/flow_options.h"
#include "app/cli/figures/links_options.h"
#include "app/cli/figures/measure_options.h"
#include "app/cli/figures/page_options.h"
#include "app/cli/figures/part_options.h"
#include "app/cli/options/options.h"
#include "app/recipe/sweep.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

struct FigureOptions {
  FigureOptions(CLI::App& app, FigureKinds offered);
  /// That --figure names, or the one of a figure's file that is made again.
  const FigureKind& kind() const { return *find_figure(kinds, figure); }
  bool is_given(const std::string& option) const { return command.get_option(option)->count() > 0; }
  /// Whether --document is a figure and no option says what to show instead: then all that it shows is shown again.
  bool is_again() const;

  FigureKinds kinds;
  CLI::App& command;
  QueryOptions query;
  StyleOptions style;
  BatchOptions batch;
  LinksOptions links;
  FlowOptions flow;
  EffectOptions effects;
  PageOptions page;
  PartOptions part;
  MeasureOptions measures;
  std::string lab;   ///< "dropout:p=0.2" (lab_names.h); empty: none is named
  std::string only;  ///< a list of heads (head_list.h); empty: the figure's usual ones
  std::string output, numbers_output;
  std::string figure{kHeatmapFigure.name};
  std::string layer = "0";
  int head = 0;
  Stage stage = Stage::weights;
  std::optional<Index> marked_query, marked_key;
  int step = kInsideSteps;
  std::optional<int> stop;
  int shown_keys = 0;
  std::size_t listed = kListedPredictions;
  std::optional<Sweep> sweep;
  std::string draw;  ///< "0.1@5:2,6:1": a map that a head should learn; empty: that of the document
  std::optional<float> pixels;
  bool is_spreadsheet_safe = false, has_titles = false;

 private:
  void add_figure();
  void add_step();
  void add_files();
};

/// The row for the ending of `output`, which `option` names. Throws Error (usage) for one that the figure does not have.
const FigureFile& file_for(const FigureKind& kind, const std::string& option, const std::string& output);
/// Whether an option is for another figure of a batch, besides `kind`.
bool serves_another(const FigureOptions& options, const FigureKind& kind, std::string_view option);
/// Before anything is computed: every option is used by one of the figures and one of the kinds of files. `lab`: that is named, or that of the
/// figure that is made again. Throws Error (usage).
void check_options(const FigureOptions& options, const std::vector<const FigureKind*>& kinds, const std::vector<const FigureFile*>& files,
                   const std::string& lab);
/// A heatmap frames what its own head should learn. Throws Error (usage) for a --draw of another than `head`.
void check_drawn_map(const FigureOptions& options, const FigureKind& kind, const DrawnMap& drawn, HeadId head);
/// What decides the figures besides the document: every option that says so, as it was given.
std::string choice_text(const FigureOptions& options);
/// Only one scale uses the exponent; a document may have chosen the scale. Throws Error (usage).
void check_gamma(const FigureOptions& options, const Style& style);
/// A lab's maps are not ranked. Throws Error (usage).
void check_scale(const FigureOptions& options, const FigureKind& kind, const Style& style);

}  // namespace headlight
