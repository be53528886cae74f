#include "app/gui/panel/wish_here.h"

#include "app/document/mask_edits.h"

namespace headlight {
namespace {

/// Whether the draft has a wish for the head being looked at.
bool is_wish_here(const Panel& panel) {
  return panel.draft.wish.head == panel.view.head && !panel.draft.wish.strokes.empty();
}

}  // namespace

const WishMap& wish_here(const Panel& panel) {
  WishMap& map = panel.caches.wish_map;
  if (!is_wish_here(panel)) {
    map = {};
    return map;
  }
  const HeadId head = panel.view.head;
  const std::shared_ptr<const Mask>& mask = panel.snapshot->trace.layer(head.layer).rule(head.head).mask;
  if (map.made_from == panel.draft.wish && map.mask == mask) return map;
  map.made_from = panel.draft.wish;
  map.mask = mask;
  map.wanted = wanted_map(panel.draft.wish, mask->queries(), mask->keys());
  map.masked_cells = drop_masked(map.wanted, *mask);
  map.frames = frames_of(map.wanted);
  map.cells = std::ssize(map.frames);
  return map;
}

bool can_be_wished(const Panel& panel) {
  return panel.snapshot->model->config.place(panel.view.head.layer).stack != Stack::cross;
}

void paint_wish(PaintedWish& wish, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell) {
  if (wish.head != head) wish = {head, {}};
  const std::vector<CellBlock> before = wish.strokes;
  MaskEdits edits{{{{}, {}, before}}};  // the brush paints into rules: lend it one
  stroke.scope = {};
  paint_stroke(edits, stroke, brush, !erases, cell);
  std::vector<CellBlock>& strokes = edits.rules.front().strokes;
  if (strokes != before) wish.taught_steps = 0;  // another wish begins
  wish.strokes = std::move(strokes);
}

}  // namespace headlight
