#include "app/gui/panel/drawn_map_here.h"

#include "app/document/mask_edits.h"

namespace headlight {
namespace {

/// Whether the draft has a drawn map for the head being looked at.
bool is_drawn_here(const Panel& panel) {
  return panel.draft.drawn_map.head == panel.view.head && !panel.draft.drawn_map.strokes.empty();
}

}  // namespace

const DrawnCells& drawn_map_here(const Panel& panel) {
  DrawnCells& map = panel.caches.drawn_cells;
  if (!is_drawn_here(panel)) {
    map = {};
    return map;
  }
  const HeadId head = panel.view.head;
  const std::shared_ptr<const Mask>& mask = panel.snapshot->trace.layer(head.layer).rule(head.head).mask;
  if (map.made_from == panel.draft.drawn_map && map.mask == mask) return map;
  map.made_from = panel.draft.drawn_map;
  map.mask = mask;
  map.wanted = wanted_map(panel.draft.drawn_map, mask->queries(), mask->keys());
  map.masked_cells = drop_masked(map.wanted, *mask);
  map.frames = frames_of(map.wanted);
  map.cells = std::ssize(map.frames);
  return map;
}

bool can_be_drawn(const Panel& panel) {
  return panel.snapshot->model->config.place(panel.view.head.layer).stack != Stack::cross;
}

void draw_target(DrawnMap& drawn_map, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell) {
  if (drawn_map.head != head) drawn_map = {head, {}};
  const std::vector<CellBlock> before = drawn_map.strokes;
  MaskEdits edits{{{{}, {}, before}}};  // the brush paints into rules: lend it one
  stroke.scope = {};
  paint_stroke(edits, stroke, brush, !erases, cell);
  std::vector<CellBlock>& strokes = edits.rules.front().strokes;
  if (strokes != before) drawn_map.training_steps = 0;  // another drawing begins
  drawn_map.strokes = std::move(strokes);
}

}  // namespace headlight
