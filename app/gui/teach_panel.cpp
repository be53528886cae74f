#include <fmt/core.h>

#include <cmath>

#include "app/gui/mask_edits.h"
#include "app/gui/panel.h"

namespace headlight {
namespace {

/// The wish as the draft has it, for the head that is looked at: another head's wish is let go when a new one is begun.
bool is_wish_here(const Panel& panel) {
  return panel.draft.wish.head == panel.view.head && !panel.draft.wish.strokes.empty();
}

void start_lesson(Panel& panel, int steps) {
  const Wish wish{panel.view.head, wish_here(panel).wanted};
  panel.context.session.worker().request_side(
      kLessonKey, [snapshot = panel.snapshot, wish, steps](Progress& progress) { return teach(snapshot, wish, steps, progress); });
}

/// A lesson that has ended since the last frame goes into the sandbox, unless the sandbox is another one by now.
void take_lesson(Panel& panel) {
  const auto taught = std::static_pointer_cast<const Taught>(panel.context.session.worker().side(kLessonKey));
  if (!taught || taught == panel.view.taught) return;
  panel.view.taught = taught;
  if (!taught->refusal.empty()) {
    panel.view.banner = as_sentence(taught->refusal);
  } else if (taught->snapshot->query.model == panel.draft.query.model) {
    apply_lesson(panel.draft.query.model.sandbox, taught->lesson);
  }
}

/// The sandbox and the sentence are those that the lesson left behind: nothing was changed since.
bool is_current(const Taught& taught, const Query& query) {
  const Query& before = taught.snapshot->query;
  SandboxSpec after = before.model.sandbox;
  apply_lesson(after, taught.lesson);
  return query.model.sandbox == after && query.text == before.text && query.text_pair == before.text_pair &&
         query.decoder_text == before.decoder_text;
}

void draw_loss(const Panel& panel) {
  const std::shared_ptr<const Taught>& taught = panel.view.taught;
  if (!taught || taught->lesson.losses.empty() || taught->head != panel.view.head) return;
  if (!is_current(*taught, panel.draft.query)) return;
  const std::vector<double>& losses = taught->lesson.losses;
  number_row(panel.look, fmt::format("Loss after {} steps", losses.size() - 1),
             fmt::format("{:.3f} → {:.3f}", losses.front(), losses.back()),
             "The mean over the wished rows of −Σ wanted · ln(weight): 0 when every wished row looks only where it should.");
}

/// Buttons at the right of a row, the last one outermost.
bool row_button(const Look& look, const Row& row, float& right, const char* name, bool is_enabled = true) {
  const float width = button_width(look, name), height = look.px(kControl);
  right -= width;
  const bool is_pressed = quiet_button(look, name, {right, std::round(row.middle() - height / 2)}, {width, height}, is_enabled);
  right -= look.px(kInside);
  return is_pressed;
}

void draw_buttons(Panel& panel, bool can_teach) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "Gradient",
                            "Moves the head's W_Q and W_K down the gradient of the loss. Each step that would raise it is shortened.");
  constexpr std::array kSteps{std::pair{"20 steps", 20}, std::pair{"1 step", 1}};
  float right = row.right;
  for (const auto& [name, steps] : kSteps) {
    if (row_button(look, row, right, name, can_teach)) start_lesson(panel, steps);
    hint(look, row.help);
  }
}

void draw_parameters_row(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  const Row row = begin_row(look, "Numbers", "Every number of the sandbox can be changed by hand: a cell, or a whole row.");
  float right = row.right;
  if (row_button(look, row, right, "Edit …")) panel.view.parameters.is_open = true;
  hint(look, row.help);
  if (spec.edits.empty()) return;
  if (row_button(look, row, right, "As drawn")) spec.edits.clear();
  hint(look, "Takes back every change by hand and by teaching.");
}

}  // namespace

const WishMap& wish_here(const Panel& panel) {
  WishMap& map = panel.view.wish_map;
  if (!is_wish_here(panel)) {
    map = {};
    return map;
  }
  const Mask& mask = panel.snapshot->trace.layers[static_cast<std::size_t>(panel.view.head.layer)]->mask(panel.view.head.head);
  const bool is_fresh = map.made_from == panel.draft.wish && map.wanted.rows() == mask.queries() && map.wanted.cols() == mask.keys();
  if (!is_fresh) {
    map.made_from = panel.draft.wish;
    map.wanted = wanted_map(panel.draft.wish, mask.queries(), mask.keys());
    map.cells = static_cast<Index>((map.wanted.array() > 0.0F).count());
  }
  return map;
}

void draw_teach_panel(Panel& panel) {
  if (!panel.is_sandbox() || !panel.has_picture() || panel.snapshot->query.model.name != "sandbox") return;
  take_lesson(panel);
  const Look& look = panel.look;
  if (!section(look, "Teach", panel.view.folded)) return;
  ViewState& view = panel.view;
  const Row row = begin_row(look, "Paint a wish", "The brush then paints, on the Head view, which keys each query should attend to.");
  if (on_off(look, row, "Paint a wish", view.paints_wish) && view.paints_wish) {
    view.view = View::head;
    if (view.brush == Brush::off) view.brush = Brush::cell;
  }
  const Index cells = wish_here(panel).cells;
  if (cells > 0) {
    const Row wished = begin_row(look, fmt::format("{} {} wished", cells, cells == 1 ? "cell" : "cells"));
    float right = wished.right;
    if (row_button(look, wished, right, "Clear wish")) panel.draft.wish = {};
  } else if (view.paints_wish) {
    paragraph(look, Type::caption, look.colours.text_second, "Paint the cells that should be bright. Rows without one are left alone.");
  }
  draw_buttons(panel, cells > 0);
  draw_loss(panel);
  draw_parameters_row(panel);
}

void paint_wish(PaintedWish& wish, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell) {
  if (wish.head != head) wish = {head, {}};
  MaskEdits edits{{{{}, {}, std::move(wish.strokes)}}};  // the brush knows rules: lend it one
  stroke.scope = {};
  paint_stroke(edits, stroke, brush, !erases, cell);
  wish.strokes = std::move(edits.rules.front().strokes);
}

}  // namespace headlight
