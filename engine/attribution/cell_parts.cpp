#include "engine/attribution/cell_parts.h"

#include <fmt/core.h>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"
#include "engine/forward/projections.h"

namespace headlight {
namespace {

enum class Side : std::uint8_t { query, key };

/// x → q or k of one head at one position, with norms of q and k held and turned by position: x·weight + bias.
struct HeadProjection {
  Matrix weight;   ///< [d_model, d_head]
  RowVector bias;  ///< [d_head]
};

/// Norms of q and k, held at what they are for `plain` [all heads side by side], on rows that go through the projection.
void hold_norm(const ModelConfig& config, const Norm& norm, const RowVector& plain, HeadProjection& projection) {
  if (config.scores.query_key_norm == QueryKeyNorm::none) return;
  const bool is_whole = config.scores.query_key_norm == QueryKeyNorm::all_heads;
  const Index width = is_whole ? plain.size() : config.heads.d_head;
  for (Index begin = 0; begin < plain.size(); begin += width) {
    const auto own = [&](const RowVector& all) { return all.size() == plain.size() ? RowVector(all.segment(begin, width)) : all; };
    const Norm part{own(norm.gain), own(norm.bias), norm.kind, norm.epsilon};
    const HeldNorm held(part, plain.segment(begin, width));
    projection.weight.middleCols(begin, width) = held.apply(projection.weight.middleCols(begin, width).cast<double>()).cast<float>();
    DoubleRow bias = held.apply(projection.bias.segment(begin, width).cast<double>());
    if (held.has_bias()) bias += held.bias();
    projection.bias.segment(begin, width) = bias.cast<float>();
  }
}

/// By the turns of a position: rows lie side by side as heads of one token do.
void turn(const Model& model, int layer, Index position, Index tokens, HeadProjection& projection, ThreadPool& pool, const Watch& watch) {
  if (!turns_queries_and_keys(model.config, layer)) return;
  const Index d_head = projection.weight.cols(), rows = projection.weight.rows();
  Matrix flat(1, (rows + 1) * d_head);
  flat.leftCols(rows * d_head) = Eigen::Map<const Matrix>(projection.weight.data(), 1, rows * d_head);
  flat.rightCols(d_head) = projection.bias;
  Rotations(model.config.rotary_of(layer), d_head, {position, 1, tokens}, false, pool, watch)
      .turn(flat, static_cast<int>(rows + 1), pool, watch);
  projection.weight = Eigen::Map<const Matrix>(flat.data(), rows, d_head);
  projection.bias = flat.rightCols(d_head);
}

/// Splits q or k of one head at one position.
class SideSplit {
 public:
  SideSplit(const Snapshot& snapshot, HeadId head, Side side, Index position, ThreadPool& pool, const Watch& watch)
      : snapshot_(snapshot), head_(head), side_(side), position_(position), pool_(pool), watch_(watch) {}

  std::vector<StreamPart> parts() const {
    const StreamPlace place =
        reads_memory() ? StreamPlace{0, config().stacks.encoder_layers, position_} : place_below(config(), head_.layer, position_);
    const RowVector stream = stream_at(snapshot_, place);
    static const Norm none;
    const bool is_norm_before = config().norm.place == NormPlace::before;
    const Norm& norm = reads_memory() ? model().parameters.encoder_norm : is_norm_before ? parameters().norm_1 : none;
    const HeldNorm held(norm, stream);
    const HeadProjection projection = head_projection(normalise(Matrix(stream), norm, pool_));
    const Doubles readout = projection.weight.cast<double>();
    std::vector<StreamPart> parts = split_stream(snapshot_, place, held.pull(readout), pool_, watch_);
    if (held.has_bias()) add_part(parts, {PartKind::norm_bias, reads_memory() ? -1 : head_.layer}, held.bias() * readout);
    if (!projection.bias.isZero(0)) add_part(parts, {PartKind::projection_bias, head_.layer}, projection.bias.cast<double>());
    return parts;
  }

 private:
  const Model& model() const { return *snapshot_.model; }
  const ModelConfig& config() const { return model().config; }
  const LayerParameters& parameters() const { return model().parameters.layer(head_.layer); }
  bool reads_memory() const { return side_ == Side::key && config().place(head_.layer).stack == Stack::cross; }

  /// read [1, d_model]: what is projected.
  HeadProjection head_projection(const Matrix& read) const {
    const bool is_query = side_ == Side::query, has_biases = snapshot_.query.block.has_biases;
    const Linear& linear = is_query ? parameters().q : parameters().k;
    const HeadCounts counts = request_of_layer(snapshot_.query, model(), head_.layer).counts;
    HeadProjection all{linear.weight.to_matrix(), RowVector::Zero(linear.weight.cols())};
    if (has_biases && linear.bias.size() > 0) all.bias = linear.bias;
    const Matrix plain = apply_linear(read, linear, pool_, has_biases, watch_);
    hold_norm(config(), is_query ? parameters().q_norm : parameters().k_norm, plain.row(0), all);
    if (!is_query) {
      all.weight = regroup(std::move(all.weight), counts);
      all.bias = regroup(Matrix(all.bias), counts).row(0);
    }
    const int owner = is_query ? head_.head : kv_head_of(head_.head, counts.heads, counts.kv_heads);
    HeadProjection own{all.weight.middleCols(owner * counts.d_head, counts.d_head), all.bias.segment(owner * counts.d_head, counts.d_head)};
    const Index tokens = is_query ? snapshot_.queries(head_.layer) : snapshot_.keys(head_.layer);
    turn(model(), head_.layer, position_, tokens, own, pool_, watch_);
    return own;
  }

