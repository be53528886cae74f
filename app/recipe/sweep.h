// A sweep: the same figure once for every layer, head, token, temperature, or number of steps that a head was trained.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/drawn_map.h"
#include "engine/core/enumeration.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"
#include "engine/forward/query.h"

namespace headlight {

enum class SweepOf : std::uint8_t {
  layer,        ///< of the head, of the heads of links, or of a lab
  head,         ///< likewise
  token,        ///< the query of a look inside, or of a lab; of links, whose lines are in full
  temperature,  ///< of the scores
  training,     ///< of a head of the sandbox: how many gradient steps it takes towards a drawn map
};
inline constexpr Names<SweepOf> kSweeps{"layer", "head", "token", "temperature", "training"};

/// More stills are refused.
inline constexpr std::size_t kMostStills = 500;
inline constexpr int kMostTrainingSteps = 10'000;

struct Sweep {
  SweepOf of = SweepOf::layer;
  std::vector<double> values;  ///< in their order; empty: all there are, which temperature and training have not
  DrawnMap drawn_map = {};     ///< of training: what the head should learn, whose steps are counted from the query's own parameters
  bool operator==(const Sweep&) const = default;
};

/// "layer", "head=0-3", "token=2,5", "temperature=0.5,1,2", "training=0,1,5,20", which leaves the drawn map empty. Throws Error (usage).
Sweep parse_sweep(const std::string& text);

Json to_json(const Sweep& sweep);
/// Throws Error (input).
Sweep sweep_from(const JsonFields& fields);

/// Whether stills of the figure differ: a grid has all layers and heads at once. `lab`: of a lab, its name and settings, which decide what it uses
/// (LabFigureRequest::asked); empty where none is chosen, and then there is nothing to sweep.
bool can_sweep(const FigureKind& kind, SweepOf of, const std::string& lab = {});
/// "layer, head, temperature": those in which it changes; empty: none.
std::string sweeps_of(const FigureKind& kind, const std::string& lab = {});
/// The values of a sweep of a figure: those that were given, or all. Throws Error (usage) for too many, and for a value that is not there.
std::vector<double> values_of_sweep(const Sweep& sweep, const Snapshot& snapshot, const FigureRequest& request);

/// What a value changes: the query that is run, and what is shown of its run. Training changes many queries at once (queries_of_sweep).
void set_in_query(SweepOf of, double value, Query& query);
void set_in_figure(SweepOf of, double value, const Snapshot& snapshot, FigureRequest& request);
/// "layer 3", "token 4 “cat”", "temperature 0.5", "after 20 training steps".
std::string name_of_still(SweepOf of, double value, const Snapshot& snapshot, const FigureRequest& request);
/// "heads-03.png" of "heads.png": as many digits as the largest value has, so that names sort.
std::filesystem::path file_of_still(const std::filesystem::path& path, double value, double largest);

}  // namespace headlight
