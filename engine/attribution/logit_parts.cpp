#include "engine/attribution/logit_parts.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"

namespace headlight {
namespace {

[[noreturn]] void refuse(std::string field, std::string problem, std::string found = {}, std::string expected = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = std::move(field),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

void check(const Snapshot& snapshot, const LogitQuestion& question) {
  if (const std::string why = why_no_logit_parts(snapshot); !why.empty()) refuse("logit", why.substr(0, why.size() - 1));
  const Index rows = logit_table(*snapshot.model).rows();
  for (const std::int64_t id : {question.token, question.against.value_or(question.token)}) {
    if (id < 0 || id >= rows) refuse("id", "the vocabulary has no such token", std::to_string(id), fmt::format("0 to {}", rows - 1));
  }
  const Index tokens = snapshot.trace.final_hidden.rows();
  if (question.position < 0 || question.position >= tokens)
    refuse("position", "the text has no such position", std::to_string(question.position), fmt::format("0 to {}", tokens - 1));
}

/// A column of the table of tokens, or the difference of two.
Doubles token_readout(const StoredMatrix& table, const LogitQuestion& question) {
  const auto column = [&](std::int64_t id) {
    Matrix row(1, table.cols());
    table.convert(id, 0, row);
    return Doubles(row.cast<double>().transpose());
  };
  Doubles readout = column(question.token);
  if (question.against) readout -= column(*question.against);
  return readout;
}

/// From the logit down to the stream after the last layer.
struct Head {
  Doubles readout;                 ///< of that stream [d_model, 1]
  std::vector<StreamPart> biases;  ///< on the way
  double logit = 0;
};

/// A step of the head that may be there: y = x·W + b.
void pull_linear(Head& head, const Linear& linear) {
  if (linear.weight.size() == 0) return;
  if (linear.bias.size() > 0) add_part(head.biases, {PartKind::logit_bias}, linear.bias.cast<double>() * head.readout);
  head.readout = linear.weight.to_matrix().cast<double>() * head.readout;
}

void pull_norm(Head& head, const Norm& norm, const Matrix& x, PartId bias) {
  const HeldNorm held(norm, x.row(0));
  if (held.has_bias()) add_part(head.biases, bias, held.bias() * head.readout);
  head.readout = held.pull(head.readout);
}

/// The layer that masked language models have before the table: dense, activation, norm.
void pull_dense(Head& head, const Model& model, const Matrix& hidden, ThreadPool& pool) {
  const LogitSettings& settings = model.config.logits;
  const PredictionParameters& prediction = model.parameters.prediction;
  const Matrix scaled = hidden * settings.scale;
  const Matrix inner = prediction.dense.weight.size() > 0 ? apply_linear(scaled, prediction.dense, pool) : scaled;
  Matrix activated = inner;
  if (settings.activation) apply_activation(*settings.activation, activated.row(0));
  pull_norm(head, prediction.norm, activated, {PartKind::logit_bias});
  for (Index at = 0; at < inner.cols() && settings.activation; ++at) {
    const double x = inner(0, at);
    head.readout(at, 0) *= x == 0 ? 0 : static_cast<double>(activated(0, at)) / x;
  }
  pull_linear(head, prediction.dense);
  head.readout *= static_cast<double>(settings.scale);
}

Head pull_head(const Snapshot& snapshot, const LogitQuestion& question, ThreadPool& pool) {
  const Model& model = *snapshot.model;
  const Matrix hidden = snapshot.trace.final_hidden.middle_rows(question.position, 1);
  Head head{token_readout(logit_table(model), question), {}, 0};
  if (const RowVector& bias = model.parameters.prediction.bias; bias.size() > 0) {
    const double against = question.against ? static_cast<double>(bias[*question.against]) : 0.0;
    add_part(head.biases, {PartKind::logit_bias}, DoubleRow::Constant(1, static_cast<double>(bias[question.token]) - against));
  }
  head.logit = (read_by_table(model, hidden, pool).cast<double>() * head.readout).value() + sum_of(head.biases, 1).value();
  pull_dense(head, model, hidden, pool);
  pull_linear(head, model.parameters.final_projection);
  const RowVector stream = stream_at(snapshot, place_at_end(model.config, question.position));
  pull_norm(head, model.parameters.final_norm, stream, {PartKind::norm_bias});
  return head;
}

std::vector<std::string> notes_of(const ModelConfig& config) {
  std::vector<std::string> notes;
  if (config.norm.kind != NormKind::none) notes.emplace_back("Norms are held at the scale they have at this position.");
  if (config.logits.activation)
    notes.emplace_back("The activation before the logits is held at the ratio of its output to its input at this position.");
  if (config.logits.softcap > 0)
    notes.push_back(
        fmt::format("The parts add up to the logit before the model's soft-cap of {:g}, which is not linear.", config.logits.softcap));
  return notes;
}

/// Whether edits leave a head nothing to add. Throws Error (usage) where they put in what it did not read from this text.
bool gives_nothing(const Query& query, HeadId head, Index position) {
  bool is_off = std::find(query.switched_off.begin(), query.switched_off.end(), head) != query.switched_off.end(), is_put_in = false;
  for (const Intervention& each : query.interventions) {  // the last one counts
    if (!replaces(each, ReplacedPart::z, head, position)) continue;
    is_off = each.kind == InterventionKind::off;
    is_put_in = !is_off;
  }
  if (is_put_in)
    refuse("head", "an edit puts in what this head gives here, so it was not read from this text's tokens",
           fmt::format("{}.{}", head.layer, head.head), "a head without an edit of its z");
  return is_off;
}

/// The row of weights that a query gives, rebuilt alone.
RowVector weights_of_row(const LayerTrace& layer, int head, Index query, const Watch& watch) {
  const HeadRule rule = rule_of_rows(layer.rule(head), query, 1);
  const Index width = layer.q.cols() / layer.heads;
  Matrix k;
  const Matrix q = layer.q.middle_rows(query, 1).middleCols(head * width, width);
  return compute_maps(q, head_columns(layer.k, layer.kv_heads, kv_head_of(head, layer.heads, layer.kv_heads), k), rule, watch)
      .weights.row(0);
}

}  // namespace

double LogitParts::value(PartId id) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const LogitPart& part) { return part.id == id; });
  return found == parts.end() ? 0 : found->value;
}

