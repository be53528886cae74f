#include "engine/attribution/stream_parts.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"

namespace headlight {
namespace {

/// Whether a layer reads the stream of this place's text: those of the other stack read another, and none comes after the last.
bool reads_layer(const Snapshot& snapshot, StreamPlace place, int layer) {
  const int encoder_layers = snapshot.model->config.stacks.encoder_layers;
  return layer < snapshot.layers() && (layer >= encoder_layers) == (place.first >= encoder_layers);
}

bool has_patched_stream(const Snapshot& snapshot, int layer, Index position) {
  const std::vector<Intervention>& all = snapshot.query.interventions;
  return std::any_of(all.begin(), all.end(), [&](const Intervention& each) {
    return replaces(each, ReplacedPart::stream, {layer, kWholeLayer}, position);
  });
}

/// Walks down the layers with what is read, which every norm on the way changes. Parts are collected from the top down.
class Descent {
 public:
  Descent(const Snapshot& snapshot, StreamPlace place, const Doubles& readout, ThreadPool& pool, const Watch& watch)
      : snapshot_(snapshot), place_(place), readout_(readout), pool_(pool), watch_(watch) {}

  std::vector<StreamPart> parts() && {
    bool is_patched = is_patched_below(place_.end);
    if (is_patched) add_patched(place_.end);
    for (int layer = place_.end - 1; layer >= place_.first && !is_patched; --layer) {
      watch_.check();
      descend_layer(layer);
      is_patched = is_patched_below(layer);
      if (is_patched) add_patched(layer);
    }
    if (!is_patched) descend_embedding();
    std::reverse(parts_.begin(), parts_.end());
    return std::move(parts_);
  }

  /// What is read from that layer's z·W_O + b_O.
  Doubles attention_readout(int layer) && {
    for (int above = place_.end - 1; above > layer; --above) {
      watch_.check();
      descend_layer(above);
      if (is_patched_below(above)) readout_.setZero();  // nothing below reaches it
    }
    const LayerRows rows = rows_of(layer);
    descend_to_attention(layer, rows);
    return branch_readout(layer, rows.z);
  }

 private:
  /// One token's numbers on its way through a layer.
  struct LayerRows {
    Matrix pre, z;       ///< what the layer reads, and what its heads give
    Matrix joined, mid;  ///< after attention, and after the norm that post-norm models have there
  };

  /// Whether the stream that a layer reads at this token was put in by an edit.
  bool is_patched_below(int layer) const {
    return reads_layer(snapshot_, place_, layer) && has_patched_stream(snapshot_, layer, place_.position);
  }
  void add_patched(int layer) {
    add({PartKind::patched_stream, layer}, snapshot_.trace.layer(layer).resid_pre.middle_rows(place_.position, 1).row(0), readout_);
  }

  const Model& model() const { return *snapshot_.model; }
  const BlockSwitches& block() const { return snapshot_.query.block; }
  bool is_norm_after() const { return model().config.norm.place == NormPlace::after; }

  void add(PartId id, const RowVector& part, const Doubles& readout) {
    if (part.size() > 0) add_part(parts_, id, part.cast<double>() * readout);
  }

  /// What is read before a norm, of what is read after it; its bias is a part.
  Doubles before(const Norm& norm, const Matrix& x, PartId bias, const Doubles& readout) {
    const HeldNorm held(norm, x.row(0));
    if (held.has_bias()) add_part(parts_, bias, held.bias() * readout);
    return held.pull(readout);
  }

  LayerRows rows_of(int layer) const {
    const LayerTrace& run = snapshot_.trace.layer(layer);
    const LayerParameters& parameters = model().parameters.layer(layer);
    LayerRows rows{run.resid_pre.middle_rows(place_.position, 1), run.z.middle_rows(place_.position, 1), {}, {}};
    rows.joined = finish_attention(parameters, block(), rows.pre, rows.z, pool_, watch_);
    rows.mid = is_norm_after() ? normalise(rows.joined, parameters.norm_1, pool_) : rows.joined;
    return rows;
  }