  const Snapshot& snapshot_;
  const HeadId head_;
  const Side side_;
  const Index position_;
  ThreadPool& pool_;
  const Watch& watch_;
};

void check(const Snapshot& snapshot, HeadId head, Index query, Index key) {
  const auto refuse = [](std::string problem, std::string found, std::string expected) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "cell",
                 .problem = std::move(problem),
                 .found = std::move(found),
                 .expected = std::move(expected)});
  };
  if (!snapshot.contains(head)) refuse("the model has no such head", fmt::format("{}.{}", head.layer, head.head), {});
  if (const std::string why = why_no_cell_parts(snapshot, head); !why.empty()) refuse(why.substr(0, why.size() - 1), {}, {});
  const Index queries = snapshot.queries(head.layer), keys = snapshot.keys(head.layer);
  if (query < 0 || query >= queries) refuse("no such query", std::to_string(query), fmt::format("0 to {}", queries - 1));
  if (key < 0 || key >= keys) refuse("no such key", std::to_string(key), fmt::format("0 to {}", keys - 1));
}

/// Parts [n, d_head], one a row.
Doubles rows_of(const std::vector<StreamPart>& parts, Index width) {
  Doubles rows(std::ssize(parts), width);
  for (std::size_t at = 0; at < parts.size(); ++at) rows.row(static_cast<Index>(at)) = parts[at].value;
  return rows;
}

std::vector<PartId> ids_of(const std::vector<StreamPart>& parts) {
  std::vector<PartId> ids;
  for (const StreamPart& part : parts) ids.push_back(part.id);
  return ids;
}

std::vector<std::string> notes_of(const Snapshot& snapshot, HeadId head, Index query, Index key) {
  const ModelConfig& config = snapshot.model->config;
  const HeadRule& rule = snapshot.trace.layer(head.layer).rule(head.head);
  std::vector<std::string> notes;
  if (config.norm.kind != NormKind::none) notes.emplace_back("Norms are held at the scale they have at these two tokens.");
  if (rule.placed_weights)
    notes.emplace_back("An edit puts another map in the place of this head's: the score is what it computes, the weight is the edit's.");
  if (rule.score == ScoreKind::cosine) notes.emplace_back("Cosine scores: q and k are divided by the lengths they have here.");
  if (turns_queries_and_keys(config, head.layer))
    notes.emplace_back("Rotary positions turn all parts alike, so the distance between the two tokens is in every share.");
  if (rule.bias.by_distance) {
    const Index queries = snapshot.queries(head.layer);
    notes.push_back(fmt::format("Positions add {:.4g} to the scaled score: it belongs to the distance alone and to no part.",
                                (*rule.bias.by_distance)[key - query + queries - 1]));
  }
  if (rule.softcap > 0)
    notes.push_back(fmt::format("A soft-cap of {:g} follows, which is not linear: the parts add up to the score before it.", rule.softcap));
  return notes;
}

}  // namespace

CellParts explain_cell(const Snapshot& snapshot, HeadId head, Index query, Index key, ThreadPool& pool, const Watch& watch) {
  check(snapshot, head, query, key);
  const LayerTrace& layer = snapshot.trace.layer(head.layer);
  const HeadRule rule = rule_of_rows(layer.rule(head.head), query, 1);
  const Index d_head = layer.q.cols() / layer.heads;
  Matrix copy;
  const Matrix q = layer.q.middle_rows(query, 1).middleCols(head.head * d_head, d_head);
  const MatrixView k = head_columns(layer.k, layer.kv_heads, kv_head_of(head.head, layer.heads, layer.kv_heads), copy);
  const HeadMaps row = compute_maps(q, k, rule, watch);

  CellParts cell;
  cell.head = head;
  cell.query = query;
  cell.key = key;
  cell.notes = notes_of(snapshot, head, query, key);
  const std::vector<StreamPart> of_query = SideSplit(snapshot, head, Side::query, query, pool, watch).parts();
  const std::vector<StreamPart> of_key = SideSplit(snapshot, head, Side::key, key, pool, watch).parts();
  cell.query_parts = ids_of(of_query);
  cell.key_parts = ids_of(of_key);
  cell.table = rows_of(of_query, d_head) * rows_of(of_key, d_head).transpose();
  if (rule.score == ScoreKind::cosine) {
    const double lengths = q.cast<double>().norm() * k.row(key).cast<double>().norm();
    cell.table /= lengths > 0 ? lengths : 1;  // a row of zeros has no direction and stays zero
  }
  cell.sum = cell.table.sum();
  cell.score = row.scores(0, key);
  cell.factor = row.factor;
  cell.final_score = row.final_score(0, key);
  cell.weight = row.weights(0, key);
  cell.is_allowed = layer.mask(head.head).allows(query, key);
  return cell;
}

std::string why_no_cell_parts(const Snapshot& snapshot, HeadId head) {
  if (std::string why = why_no_parts(snapshot); !why.empty()) return why;
  const ScoreKind score = snapshot.trace.layer(head.layer).rule(head.head).score;
  if (score == ScoreKind::additive) return "Additive scores go through tanh, so they are not a sum over parts of q and k.";
  if (score == ScoreKind::relative)
    return "Relative scores have terms of the distance beside q·k, so parts of q and k do not add up to them.";
  return {};
}

}  // namespace headlight