std::string why_no_logit_parts(const Snapshot& snapshot) {
  if (snapshot.is_dump()) return why_no_parts(snapshot);
  if (!snapshot.model->config.has_logits)
    return "The model predicts no tokens: it has no language-model head, so there is no logit to split.";
  return why_no_parts(snapshot);
}

LogitParts attribute_logit(const Snapshot& snapshot, const LogitQuestion& question, ThreadPool& pool, const Watch& watch) {
  check(snapshot, question);
  const ModelConfig& config = snapshot.model->config;
  const Head head = pull_head(snapshot, question, pool);
  LogitParts result{.question = question, .parts = {}, .logit = head.logit, .notes = notes_of(config)};
  std::vector<StreamPart> parts = split_stream(snapshot, place_at_end(config, question.position), head.readout, pool, watch);
  for (auto bias = head.biases.rbegin(); bias != head.biases.rend(); ++bias) add_part(parts, bias->id, bias->value);
  for (const StreamPart& part : parts) result.parts.push_back({part.id, part.value.value()});
  result.sum = sum_of(parts, 1).value();
  return result;
}

SourceParts attribute_sources(const Snapshot& snapshot, const LogitQuestion& question, HeadId head, ThreadPool& pool, const Watch& watch) {
  check(snapshot, question);
  const Model& model = *snapshot.model;
  const StreamPlace place = place_at_end(model.config, question.position);
  if (!snapshot.contains(head) || head.layer < place.first)
    refuse("head", "no such head writes to the logits", fmt::format("{}.{}", head.layer, head.head));
  const LayerTrace& layer = snapshot.trace.layer(head.layer);
  const Head from_logit = pull_head(snapshot, question, pool);
  const Doubles readout = readout_of_attention(snapshot, place, head.layer, from_logit.readout, pool, watch);
  const Index width = layer.z.cols() / layer.heads;
  const Doubles of_head =
      snapshot.query.block.has_output_projection
          ? Doubles(model.parameters.layer(head.layer).o.weight.to_matrix().middleRows(head.head * width, width).cast<double>() * readout)
          : Doubles(readout.middleRows(head.head * width, width));
  const bool is_off = gives_nothing(snapshot.query, head, question.position);
  const RowVector weights = weights_of_row(layer, head.head, question.position, watch);
  Matrix copy;
  const MatrixView v = head_columns(layer.v, layer.kv_heads, kv_head_of(head.head, layer.heads, layer.kv_heads), copy);
  SourceParts parts{std::vector<double>(static_cast<std::size_t>(weights.size()), 0.0), {weights.begin(), weights.end()}};
  for (Index key = 0; key < weights.size() && !is_off; ++key) {
    // As in mix_values: a key of weight 0 is left out, whatever its value holds.
    if (weights[key] != 0)
      parts.adds[static_cast<std::size_t>(key)] = static_cast<double>(weights[key]) * (v.row(key).cast<double>() * of_head).value();
  }
  return parts;
}

}  // namespace headlight
