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

namespace {

/// Strokes with one more, which is still being drawn.
std::vector<CellBlock> painted(const std::vector<CellBlock>& before, Stroke& stroke, Brush brush, bool erases, Cell cell) {
  MaskEdits edits{{{{}, {}, before}}};  // the brush paints into rules: lend it one
  stroke.scope = {};
  paint_stroke(edits, stroke, brush, !erases, cell);
  return std::move(edits.rules.front().strokes);
}

}  // namespace

void draw_target(DrawnMap& drawn_map, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell) {
  if (drawn_map.head != head) drawn_map = {head, {}};
  const std::vector<CellBlock> before = drawn_map.strokes;
  std::vector<CellBlock> strokes = painted(before, stroke, brush, erases, cell);
  if (strokes != before) drawn_map.training_steps = 0;  // another drawing begins
  drawn_map.strokes = std::move(strokes);
}

const AskedCells& asked_here(const Panel& panel) {
  AskedCells& asked = panel.caches.asked_cells;
  const HeadQuestion& question = panel.view.finding.question;
  const HeadId head = panel.view.head;
  if (question.is_nothing()) {
    asked = {};
    return asked;
  }
  const std::shared_ptr<const Mask>& mask = panel.snapshot->trace.layer(head.layer).rule(head.head).mask;
  if (asked.made_from == question && asked.snapshot == panel.snapshot && asked.mask == mask && asked.layer == head.layer) return asked;
  asked = {question, panel.snapshot, mask, head.layer, {}, 0};
  const std::optional<Mask> targets = targets_of(question, tokens_of(*panel.snapshot, head.layer));
  if (!targets) return asked;
  Matrix cells = Matrix::Zero(targets->queries(), targets->keys());
  for (Index query = 0; query < cells.rows(); ++query) {
    for (Index key = 0; key < cells.cols(); ++key) cells(query, key) = targets->allows(query, key) ? 1.0F : 0.0F;
  }
  const bool is_drawn = question.kind == HeadQuestion::Kind::cells;
  if (!is_drawn) drop_masked(cells, *mask);  // what a person painted stays in sight
  asked.cells = static_cast<Index>(cells.sum());
  asked.frames = frames_of(cells);
  for (MapFrame& frame : asked.frames) frame.kind = FrameKind::asked;
  return asked;
}

void begin_asked_stroke(Panel& panel, Cell cell) {
  FindingPage& page = panel.view.finding;
  const MapTokens tokens = tokens_of(*panel.snapshot, panel.view.head.layer);
  const std::optional<Mask> drawn = targets_of(page.question, tokens);
  if (page.question.kind != HeadQuestion::Kind::cells || !drawn) page.question = {};
  page.is_erasing = page.drawing == FindingPage::Drawing::cells && drawn && drawn->allows(cell.query, cell.key);
  page.query.reset();
  panel.view.painting.stroke = Stroke{{}, page.question.cells.size(), cell, cell};
}

void draw_asked_stroke(Panel& panel, Cell cell) {
  FindingPage& page = panel.view.finding;
  std::vector<CellBlock> cells =
      painted(page.question.cells, *panel.view.painting.stroke, panel.view.painting.brush, page.is_erasing, cell);
  page.question = question_of_cells(std::move(cells), tokens_of(*panel.snapshot, panel.view.head.layer));
  if (asked_here(panel).cells == 0) page.question = {};
}

}  // namespace headlight