  void descend_layer(int layer) {
    const LayerRows rows = rows_of(layer);
    descend_to_attention(layer, rows);
    descend_attention(layer, rows.z, snapshot_.trace.layer(layer).heads);
  }

  void descend_to_attention(int layer, const LayerRows& rows) {
    const LayerParameters& parameters = model().parameters.layer(layer);
    if (parameters.ff_in.weight.size() > 0) descend_feed_forward(layer, rows.pre, rows.mid);
    if (is_norm_after()) readout_ = before(parameters.norm_1, rows.joined, {PartKind::norm_bias, layer}, readout_);
  }

  void descend_feed_forward(int layer, const Matrix& pre, const Matrix& mid) {
    const ModelConfig& config = model().config;
    const LayerParameters& parameters = model().parameters.layer(layer);
    const bool has_skip = block().has_feed_forward_skip || config.feed_forward.is_parallel;
    const Matrix& stream = config.feed_forward.is_parallel ? pre : mid;
    const Matrix read = is_norm_after() ? stream : normalise(stream, parameters.norm_2, pool_);
    const Matrix branch = feed_forward(parameters, config.feed_forward.activation, read, nullptr, pool_, watch_);
    if (is_norm_after()) {
      Matrix sum = normalise(branch, parameters.branch_norm_2, pool_);
      if (has_skip) sum += mid;
      readout_ = before(parameters.norm_2, sum, {PartKind::norm_bias, layer}, readout_);
    }
    add({PartKind::feed_forward, layer}, branch.row(0), before(parameters.branch_norm_2, branch, {PartKind::norm_bias, layer}, readout_));
    if (!has_skip) readout_.setZero();
  }

  bool adds_output_bias() const { return block().has_output_projection && block().has_biases; }

  /// What is read from what attention gives, before the norm that a few models have for it alone.
  Doubles branch_readout(int layer, const Matrix& z) {
    const LayerParameters& parameters = model().parameters.layer(layer);
    if (is_identity(parameters.branch_norm_1)) return readout_;
    const Matrix written = block().has_output_projection ? apply_linear(z, parameters.o, pool_, adds_output_bias(), watch_) : z;
    return before(parameters.branch_norm_1, written, {PartKind::norm_bias, layer}, readout_);
  }

  void descend_attention(int layer, const Matrix& z, int heads) {
    const LayerParameters& parameters = model().parameters.layer(layer);
    const Doubles readout = branch_readout(layer, z);
    if (adds_output_bias()) add({PartKind::output_bias, layer}, parameters.o.bias, readout);
    const Index width = z.cols() / heads;
    Matrix alone = Matrix::Zero(heads, z.cols());  // each head's z with zeros in the place of the others
    for (int head = 0; head < heads; ++head) alone.row(head).segment(head * width, width) = z.row(0).segment(head * width, width);
    if (block().has_output_projection) alone = apply_linear(alone, parameters.o, pool_, false, watch_);
    for (int head = heads - 1; head >= 0; --head) add({PartKind::head, layer, head}, alone.row(head), readout);
    if (!block().has_attention_skip) readout_.setZero();
  }

  void descend_embedding() {
    const bool is_decoder = place_.first > 0;
    const std::vector<Token>& tokens = snapshot_.query_tokens(place_.first).tokens;
    const EmbeddedToken parts = split_embedding(model(), tokens, is_decoder, place_.position);
    const PartId bias{PartKind::embedding_bias};
    if (parts.projection != nullptr) {
      add(bias, parts.projection->bias, readout_);
      readout_ = parts.projection->weight.to_matrix().cast<double>() * readout_;
    }
    RowVector sum = parts.token;
    for (const RowVector* each : {&parts.type, &parts.position, &parts.bias}) {
      if (each->size() > 0) sum += *each;
    }
    readout_ = before(*parts.norm, sum, bias, readout_);
    add(bias, parts.bias, readout_);
    add({PartKind::position}, parts.position, readout_);
    add({PartKind::sentence_type}, parts.type, readout_);
    add({PartKind::token}, parts.token, readout_);
  }

