// What a window does with a session.
#pragma once

#include <functional>

#include "app/session/session.h"

namespace headlight::testing {

/// A copy of the document, an edit, apply.
inline void edit(Session& session, const std::function<void(Document&)>& change, bool is_gesture = false, bool is_typing = false) {
  Document draft = session.document();
  change(draft);
  session.apply(draft, is_gesture, is_typing);
}

}  // namespace headlight::testing
