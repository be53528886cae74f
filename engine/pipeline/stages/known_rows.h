// Which rows of a layer are those of an earlier run. In a model that reads one way, a token changes nothing before it: what was typed at
// the end of a text leaves all rows above as they are, and a stroke on a mask those above it.
#pragma once

#include <memory>

#include "engine/pipeline/stages/memo.h"

namespace headlight {

/// A layer that is to be run.
struct WantedLayer {
  int number = 0;
  const LayerRequest& request;
  const SharedRows& resid_pre;
  const LayerMasks& masks;
  const std::shared_ptr<const Matrix>& memory;  ///< that cross-attention reads
};

/// How many rows from the top on have the same bits as in the earlier layer, whatever follows: their streams are equal, and so are the parts of
/// the masks that they see, which reach no further than that.
Index count_known_rows(const Model& model, const EarlierLayer& earlier, const WantedLayer& wanted);

}  // namespace headlight
