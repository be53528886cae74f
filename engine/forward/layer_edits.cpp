#include "engine/forward/layer_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/interventions/placed_map.h"

namespace headlight {
namespace {

[[noreturn]] void refuse_edit(InterventionKind kind, int layer, std::string problem, std::string expected = {}, std::string hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = fmt::format("edit {} in layer {}", row_of(kind).name, layer),
               .problem = std::move(problem),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

int heads_of_layer(const Query& query, const ModelConfig& config, int layer) {
  return query.heads.value_or(config.heads_of(layer));
}

std::vector<int> edited_heads(const Intervention& intervention, int layer, int heads) {
  std::vector<int> edited;
  for (const HeadId place : intervention.heads) {
    if (place.layer != layer || place.head >= heads) continue;
    const int first = std::max(place.head, 0), last = place.head == kWholeLayer ? heads - 1 : place.head;
    for (int head = first; head <= last; ++head) {
      if (std::find(edited.begin(), edited.end(), head) == edited.end()) edited.push_back(head);
    }
  }
  return edited;
}

void check_source(const Query& query, const ModelConfig& config, HeadId from, int layer) {
  const InterventionKind kind = InterventionKind::map;
  const bool is_there = from.layer >= 0 && from.layer < config.layers && from.head >= 0;
  if (!is_there || from.head >= heads_of_layer(query, config, from.layer)) {
    refuse_edit(kind, layer, fmt::format("there is no head {}.{} to take the map of", from.layer, from.head),
                fmt::format("one of {} layers, counted from 0", config.layers));
  }
  if (from.layer > layer) {
    refuse_edit(kind, layer, fmt::format("the map of head {}.{} is not computed yet when this layer runs", from.layer, from.head),
                fmt::format("a head of layers 0 to {}", layer));
  }
  if (config.place(from.layer).stack != config.place(layer).stack) {
    refuse_edit(kind, layer,
                fmt::format("head {}.{} belongs to another stack, whose maps have other queries and keys", from.layer, from.head),
                "a head of the same stack");
  }
}

void check_kind(const Query& query, const ModelConfig& config, const Intervention& intervention, int layer) {
  const InterventionKind kind = intervention.kind;
  const bool needs_one_axis = kind == InterventionKind::previous || kind == InterventionKind::self;
  if (needs_one_axis && config.place(layer).stack == Stack::cross) {
    refuse_edit(kind, layer, "in cross-attention queries and keys are different texts, so no key is the query's own or the one before it",
                "uniform or first");
  }
  if (kind == InterventionKind::map) check_source(query, config, intervention.from, layer);
  if (query.mask_reach == MaskReach::this_head && !query.mask.rules.empty()) {
    refuse_edit(kind, layer, "the mask acts on its own maps only, so heads pass on something else than what they show", {},
                "Let the mask act on later layers too: --mask-reach whole-model");
  }
}

bool takes_other_run(const LayerEdit& edit) {
  const InterventionNeed need = row_of(edit.kind).need;
  return need == InterventionNeed::text || need == InterventionNeed::texts;
}

const OtherRun& other_of(const LayerEdit& edit, int layer) {
  if (!edit.other) {
    refuse_edit(edit.kind, layer, "it takes numbers from another text, which is not run here", {},
                "Leave it out, or look at one text: predict, trace, export or the window");
  }
  return *edit.other;
}

const LayerTrace& other_layer(const LayerEdit& edit, int layer) {
  return *other_of(edit, layer).layers.at(static_cast<std::size_t>(layer));
}

std::string token_counts(const LayerEdit& edit, Index others, Index own) {
  return fmt::format("\"{}\" has {} token{}, and this text has {}", printable(edit.other->text, 60), others, others == 1 ? "" : "s", own);
}

/// That the chosen positions are there in both texts.
void check_positions(const LayerEdit& edit, int layer, Index others, Index own) {
  const bool is_open = edit.positions.empty() || std::any_of(edit.positions.begin(), edit.positions.end(), [](const PositionRange& range) {
                         return range.last == std::numeric_limits<int>::max();
                       });
  const Index shared = std::min(others, own);
  if (is_open && others != own) {
    refuse_edit(edit.kind, layer, token_counts(edit, others, own), "texts of equally many tokens",
                shared == 0 ? "" : fmt::format("Name positions that both have: @0-{}", shared - 1));
  }
  for (const PositionRange& range : edit.positions) {
    const Index last = range.last == std::numeric_limits<int>::max() ? range.first : range.last;
    if (last >= shared)
      refuse_edit(edit.kind, layer, fmt::format("there is no position {} in both texts: {}", last, token_counts(edit, others, own)),
                  fmt::format("positions 0 to {}", shared - 1));
  }
}

/// What a head computes from its own q and k.
Matrix own_weights(const LayerTrace& layer, int head, const Watch& watch) {
  const int kv_head = kv_head_of(head, layer.heads, layer.kv_heads);
  HeadRule rule = layer.rule(head);
  rule.placed_weights.reset();
  Matrix q, k;
  return compute_maps(head_columns(layer.q, layer.heads, head, q), head_columns(layer.k, layer.kv_heads, kv_head, k), rule, watch).weights;
}

Matrix weights_in_place(const LayerEdit& edit, int number, int head, const LayerTrace& layer, const LayersBelow& below,
                        const Watch& watch) {
  const Mask& mask = layer.mask(head);
  if (edit.kind == InterventionKind::uniform) return placed_map(edit.kind, mask, Matrix::Zero(mask.queries(), mask.keys()));
  const Matrix own = own_weights(layer, head, watch);
  if (edit.kind == InterventionKind::map) {
    if (edit.from.layer != number && !below)
      refuse_edit(edit.kind, number, "the layers below are not kept here, so no map can be taken from them");
    return placed_map(own_weights(edit.from.layer == number ? layer : below(edit.from.layer), edit.from.head, watch), mask, own);
  }
  if (edit.kind != InterventionKind::pattern) return placed_map(edit.kind, mask, own);
  const LayerTrace& other = other_layer(edit, number);
  if (other.q.rows() != own.rows() || other.k.rows() != own.cols()) {
    const bool differ_in_queries = other.q.rows() != own.rows();
    refuse_edit(edit.kind, number,
                token_counts(edit, differ_in_queries ? other.q.rows() : other.k.rows(), differ_in_queries ? own.rows() : own.cols()),
                "a text of equally many tokens: a map's rows and columns are tokens");
  }
  return placed_map(own_weights(other, head, watch), mask, own);
}

/// What is put into a head's rows; rows of another text, where it has some.
void place_rows(const LayerEdit& edit, int layer, int head, int heads, Eigen::Ref<Matrix, 0, Eigen::OuterStride<>> z) {
  if (edit.kind == InterventionKind::off) {
    z.setZero();
    return;
  }
  Matrix copy;
  const bool is_mean = edit.kind == InterventionKind::mean;
  const Matrix rows =
      is_mean ? other_of(edit, layer).mean.of({layer, head}, heads) : Matrix(head_columns(other_layer(edit, layer).z, heads, head, copy));
  if (edit.kind == InterventionKind::patch) check_positions(edit, layer, rows.rows(), z.rows());
  for (Index row = 0; row < std::min(rows.rows(), z.rows()); ++row) {
    if (contains(edit.positions, row)) z.row(row) = rows.row(row);
  }
}

}  // namespace

std::vector<LayerEdit> edits_of_layer_heads(const Query& query, const ModelConfig& config, int layer, int heads) {
  std::vector<LayerEdit> edits;
  for (std::size_t number = 0; number < query.interventions.size(); ++number) {
    const Intervention& intervention = query.interventions[number];
    const bool is_of_stream = row_of(intervention.kind).replaces == ReplacedPart::stream;
    LayerEdit edit{.kind = intervention.kind, .from = intervention.from, .positions = intervention.positions, .intervention = number};
    edit.heads = edited_heads(intervention, layer, heads);
    if (edit.heads.empty()) continue;
    if (is_of_stream) edit.heads.clear();
    check_kind(query, config, intervention, layer);
    edits.push_back(std::move(edit));
  }
  return edits;
}

SharedRows stream_after_edits(const std::vector<LayerEdit>& edits, int layer, const SharedRows& stream) {
  SharedRows edited = stream;
  for (const LayerEdit& edit : edits) {
    if (row_of(edit.kind).replaces != ReplacedPart::stream) continue;
    const SharedRows& other = other_layer(edit, layer).resid_pre;
    check_positions(edit, layer, other.rows(), stream.rows());
    Matrix rows = *edited.whole();
    for (Index row = 0; row < rows.rows(); ++row) {
      if (contains(edit.positions, row)) rows.row(row) = other.middle_rows(row, 1);
    }
    edited = SharedRows(std::move(rows));
  }
  return edited;
}

void place_maps(const std::vector<LayerEdit>& edits, int number, LayerTrace& layer, const LayersBelow& below, const Watch& watch) {
  for (const LayerEdit& edit : edits) {
    if (row_of(edit.kind).replaces != ReplacedPart::weights) continue;
    for (const int head : edit.heads) {
      auto weights = std::make_shared<const Matrix>(weights_in_place(edit, number, head, layer, below, watch));
      layer.rules[static_cast<std::size_t>(head)].placed_weights = std::move(weights);
    }
  }
}

void place_outputs(const std::vector<LayerEdit>& edits, int layer, int heads, Matrix& z) {
  const Index width = z.cols() / heads;
  for (const LayerEdit& edit : edits) {
    if (row_of(edit.kind).replaces != ReplacedPart::z) continue;
    for (const int head : edit.heads) place_rows(edit, layer, head, heads, z.middleCols(head * width, width));
  }
}

bool is_switched_off(const Query& query, HeadId head) {
  bool is_off = std::binary_search(query.switched_off.begin(), query.switched_off.end(), head);
  for (const Intervention& edit : query.interventions) {  // the later replaces the earlier
    if (replaces(edit, ReplacedPart::z, head, 0)) is_off = edit.kind == InterventionKind::off;
  }
  return is_off;
}

bool needs_other_run(const std::vector<LayerEdit>& edits) {
  return std::any_of(edits.begin(), edits.end(), takes_other_run);
}

}  // namespace headlight
