// A model, its texts and its edits, to be looked at beside others. Each subject has a snapshot of its own.
#pragma once

#include "app/document/drawn_map.h"
#include "engine/forward/query.h"

namespace headlight {

struct Subject {
  int id = 1;  ///< from 1; differs from all others of its document
  Query query;
  DrawnMap drawn_map = {};  ///< painted on one of its maps
  bool is_frozen = false;   ///< never edited: kept as it was for comparing
  bool operator==(const Subject&) const = default;
};

/// A head of a subject: live where the subject is live, frozen where it is frozen.
struct Pin {
  HeadId head;
  int subject = 1;  ///< its id
  bool operator==(const Pin&) const = default;
};

}  // namespace headlight
