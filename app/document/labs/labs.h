// The labs: small experiments beside the model. A request is a value, a result is immutable, and nothing that a lab finds reaches any other
// picture.
#pragma once

#include <any>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"
#include "engine/figure/axes.h"
#include "engine/figure/sheet/sheet.h"
#include "engine/labs/counts.h"
#include "engine/labs/mask_fill.h"
#include "engine/labs/scale_lab.h"
#include "engine/labs/three_attempts.h"

namespace headlight {

struct LabRequest;
/// A lab: its name in saved states, and the function that computes what it shows. Its row has its title and how it is drawn
/// (app/gui/labs/lab_table.h).
struct Lab {
  std::string_view name;                                                       ///< a literal
  std::any (*run)(const LabRequest& request, Progress& progress);              ///< on the compute thread: gives a …Found
  Sheet (*sheet)(const LabRequest& request, const std::any& found) = nullptr;  ///< of what was found; null: it has no figure
  bool operator==(const Lab&) const = default;
  static const Lab attempts, mask_fills, scaling, dropout, head_cost, toy_run, concatenation;
};
/// What the concatenation lab shows of a layer: what it reads, what its heads work on, or their results joined.
enum class LayerStep : std::uint8_t { inputs, projections, joined };

/// What a person sets in the labs. Only what the chosen lab uses decides its result.
struct LabSettings {
  Lab lab = Lab::attempts;
  bool includes_self = false;            ///< attempts: a token may look at itself (j = i)
  int attempt_heads = 1;                 ///< attempts: K
  bool is_all_masked = true;             ///< mask fills: scores 1, 2, 3 and no key allowed, instead of the head's own row
  float dropout = 0.1F;                  ///< p
  int dropout_seed = 1;                  ///< which sample
  std::optional<bool> has_bias;          ///< head cost; not given: as the model has them
  std::optional<int> heads_per_kv_head;  ///< head cost: 0: all heads share one; not given: as in the model
  bool is_toy_random = false;            ///< toy run: random inputs instead of ones
  std::array<int, 2> toy_lengths{3, 2};  ///< toy run: valid keys of each item
  LayerStep step = LayerStep::joined;    ///< concatenation
  bool compares_all_tokens = false;      ///< circuits: though the vocabulary is large
  int circuit_distance = 0;              ///< circuits: positions from key to query, where they turn q and k
  bool operator==(const LabSettings&) const = default;
};

inline constexpr int kMostAttemptHeads = 4;
inline constexpr int kMostHeadsPerKvHead = 1024;
inline constexpr float kMostDropout = 0.9F;
inline constexpr int kDropoutSamples = 100;
inline constexpr Index kAttemptTokens = 32;    ///< the attempts look at this many of the first tokens
inline constexpr Index kStripTokens = 32;      ///< the same for the concatenation
inline constexpr double kFillRounding = 1e-3;  ///< of float16, for numbers up to 1
inline constexpr Index kScaleTokens = 8;
inline constexpr int kScaleDraws = 64;
inline constexpr int kToyHeads = 5, kToyItems = 2, kToyQueries = 4, kToyKeys = 6, kToyWidth = 100;

/// A job as a value: what a lab reads. `head` and `query` are those being looked at; a query beyond the text counts as the last one.
struct LabRequest {
  LabSettings settings;
  std::shared_ptr<const Snapshot> snapshot;
  HeadId head;
  std::optional<Index> query;
  bool operator==(const LabRequest&) const = default;
};

/// Seeds S4-1 … S4-10: each attempt with the same K sets of matrices, drawn from the snapshot's seed. The vectors are those of the text's
/// own tokens, each scaled to length √D: as numbers of variance 1 they give scores of the same size in every model.
struct AttemptsFound {
  struct Head {
    std::shared_ptr<const MapPicture> scores;  ///< S / √d, zero-centred
    std::shared_ptr<const MapPicture> weights;
    Asymmetry asymmetry;
  };
  struct Column {
    Attempt attempt;
    std::vector<Head> heads;
    Index output_width = 0;        ///< of one head: D, D, D, d_value
    Index concatenated_width = 0;  ///< of all heads side by side
    Index scale_width = 0;         ///< the d under the root: D for vanilla, else the width of the embedded space
  };
  Index tokens = 0, all_tokens = 0;  ///< those looked at, and all of the text; neither counts tokens that the tokenizer adds
  Index added_tokens = 0;
  Index d_model = 0, d_head = 0, d_value = 0;
  std::vector<Column> columns;      ///< vanilla, attempt 1, attempt 2, final; none if the text has only special tokens
  std::vector<std::string> labels;  ///< of the tokens
  std::vector<Index> positions;     ///< of the tokens in the text
};

/// Seeds D6: one row of scores under every convention.
struct FillsFound {
  std::vector<std::string> keys;  ///< labels, one per key
  std::string query;              ///< label of the row; empty for the preset
  Index position = 0;             ///< of the row in its text
  std::vector<double> scores;
  std::vector<bool> is_allowed;
  std::optional<float> sink;  ///< the head's sink: a score beside these
  struct Row {
    FillConvention convention;
    std::array<std::vector<double>, 3> weights;  ///< in float16, float32, float64
  };
  std::vector<Row> rows;
  bool all_agree = true;  ///< no weight of any row is farther than kFillRounding from ours
};

/// Seeds S3-4.
struct ScalingFound {
  struct Row {
    Index d_head = 0;
    ScaleSample sample;
  };
  std::vector<Row> rows;              ///< random q and k: the mean of kScaleDraws samples of kScaleTokens queries and keys
  Row own;                            ///< q·k of the head being looked at, over the pairs that its mask allows
  std::vector<std::string> left_out;  ///< what this head also does to its scores but `own` leaves out: "soft-cap 30", …
};

/// Seeds S3-10 and D5: sampled on purpose; the model's own runs never drop anything.
struct DropoutFound {
  std::shared_ptr<const MapPicture> before, after;
  std::shared_ptr<const MapPicture> mean;                  ///< of samples 1 to kDropoutSamples
  std::vector<double> sums_before, sums_after, sums_mean;  ///< of the rows
  Index weights = 0, dropped = 0;                          ///< how many are not zero before, and how many of them the sample drops
  float largest = 0;                                       ///< of all maps
  std::vector<std::string> queries, keys;                  ///< labels
  AxisTitles titles;
};

/// Seeds S1-2 and S2-11: the attention of the layer being looked at for every head count that divides d_model, and for its own.
struct CostFound {
  struct Cost {
    AttentionWidths sizes;
    std::int64_t parameters = 0;
    double flops = 0;        ///< for the sentence's tokens
    double cache_bytes = 0;  ///< float32
  };
  struct Row {
    int heads = 0;
    std::optional<Cost> shared;  ///< d_head = d_model / heads; empty if that is not a whole number, or the key/value heads do not fit
    std::optional<Cost> fixed;   ///< the layer's d_head, whatever the head count
  };
  /// The layer as it is.
  struct Own {
    int d_model = 0, heads = 0, kv_heads = 0, d_head = 0;
    int heads_per_kv_head = 1;         ///< as LabSettings count them
    std::int64_t parameters = 0;       ///< that it holds, biases included
    std::int64_t bias_parameters = 0;  ///< 0: it has no biases
    bool shares_width() const { return heads * d_head == d_model; }
  };
  Own own;
  bool has_bias = true;       ///< counted in the rows: the layer's own biases, or all four if it has none
  int heads_per_kv_head = 1;  ///< in the rows
  Index queries = 0, keys = 0;
  std::vector<Row> rows;
};

/// Seeds S2-9 and S2-12: the multi-head example of Dive into Deep Learning 10.3, all its maps.
struct ToyFound {
  std::array<std::array<std::shared_ptr<const MapPicture>, kToyHeads>, kToyItems> maps;
  std::array<std::array<std::vector<double>, kToyHeads>, kToyItems> first_rows;
  std::vector<std::int64_t> output_shape;
  std::int64_t parameters = 0;
  double widest_output_gap = 0;  ///< largest difference between two output rows
};

/// Seeds S0-8, S0-3 and S1-7: matrices of the layer being looked at, as strips of a row per token, the heads' columns side by side.
struct ConcatenationFound {
  struct Strip {
    std::string name;   ///< "q", "z", "output", …
    std::string title;  ///< with formula marks, such as "Z = concat(z_0 … z_3)"
    std::shared_ptr<const MapPicture> values;
    int blocks = 1;                          ///< heads or key/value heads; 1: no heads yet, or no longer
    std::vector<std::string> rows, columns;  ///< labels: of tokens; "head 1, 3", or "3" where there are no blocks
    bool has_key_rows = false;               ///< the tokens are those of the layer's keys; else those of its queries
    float largest = 0;                       ///< farthest from zero
  };
  std::vector<Strip> strips;
  bool is_one_tensor = true;  ///< queries, keys and values are read from the same one
  int heads = 0, kv_heads = 0;
  Index head_width = 0, joined_width = 0, output_width = 0;  ///< of one z, of all side by side, and of what follows
  Index tokens = 0;                                          ///< of the longest strip, before it was cut to kStripTokens
};

struct LabResult {
  LabRequest request;                       ///< the request it answers: a picture and its caption come from the same snapshot
  std::any found;                           ///< AttemptsFound, FillsFound, … by the lab
  std::shared_ptr<const Sheet> sheet = {};  ///< the same for figures; null: it has none
};

// What each lab computes. Those that take a Progress throw Cancelled.
AttemptsFound run_attempts(const LabRequest& request, Progress& progress);
FillsFound run_fills(const LabRequest& request, Progress& progress);
ScalingFound run_scaling(const LabRequest& request, Progress& progress);
DropoutFound run_dropout(const LabRequest& request, Progress& progress);
CostFound run_costs(const LabRequest& request);
ToyFound run_toy(const LabRequest& request, Progress& progress);
ConcatenationFound run_concatenation(const LabRequest& request);

/// One of these as Lab::run.
template <auto run>
std::any lab_run(const LabRequest& request, Progress& progress) {
  if constexpr (std::is_invocable_v<decltype(run), const LabRequest&, Progress&>) {
    return run(request, progress);
  } else {
    return run(request);
  }
}

// The same for figures (lab_sheets.cpp).
Sheet attempts_sheet(const LabRequest& request, const AttemptsFound& found);
Sheet fills_sheet(const LabRequest& request, const FillsFound& found);
Sheet scaling_sheet(const LabRequest& request, const ScalingFound& found);
Sheet dropout_sheet(const LabRequest& request, const DropoutFound& found);
Sheet cost_sheet(const LabRequest& request, const CostFound& found);
Sheet toy_sheet(const LabRequest& request, const ToyFound& found);
Sheet concatenation_sheet(const LabRequest& request, const ConcatenationFound& found);
/// One of these as Lab::sheet.
template <typename Found, Sheet (*sheet)(const LabRequest&, const Found&)>
Sheet lab_sheet(const LabRequest& request, const std::any& found) {
  return sheet(request, std::any_cast<const Found&>(found));
}

inline constexpr Lab Lab::attempts{"attempts", lab_run<run_attempts>, lab_sheet<AttemptsFound, attempts_sheet>};
inline constexpr Lab Lab::mask_fills{"mask_fills", lab_run<run_fills>, lab_sheet<FillsFound, fills_sheet>};
inline constexpr Lab Lab::scaling{"scaling", lab_run<run_scaling>, lab_sheet<ScalingFound, scaling_sheet>};
inline constexpr Lab Lab::dropout{"dropout", lab_run<run_dropout>, lab_sheet<DropoutFound, dropout_sheet>};
inline constexpr Lab Lab::head_cost{"head_cost", lab_run<run_costs>, lab_sheet<CostFound, cost_sheet>};
inline constexpr Lab Lab::toy_run{"toy_run", lab_run<run_toy>, lab_sheet<ToyFound, toy_sheet>};
inline constexpr Lab Lab::concatenation{"concatenation", lab_run<run_concatenation>, lab_sheet<ConcatenationFound, concatenation_sheet>};

/// Does the work, on any thread. The snapshot must hold tokens and layers. Throws Error, and Cancelled by `progress`.
LabResult run_lab(const LabRequest& request, Progress& progress);

}  // namespace headlight
