// The kinds of models that can be loaded: one row per model_type of config.json. Adding a family is adding a row, its config reader and
// its table of tensors; nothing else asks which family a model is of.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/model/model.h"

namespace headlight {

/// Another spelling of a key, read where the family's own is absent: `attribute_map` of the published configuration classes.
struct KeySpelling {
  std::string_view own, other;
};

/// config.json's keys for what all models have; empty: the family has no such key.
struct ConfigKeys {
  std::string_view layers = "num_hidden_layers";
  std::string_view d_model = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view kv_heads = {};
  std::string_view d_head = {};
  std::string_view d_ff = "intermediate_size";
  std::string_view positions = "max_position_embeddings";
  std::string_view epsilon = "layer_norm_eps";
  double usual_epsilon = 1e-5;  ///< where the config has none
  std::string_view activation = "hidden_act";
  std::span<const KeySpelling> others = {};
};

/// Parts that some models of a family have and others do not.
enum class Part : std::uint8_t {
  always,
  if_stored,             ///< used where the file has it, computed where not
  logits,                ///< a language-model head, whatever it is made of
  own_logits,            ///< one whose table is not the embedding table
  logits_if_stored,      ///< of a language-model head, in some files
  own_tables_if_stored,  ///< tables of encoder and decoder beside the one that they share, in some files
  qkv_bias,
  o_bias,
  ff_bias,
  gate,
  no_gate,
  norms,  ///< norms with numbers of their own
  final_norm,
  second_norm,
  query_key_norm,
  projection,    ///< between an embedding narrower than the stream and the stream
  shared_table,  ///< one embedding table for encoder and decoder
  own_tables,
};

/// config.json in our terms.
struct FileConfig {
  ModelConfig sizes;
  ConfigKeys keys;  ///< as this file spells them
  std::set<Part> parts = {Part::always, Part::if_stored};
  bool is_tied = true;         ///< logits are made with the embedding table, by config.json
  bool may_lack_head = false;  ///< as if tied where the file has no output head, whatever config.json says (T5)
  int d_embedding = 0;         ///< width of the embedding table; 0: d_model
  int types = 0;               ///< sentence types
  int position_offset = 0;     ///< rows of the table of positions before the first token's
  int decoder_d_ff = 0;        ///< 0: d_ff
  int decoder_vocabulary = 0;
  Weights::Layout conv1d = Weights::Layout::in_out;  ///< how weights of Conv1D layers are stored: GGUF has GPT-2's as [out, in]
  int groups = 0;                                    ///< layers share this many sets of parameters (ALBERT); 0: each has its own
  std::vector<std::string> notices;

  bool has(Part part) const { return parts.contains(part); }
  void set(Part part, bool is_there) { is_there ? (void)parts.insert(part) : (void)parts.erase(part); }
};

/// An axis of a stored tensor.
enum class Axis : std::uint8_t {
  none,
  one,
  d_model,
  d_embedding,
  q_width,    ///< heads · d_head
  kv_width,   ///< kv_heads · d_head
  qkv_width,  ///< q, k and v together
  d_head,
  heads,
  d_ff,
  gate_up_width,  ///< 2 · d_ff
  decoder_d_ff,
  vocabulary,
  decoder_vocabulary,
  types,
  positions,
  buckets,
};
/// Its length, and where that comes from: "hidden_size 768".
std::int64_t length_of(const FileConfig& file, Axis axis);
std::string origin_of(const FileConfig& file, Axis axis);

/// Which copy of a row a tensor is.
struct Spot {
  std::size_t layer = 0;
  int head = 0;
};

/// One stored tensor, or one for every layer of its stack: "{}" in the name is the layer's number, "{head}" the head's. Vectors come as
/// one row.
struct TensorRow {
  std::string_view name;
  std::array<Axis, 2> shape;
  void (*store)(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file);
  Part part = Part::always;
  Stack stack = Stack::only;
  std::string_view copy_of = {};  ///< if equal to this tensor it is a copy, as models without ties save it; else it counts itself
};

struct FamilyRow {
  std::string_view model_type;  ///< as config.json has it
  std::string_view label;       ///< as people call it
  FileConfig (*read_config)(const JsonFields& fields);
  std::span<const std::string_view> prefixes;  ///< that names may have
  std::span<const TensorRow> tensors;
  std::span<const std::string_view>
      ignored;                 ///< stored by some versions, with nothing trained in it: mask buffers; '*' at the end stands for
                               ///< anything. Other heads are not listed here: a note names their unused tensors
  std::string_view head = {};  ///< a tensor that only a language-model head has; empty: the architectures in config.json tell
};

std::span<const FamilyRow> families();

/// The row for "model_type" of config.json. Throws Error (input) naming the type and the supported ones.
const FamilyRow& find_family(const JsonFields& config);

/// config.json as the row reads it. Throws Error (input) naming file and field.
FileConfig read_family_config(const FamilyRow& family, const JsonFields& fields);

/// Whether `name` is `pattern` with a number in the place of each "{}".
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace headlight
