// The map that Flow shows in place of a head's: its own view, the inspector and the strip take it from here, so that they agree.
#pragma once

#include <memory>
#include <optional>

#include "app/gui/panel/panel.h"
#include "app/work/flow/flow_studies.h"

namespace headlight {

/// Several heads' maps as one, as it is shown.
struct JoinedMap {
  FlowRequest flow;  ///< whose maps, and how: of what is shown, which a new request may not have replaced yet
  std::shared_ptr<const FlowPicture> shown;
  bool is_current = false;  ///< of the shown picture: its tokens can be pointed at
  const Snapshot& run() const { return *shown->found->snapshot; }
  const FlowMap& map() const { return *shown->found->map; }
  int layer() const { return flow.heads.front().layer; }
  float value(Cell cell) const { return map().values(cell.query, cell.key); }
  bool allows(Cell cell) const { return !map().mask || map().mask->allows(cell.query, cell.key); }
  /// As the picture has it: hidden keys are left out, the rest may be renormalised; nullopt: nothing is drawn there.
  std::optional<float> shown_value(Cell cell) const;
};

/// Whether maps that are joined are what the shown view is about, made or not.
bool shows_joined_map(const Panel& panel);
/// How many bytes making it takes, where that is so much that the person is asked first; nullopt: no need to ask, or the answer was yes.
std::optional<double> unasked_flow_bytes(const Panel& panel);
/// What Flow shows; nullopt: another view is shown, the heads do not become one map, it takes much memory and nobody has agreed yet, or it
/// is being made. Asks for it: call it in any frame.
std::optional<JoinedMap> joined_map(const Panel& panel);

}  // namespace headlight
