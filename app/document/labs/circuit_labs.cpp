#include "app/document/labs/circuit_labs.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/labs/lab_runs.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/forward/projections.h"

namespace headlight {
namespace {

std::vector<CircuitsFound::Pair> labels_of_pairs(const TokenCircuit& circuit, const Tokenizer& tokenizer) {
  std::vector<CircuitsFound::Pair> labels;
  for (const TokenPair& pair : circuit.largest)
    labels.emplace_back(vocabulary_label(tokenizer, pair.from), vocabulary_label(tokenizer, pair.to));
  return labels;
}

/// T of the head, in as many columns as its values have.
Matrix written_values(const Snapshot& snapshot, HeadId head, const HeadMaps& maps) {
  if (!snapshot.query.block.has_output_projection) return maps.v;
  const Index width = maps.v.cols();
  return values_as_written(maps.v, snapshot.model->parameters.layer(head.layer).o.weight.to_matrix().middleRows(head.head * width, width));
}

double gap_of_outputs(const Matrix& weights, const Matrix& effective, const Matrix& values) {
  const Eigen::MatrixXd wide = values.cast<double>(), plain = weights.cast<double>() * wide, other = effective.cast<double>() * wide;
  const double largest = plain.size() > 0 ? plain.cwiseAbs().maxCoeff() : 0;
  return largest > 0 ? (plain - other).cwiseAbs().maxCoeff() / largest : 0;
}

}  // namespace

Index EffectiveFound::free_queries() const {
  return std::count_if(rows.begin(), rows.end(), [](const EffectiveRow& row) { return row.has_others(); });
}

CircuitsFound run_circuits_lab(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  const Model& model = *snapshot.model;
  CircuitsFound found;
  found.vocabulary = std::max<std::int64_t>(model.config.vocabulary, 0);
  found.has_pairs = found.vocabulary <= kQuickVocabulary || request.settings.compares_all_tokens;
  found.is_turned = turns_queries_and_keys(model.config, request.head.layer);
  CircuitsQuestion question{.head = request.head, .most = kListedCircuits, .distance = request.settings.circuit_distance};
  question.compares_tokens = found.has_pairs;
  if (!snapshot.decoder_encoding) question.text = snapshot.query;
  ThreadPool pool;
  found.circuits = find_circuits(model, question, pool, progress);
  found.qk = labels_of_pairs(found.circuits.qk, *model.tokenizer);
  found.ov = labels_of_pairs(found.circuits.ov, *model.tokenizer);
  return found;
}

EffectiveFound run_effective(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  const HeadId head = request.head;
  EffectiveFound found;
  const Index queries = snapshot.queries(head.layer), keys = snapshot.keys(head.layer);
  if (std::max(queries, keys) > kEffectiveTokens) {
    found.problem =
        fmt::format("Effective attention is computed for up to {} tokens; this text has {}.", kEffectiveTokens, std::max(queries, keys));
    return found;
  }
  HeadMaps maps = snapshot.maps(head, progress);
  found.width = maps.v.cols();
  const Matrix values = written_values(snapshot, head, maps);
  EffectiveAttention effective = effective_attention(maps.weights, *maps.mask, values, progress);
  found.largest_gap = gap_of_outputs(maps.weights, effective.weights, values);
  found.rows = std::move(effective.rows);
  if (maps.weights.size() > 0) {
    found.largest = maps.weights.maxCoeff();
    found.farthest = effective.weights.cwiseAbs().maxCoeff();
  }
  found.weights = picture_of(std::move(maps.weights), maps.mask);
  found.effective = signed_picture_of(std::move(effective.weights), maps.mask);
  found.queries = labels_of(snapshot, snapshot.query_tokens(head.layer), queries);
  found.keys = labels_of(snapshot, snapshot.key_tokens(head.layer), keys);
  found.titles = axis_titles(snapshot, head.layer);
  return found;
}

}  // namespace headlight
