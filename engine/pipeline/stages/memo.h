// The finished stages of queries, so that a run computes only what no run before it did.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/dumps/attention_dump.h"
#include "engine/forward/forward.h"
#include "engine/pipeline/stages/tokens.h"
#include "engine/snapshot.h"

namespace headlight {

/// What decides the tokens besides the model.
struct TokenKey {
  std::string text;
  std::optional<std::string> text_pair, decoder_text;
  std::vector<std::int64_t> ids;
  bool reads_special_text = true;
  bool operator==(const TokenKey&) const = default;
};

/// The tokens of a query, and what the layers see of them.
struct TokenStage {
  TokenKey key;
  std::shared_ptr<const Encoding> encoding, decoder_encoding;
  TokenNumbers numbers;
  std::optional<TokenNumbers> decoder_numbers;
  bool is_cut = false;  ///< there were more tokens than the model has positions
};

/// One finished layer and what it was made from, besides the layer below.
struct LayerStage {
  LayerRequest request;
  std::shared_ptr<const LayerTrace> trace;
  std::shared_ptr<const std::vector<HeadSummary>> summaries;
};

/// A layer that is no longer that of the query, and what was made of it.
struct EarlierLayer {
  LayerStage stage;
  std::shared_ptr<const Matrix> memory;    ///< that cross-attention read
  std::optional<SharedRows> final_hidden;  ///< of the last layer
};

/// The stages of one query, in order; each is kept as long as its own inputs and all stages before it are unchanged. No stage is ever
/// changed once it is there: a copy of a memo shares them all.
struct Memo {
  Query query;  ///< the one that it was last used for

  std::optional<ModelChoice> choice;
  std::shared_ptr<const Model> model;
  std::optional<TokenStage> tokens;

  std::optional<TokenNumbers> numbers, decoder_numbers;  ///< what `embedded` and `decoder_embedded` were made from
  SharedRows embedded, decoder_embedded;                 ///< of a text and, in encoder–decoder models, of the decoder's
  std::vector<LayerStage> layers;
  std::shared_ptr<const Matrix> memory;    ///< the encoder's output, once its last layer is there
  std::optional<SharedRows> final_hidden;  ///< of the last layer

  /// Layers of an earlier text or with earlier edits, whose first rows a layer of this one may share (known_rows.h). Empty once all layers
  /// are there.
  std::vector<std::optional<EarlierLayer>> earlier;

  std::string dump_name;  ///< of the file that `dump_file` was read from, and the item that was asked for
  std::optional<int> dump_item;
  std::shared_ptr<const AttentionDump> dump_file;
  std::shared_ptr<const Snapshot> dump;  ///< its maps under the mask edits of the last query

  /// Moves the layers from `first` on, and what was made of them, to the earlier ones.
  void drop_layers(std::size_t first);
  /// Forgets all layers.
  void forget_layers();
  /// How many of its layers are those that tokens and requests ask for. The model is taken to be the same.
  std::size_t shared_layers(const TokenStage& wanted, const std::vector<LayerRequest>& requests) const;
};

/// The memos of the queries that are to be kept, and of the last one that was run.
class Memos {
 public:
  /// From now on each of these queries has a memo once it was run. Others are dropped as soon as they cannot help any of these.
  void keep(std::span<const Query> queries);

  std::shared_ptr<const Model> find_model(const ModelChoice& choice) const;
  const TokenStage* find_tokens(const Model& model, const TokenKey& key) const;
  /// The file of maps that a query names, as read before.
  const Memo* find_dump(const Query& query) const;

  /// Where a query's run begins.
  struct Start {
    const Memo* best = nullptr;  ///< the memo that shares most with the query; null: none has its model
    std::size_t layers = 0;      ///< finished layers of it that the query asks for
  };
  Start find_start(const Query& query, const std::shared_ptr<const Model>& model, const TokenStage& tokens,
                   const std::vector<LayerRequest>& requests) const;
  /// Bytes that all other kept queries hold and that a run of `query` from `start` on does not share.
  std::size_t bytes_beside(const Query& query, const Start& start) const;

  /// The memo of a query, with all stages of `start`: a kept one of its own, or that of a query that is not kept, or a new one.
  Memo& begin(const Query& query, const Start& start);
  /// The same without stages to begin with: what the memo holds stays as it is.
  Memo& begin(const Query& query);
  /// Drops all memos except those of `query` and of the queries that are kept.
  void end(const Query& query);
  void forget_measures();
  /// Drops everything; which queries are kept stays.
  void clear() { memos_.clear(); }

 private:
  bool is_kept(const Query& query) const;
  std::list<Memo> memos_;  // a memo stays where it is while others come and go
  std::vector<Query> kept_;
};

/// Whether both choose the same model. For a model from a folder the sandbox's sizes do not matter.
bool is_same_model(const ModelChoice& a, const ModelChoice& b);
std::size_t bytes_of(const std::vector<HeadSummary>& summaries);

}  // namespace headlight
