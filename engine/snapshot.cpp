#include "engine/snapshot.h"

namespace headlight {

bool Snapshot::contains(HeadId head) const {
  return head.layer >= 0 && head.layer < layers() && head.head >= 0 && head.head < heads();
}

const HeadSummary& Snapshot::summary(HeadId head) const {
  return summaries.at(static_cast<std::size_t>(head.layer))->at(static_cast<std::size_t>(head.head));
}

HeadMaps Snapshot::maps(HeadId head) const {
  return rebuild_head(*trace.layers.at(static_cast<std::size_t>(head.layer)), head.head);
}

TokenLabel Snapshot::label(Index token) const {
  return model->tokenizer->label(encoding->tokens.at(static_cast<std::size_t>(token)));
}

}  // namespace headlight
