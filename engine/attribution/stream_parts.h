// What the residual stream at one token is the sum of: the token's own vector, its position, every head, every feed-forward part, and biases.
// Anything linear that reads the stream has a share from each, and the shares add up to what is read.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attribution/held_norm.h"
#include "engine/core/parallel.h"
#include "engine/snapshot.h"

namespace headlight {

enum class PartKind : std::uint8_t {
  token,
  sentence_type,
  position,
  embedding_bias,
  head,
  output_bias,
  feed_forward,
  norm_bias,
  projection_bias,
  logit_bias,
  patched_stream,
};
struct PartKindRow {
  PartKind kind;
  std::string_view name;   ///< in files
  std::string_view label;  ///< on screen, before layer or head
  const char* help;
};
inline constexpr std::array kPartKindRows{
    PartKindRow{PartKind::token, "token", "token", "The token's own vector from the embedding table."},
    PartKindRow{PartKind::sentence_type, "sentence-type", "sentence", "The vector of the token's sentence, first or second."},
    PartKindRow{PartKind::position, "position", "position",
                "The vector of the token's position. Models that turn q and k by position (rotary) have none in the stream."},
    PartKindRow{PartKind::embedding_bias, "embedding-bias", "embedding bias", "Biases of the embedding's own norm and projection."},
    PartKindRow{PartKind::head, "head", "head", "z·W_O: what one head adds at this token, whichever tokens it read."},
    PartKindRow{PartKind::output_bias, "output-bias", "b_O", "The bias of a layer's output projection, which no head owns."},
    PartKindRow{PartKind::feed_forward, "feed-forward", "feed-forward", "What a layer's feed-forward part adds, its bias included."},
    PartKindRow{PartKind::norm_bias, "norm-bias", "norm bias", "Biases of norms on the way; without a layer, of the last norm."},
    PartKindRow{PartKind::projection_bias, "projection-bias", "bias of the projection", "b_Q of the query's side, b_K of the key's."},
    PartKindRow{PartKind::logit_bias, "logit-bias", "logit bias", "Biases between the last norm and the logits."},
    PartKindRow{PartKind::patched_stream, "patched-stream", "patched stream below layer",
                "The stream that an edit took from another text: one part, whatever that text's layers made it of."},
};
const PartKindRow& row_of(PartKind kind);

/// Which part. layer: −1 for parts of no layer; head: −1 for parts of no head.
struct PartId {
  PartKind kind = PartKind::token;
  int layer = -1, head = -1;
  auto operator<=>(const PartId&) const = default;
};
/// "head 2.0", "feed-forward 2", in encoder–decoder models "head 3 of cross 0".
std::string part_label(const Snapshot& snapshot, PartId id);

/// What is read from one part: a number for each column of the readout.
struct StreamPart {
  PartId id;
  DoubleRow value;
};

/// Where the stream is read: below layer `end`, whose stack's layers from `first` on wrote it; of the text that these layers read.
struct StreamPlace {
  int first = 0, end = 0;
  Index position = 0;
};
/// The stream that a layer's queries are made of.
StreamPlace place_below(const ModelConfig& config, int layer, Index position);
/// The stream after the last layer, of the decoder where there is one.
StreamPlace place_at_end(const ModelConfig& config, Index position);

/// Splits stream · readout. readout [d_model, m]. The parts are in the order of the computation; parts that the model does not have are left
/// out. Norms between (post-norm models, norms of branches) are held at their scale at this token. What switches leave out (BlockSwitches,
/// heads that are switched off) has no share. Where an edit put in the stream of another text, that is one part, and none comes before it. Up to rounding Σ value = stream · readout, unless the query put something else in the place
/// of the stream.
/// Throws Error (usage) for what why_no_parts names, or a position that the text does not have; Cancelled.
std::vector<StreamPart> split_stream(const Snapshot& snapshot, StreamPlace place, const Doubles& readout, ThreadPool& pool,
                                     const Watch& watch = {});
/// The same readout of what a layer's attention adds, z·W_O + b_O of layer `layer` of that stack: what each head's share is read with.
Doubles readout_of_attention(const Snapshot& snapshot, StreamPlace place, int layer, const Doubles& readout, ThreadPool& pool,
                             const Watch& watch = {});
/// The stream at that place [d_model].
RowVector stream_at(const Snapshot& snapshot, StreamPlace place);

/// Why a run cannot be split into parts, as a sentence for its place in the window: maps from a file, or a mask edited on its map alone.
/// Empty: it can.
std::string why_no_parts(const Snapshot& snapshot);
/// Throws Error (usage) with that sentence.
void require_parts(const Snapshot& snapshot);

/// Adds to the part of this name, or appends one.
void add_part(std::vector<StreamPart>& parts, PartId id, const DoubleRow& value);
/// The sum of all.
DoubleRow sum_of(const std::vector<StreamPart>& parts, Index width);

}  // namespace headlight
