#include "app/session/wish.h"

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {

Matrix wanted_map(const PaintedWish& wish, Index queries, Index keys) {
  Matrix wanted = Matrix::Zero(queries, keys);
  for (const CellBlock& block : wish.strokes) {
    const Index top = std::max(block.query_begin, 0), bottom = std::min<Index>(block.query_end, queries);
    const Index left = std::max(block.key_begin, 0), right = std::min<Index>(block.key_end, keys);
    if (top < bottom && left < right) wanted.block(top, left, bottom - top, right - left).setConstant(block.is_allowed ? 1.0F : 0.0F);
  }
  return wanted;
}

std::shared_ptr<const Taught> teach(const std::shared_ptr<const Snapshot>& snapshot, const Wish& wish, int steps, Progress& progress) {
  auto taught = std::make_shared<Taught>();
  taught->snapshot = snapshot;
  taught->head = wish.head;
  try {
    const LayerTrace& layer = *snapshot->trace.layers.at(static_cast<std::size_t>(wish.head.layer));
    taught->lesson = teach_head(*snapshot->model, layer, wish, steps, progress);
  } catch (const Error& error) {
    taught->refusal = error.message();
  }
  return taught;
}

void apply_parameters(SandboxSpec& spec, const ParameterEdit& edit) {
  const auto covers = [&](const ParameterEdit& old) {
    return old.tensor == edit.tensor && old.row >= edit.row && old.column >= edit.column && old.row + old.rows <= edit.row + edit.rows &&
           old.column + old.columns <= edit.column + edit.columns;
  };
  std::erase_if(spec.edits, covers);
  spec.edits.push_back(edit);
}

void apply_lesson(SandboxSpec& spec, const Lesson& lesson) {
  apply_parameters(spec, lesson.q);
  apply_parameters(spec, lesson.k);
}

}  // namespace headlight
