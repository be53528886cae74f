// The weights of several heads, held together so that the lines between their tokens can be chosen and any row or column looked at.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// Most memory that the weights of one LinkMaps may take: heads beyond it are left out, and said to be.
inline constexpr std::size_t kLinkBytes = std::size_t{256} << 20U;

/// The weights of one head.
struct LinkedHead {
  HeadId head;
  std::shared_ptr<const LayerTrace> layer;  ///< that they were made from
  std::shared_ptr<const Matrix> weights;    ///< [queries, keys]; 0 where a key is left out
  std::vector<double> received;             ///< by each key, from all queries together; what is not a number counts as 0
  double hidden_mass = 0;                   ///< of the keys that are left out, as LeftOut::mean_mass
};

/// Immutable. All heads have the same queries and the same keys, by their tokens.
struct LinkMaps {
  std::vector<LinkedHead> heads;  ///< in the order in which they were asked for
  std::size_t left_out = 0;       ///< heads for which there was no memory
  Index queries = 0, keys = 0;
  // What the style leaves out of all of them.
  KeySet hidden;
  Hiding hiding = Hiding::raw;
  /// "derived: first token hidden, renormalised · 62 % of the weight hidden, mean of the heads"; empty: nothing is left out.
  std::string derived_text() const;

  float weight(std::size_t head, Index query, Index key) const { return (*heads[head].weights)(query, key); }
  /// The mean over the heads of what a query gives to each key [keys], or of what a key gets from each query [queries].
  std::vector<float> mean_of_query(Index query) const;
  std::vector<float> mean_of_key(Index key) const;
  /// The mean over heads and queries of what each key gets [keys].
  std::vector<float> mean_received() const;
};

/// Whether the maps of two layers have the same texts along both axes, so that their lines can be drawn between the same tokens.
bool has_same_texts(const Snapshot& snapshot, int layer, int other);
/// Those of `heads` that the snapshot has and whose maps have the texts of `layer`.
std::vector<HeadId> heads_between_texts_of(const Snapshot& snapshot, int layer, std::span<const HeadId> heads);

/// `heads`: all with the texts of the first one. What `before` holds of the same layers is shared, not made again. Of the style only what it
/// leaves out counts. Throws Cancelled.
LinkMaps make_link_maps(const Snapshot& snapshot, std::span<const HeadId> heads, const Style& style, const LinkMaps* before,
                        Progress& progress);

}  // namespace headlight
