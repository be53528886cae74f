#include "app/gui/state/pointed.h"

namespace headlight {

Side query_side(const Snapshot& snapshot, int layer) {
  return &snapshot.query_tokens(layer) == snapshot.decoder_encoding.get() ? Side::decoder : Side::text;
}

Side key_side(const Snapshot& snapshot, int layer) {
  return &snapshot.key_tokens(layer) == snapshot.decoder_encoding.get() ? Side::decoder : Side::text;
}

}  // namespace headlight
