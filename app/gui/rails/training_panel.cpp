#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/mask_edits.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/panel/drawn_map_here.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

void start_fit(Panel& panel, int steps) {
  panel.context.session.head_fits().start({panel.snapshot, {panel.view.head, drawn_map_here(panel).wanted}, steps});
}

/// The losses as a line from the first to the last, 0 at the bottom.
void draw_curve(const Look& look, const std::vector<double>& losses) {
  const Row row = begin_row(look, "", nullptr, 48);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float top = row.top + look.px(kInside), bottom = row.top + row.height - look.px(kInside);
  canvas.AddRectFilled({row.left, bottom}, {row.right, bottom + 1}, to_imgui(look.colours.line));
  const double highest = std::max(1e-9, *std::max_element(losses.begin(), losses.end()));
  std::vector<ImVec2> points;
  for (std::size_t step = 0; step < losses.size(); ++step) {
    const float across = static_cast<float>(step) / static_cast<float>(losses.size() - 1);
    const auto up = static_cast<float>(losses[step] / highest);
    points.emplace_back(row.left + across * (row.right - row.left), bottom - up * (bottom - top));
  }
  canvas.AddPolyline(points.data(), static_cast<int>(points.size()), to_imgui(look.colours.accent), 0, look.px(2));
  name_area("Loss curve", {row.left, row.top, row.right - row.left, row.height});
}

/// The loss that training for this drawn map reached, as long as the sandbox still has the trained weights.
void draw_loss(const Panel& panel) {
  const Look& look = panel.look;
  const LossCurve& curve = panel.view.drawn_map.loss_curve;
  const Matrix& wanted = drawn_map_here(panel).wanted;
  if (!curve.last || curve.last->head != panel.view.head) return;
  const Matrix& trained = curve.last->wanted;
  if (trained.rows() != wanted.rows() || trained.cols() != wanted.cols() || trained != wanted) return;
  if (!curve.last->refusal.empty()) {
    if (curve.last->snapshot->query == panel.draft.query) {
      paragraph(look, Type::caption, look.colours.bad, as_sentence(curve.last->refusal));
      name_area("Training refused", {0, 0, 1, 1});
    }
    return;
  }
  if (curve.losses.empty() || !is_where_fit_led(*curve.last, panel.draft.query)) return;
  const std::size_t steps = curve.losses.size() - 1;
  number_row(look, fmt::format("Loss, {} step{}", steps, steps == 1 ? "" : "s"),
             fmt::format("{:.3f} → {:.3f}", curve.losses.front(), curve.losses.back()),
             "Mean over the drawn rows of −Σ target · ln(weight): 0 when every drawn row looks only where it should.");
  if (steps > 0) draw_curve(look, curve.losses);
  if (curve.last->fit.losses.size() == 1) text_line(look, Type::caption, look.colours.text_second, "No step lowers the loss any further.");
}

/// Buttons at the right of a row, the last one outermost.
bool row_button(const Look& look, const Row& row, float& right, const char* name, bool is_enabled = true) {
  const float width = button_width(look, name), height = look.px(kControl);
  right -= width;
  const bool is_pressed = quiet_button(look, name, {right, std::round(row.middle() - height / 2)}, {width, height}, is_enabled);
  right -= look.px(kInside);
  return is_pressed;
}

void draw_buttons(Panel& panel, bool can_train) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "Train",
                            "Moves the head's W_Q and W_K down the gradient of the loss. A step that would raise the loss is shortened.");
  constexpr std::array kSteps{std::pair{"20 steps", 20}, std::pair{"1 step", 1}};
  float right = row.right;
  for (const auto& [name, steps] : kSteps) {
    if (row_button(look, row, right, name, can_train)) start_fit(panel, steps);
    hint(look, row.help);
  }
}

void draw_parameters_row(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  const Row row = begin_row(look, "Numbers", "Matrices, biases and norms of the sandbox can be changed by hand: a cell, or a whole row.");
  float right = row.right;
  if (row_button(look, row, right, "Edit …")) panel.view.dialogs.parameters = true;
  hint(look, row.help);
  if (spec.edits.empty()) return;
  if (row_button(look, row, right, "Reset weights")) {
    spec.edits.clear();
    panel.draft.drawn_map.training_steps = 0;
  }
  hint(look, "Undo every change made by hand or by training.");
}

void draw_target_rows(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const Row row =
      begin_row(look, "Draw the map you want", "The brush then paints, on the Head view, which keys each query should attend to.");
  if (on_off(look, row, "Draw the map you want", view.drawn_map.is_painted) && view.drawn_map.is_painted) {
    view.view = View::head;
    if (view.painting.brush == Brush::off) view.painting.brush = Brush::cell;
  }
  const DrawnCells& drawn_map = drawn_map_here(panel);
  if (drawn_map.cells > 0) {
    const Row drawn = begin_row(look, fmt::format("{} {} drawn", drawn_map.cells, drawn_map.cells == 1 ? "cell" : "cells"));
    float right = drawn.right;
    if (row_button(look, drawn, right, "Clear drawing")) panel.draft.drawn_map = {};
  } else if (view.drawn_map.is_painted) {
    paragraph(look, Type::caption, look.colours.text_second, "Paint the cells that should be bright. Rows without one are not trained.");
  }
  if (!view.drawn_map.has_tried_masked && drawn_map.masked_cells == 0) return;
  paragraph(look, Type::caption, look.colours.query, "A masked cell cannot be drawn: its weight is 0 whatever W_Q and W_K are.");
  name_area("Masked drawing", {0, 0, 1, 1});
}

}  // namespace

void take_training(Panel& panel) {
  if (!is_sandbox_shown(panel)) return;
  std::shared_ptr<const TrainedHead> trained = panel.context.session.head_fits().last();
  LossCurve& curve = panel.view.drawn_map.loss_curve;
  if (!trained || trained == curve.last) return;
  const bool is_for_this = trained->refusal.empty() && trained->snapshot->query.model == panel.draft.query.model;
  if (is_for_this && trained->fit.losses.size() > 1) {
    apply_fit(panel.draft.query.model.sandbox, trained->fit);
    panel.draft.drawn_map.training_steps += static_cast<int>(trained->fit.losses.size()) - 1;
  }
  curve.add(std::move(trained));
}

bool is_sandbox_shown(const Panel& panel) {
  return panel.is_sandbox() && panel.has_picture() && panel.snapshot->query.model.name == "sandbox";
}

void draw_training_panel(Panel& panel) {
  const Look& look = panel.look;
  const bool is_possible = can_be_drawn(panel);
  if (!is_possible) panel.view.drawn_map.is_painted = false;
  if (!section(look, "Train a head", panel.view.rails.folded)) return;
  if (is_possible) {
    draw_target_rows(panel);
    const bool has_drawn_map = drawn_map_here(panel).cells > 0;
    draw_buttons(panel, has_drawn_map);
    if (has_drawn_map) draw_loss(panel);
  } else {
    paragraph(look, Type::caption, look.colours.text_second, "Cross-attention cannot be trained here: choose a self-attention head.");
  }
  draw_parameters_row(panel);
}

}  // namespace headlight