  const Snapshot& snapshot_;
  const StreamPlace place_;
  Doubles readout_;
  ThreadPool& pool_;
  const Watch& watch_;
  std::vector<StreamPart> parts_;
};

void check_place(const Snapshot& snapshot, StreamPlace place) {
  require_parts(snapshot);
  const Index tokens = std::ssize(snapshot.query_tokens(place.first).tokens);
  if (place.position < 0 || place.position >= tokens) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "position",
                 .problem = "the text has no such position",
                 .found = std::to_string(place.position),
                 .expected = fmt::format("0 to {}", tokens - 1)});
  }
}

}  // namespace

const PartKindRow& row_of(PartKind kind) {
  static_assert(has_row_of_each(kPartKindRows, &PartKindRow::kind));
  return kPartKindRows[static_cast<std::size_t>(kind)];
}

std::string part_label(const Snapshot& snapshot, PartId id) {
  const std::string label(row_of(id.kind).label);
  if (id.layer < 0) return label;
  const LayerPlace place = snapshot.model->config.place(id.layer);
  if (place.stack != Stack::only) {
    const std::string layer = snapshot.layer_name(id.layer);
    return id.head < 0 ? fmt::format("{} of {}", label, layer) : fmt::format("{} {} of {}", label, id.head, layer);
  }
  return id.head < 0 ? fmt::format("{} {}", label, id.layer) : fmt::format("{} {}.{}", label, id.layer, id.head);
}

StreamPlace place_below(const ModelConfig& config, int layer, Index position) {
  const Stack stack = config.place(layer).stack;
  const bool is_decoder = stack == Stack::decoder || stack == Stack::cross;
  return {is_decoder ? config.stacks.encoder_layers : 0, layer, position};
}

StreamPlace place_at_end(const ModelConfig& config, Index position) {
  return {config.stacks.encoder_layers, config.layers, position};
}

std::vector<StreamPart> split_stream(const Snapshot& snapshot, StreamPlace place, const Doubles& readout, ThreadPool& pool,
                                     const Watch& watch) {
  check_place(snapshot, place);
  return Descent(snapshot, place, readout, pool, watch).parts();
}

Doubles readout_of_attention(const Snapshot& snapshot, StreamPlace place, int layer, const Doubles& readout, ThreadPool& pool,
                             const Watch& watch) {
  check_place(snapshot, place);
  return Descent(snapshot, place, readout, pool, watch).attention_readout(layer);
}

RowVector stream_at(const Snapshot& snapshot, StreamPlace place) {
  const bool is_read = reads_layer(snapshot, place, place.end);  // the same numbers, unless an edit put in others
  const SharedRows& rows = is_read ? snapshot.trace.layer(place.end).resid_pre : snapshot.trace.layer(place.end - 1).resid_post;
  return rows.middle_rows(place.position, 1).row(0);
}

std::string why_no_parts(const Snapshot& snapshot) {
  if (snapshot.is_dump()) return "Maps from a file come without the model's parameters, so nothing can be traced back to its parts.";
  if (snapshot.query.mask_reach == MaskReach::this_head && !snapshot.query.mask.rules.empty()) {
    return "The mask is edited on its map only, so the model goes on with other numbers than the maps show. Let the mask act on later "
           "layers too.";
  }
  return {};
}

void require_parts(const Snapshot& snapshot) {
  const std::string why = why_no_parts(snapshot);
  if (!why.empty()) throw Error({.kind = ErrorKind::usage, .field = "parts", .problem = why.substr(0, why.size() - 1)});
}

void add_part(std::vector<StreamPart>& parts, PartId id, const DoubleRow& value) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const StreamPart& part) { return part.id == id; });
  if (found == parts.end()) {
    parts.push_back({id, value});
  } else {
    found->value += value;
  }
}

DoubleRow sum_of(const std::vector<StreamPart>& parts, Index width) {
  DoubleRow sum = DoubleRow::Zero(width);
  for (const StreamPart& part : parts) sum += part.value;
  return sum;
}

}  // namespace headlight
