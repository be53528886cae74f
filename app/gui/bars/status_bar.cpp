#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/document/amounts.h"
#include "app/document/mask_edits.h"
#include "app/gui/bars/bars.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/panel/panel.h"
#include "engine/core/error.h"
#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

constexpr double kPatience = 0.5;   // seconds after which a job shows how far it is
constexpr double kWorthSaying = 2;  // seconds that are left
constexpr float kLeastUndo = 80;    // points: of less an undo says nothing

std::string mask_text(const Panel& panel) {
  const Scope head{Scope::Kind::head, panel.view.head};
  const Stack stack = stack_of(panel, panel.view.head.layer);
  const MaskEdits& edits = panel.draft.query.mask;
  std::string text = printable(text_in_force(edits, head, own_mask_of(panel, panel.view.head.layer), stack), 60);
  for (const MaskRule& rule : edits.rules) {
    if (rule.strokes.empty() || !rule.scope.contains(panel.view.head, stack)) continue;
    return text + " + brush";
  }
  return text;
}

std::string scale_text(const Style& style) {
  std::string text = style.scale == ScaleKind::gamma ? fmt::format("γ {:.2g}", style.gamma) : std::string(name_of(style.scale));
  if (ranks_cells(style)) {
    if (style.scale == ScaleKind::percentile) text += fmt::format(" {:g}", style.percentile);
    return text + (style.among == Among::head ? " in each map" : style.among == Among::layer ? " in each layer" : " among all heads");
  }
  switch (style.range) {
    case RangeKind::unit:
      return text + ", range 0…1";
    case RangeKind::head:
      return text + ", range of this head";
    case RangeKind::layer:
      return text + ", range of this layer";
    case RangeKind::fixed:
      return text + fmt::format(", range 0…{:.2g}", style.fixed_high);
  }
  return text;
}

/// Work that takes long enough to show its progress.
struct LongWork {
  double done = 0;  // 0…1
  std::string step;
};

/// In scripts without the time that is left: their pixels are the same every time.
std::optional<LongWork> long_work(const WorkerStatus& status, bool is_scripted) {
  const auto with_time = [&](LongWork work, std::optional<double> left) {
    if (!is_scripted && left.value_or(0) >= kWorthSaying) work.step += ", " + time_left_text(*left);
    return work;
  };
  if ((status.is_busy || status.is_busy_beside) && status.seconds > kPatience)
    return with_time({status.done, status.step}, seconds_left(status.seconds, status.done));
  if (!status.study || status.study->seconds <= kPatience) return std::nullopt;
  return with_time({status.study->done, status.study->step}, status.study->seconds_left);
}

/// A bar, what is being done, and a way to stop it, between `left` and `right`. Returns its left edge.
float draw_progress(Panel& panel, const LongWork& work, float left, float right, const Box& box) {
  const Look& look = panel.look;
  const float middle = box.y + box.height / 2;
  const float cancel = button_width(look, "Cancel");
  const float height = look.px(20);
  if (quiet_button(look, "Cancel", {right - cancel, middle - height / 2}, {cancel, height})) panel.context.session.worker().cancel();
  const float bar_right = right - cancel - look.px(12);
  const float bar_left = bar_right - look.px(160);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float half = look.px(2);
  canvas.AddRectFilled({bar_left, middle - half}, {bar_right, middle + half}, to_imgui(look.colours.line), half);
  const float end = bar_left + static_cast<float>(work.done) * (bar_right - bar_left);
  canvas.AddRectFilled({bar_left, middle - half}, {end, middle + half}, to_imgui(look.colours.accent), half);
  const float words_right = bar_left - look.px(12);
  const std::string words =
      elided(look, Type::caption, work.step.empty() ? "computing" : printable(work.step, 60), std::max(0.0F, words_right - left));
  draw_text(look, words_right, middle, Type::caption, look.colours.text_second, words, AlignX::right);
  const float words_left = words_right - text_width(look, Type::caption, words);
  name_area("Progress", {words_left, box.y, right - words_left, box.height});
  return words_left;
}

/// That work is not being saved must be seen for as long as it is so. Returns its right edge.
float draw_keeping_problem(const Panel& panel, float left, const Box& box) {
  const std::string& problem = panel.context.keeping.problem;
  if (problem.empty()) return left;
  const Look& look = panel.look;
  constexpr const char* kWord = "not saved: trying again";
  const float width = draw_badge(look, left, box.y + box.height / 2, kWord, look.colours.bad);
  press_area("Not saved", {left, box.y}, {width, box.height});
  hint(look, problem.c_str());
  return left + width + look.px(24);
}

/// What ctrl+C took, in place of what undo takes back, until the next click or key.
void draw_copied(const Panel& panel, float left, float right, const Box& box) {
  const Look& look = panel.look;
  if (right - left < look.px(kLeastUndo)) return;
  const std::string text = elided(look, Type::caption, panel.view.notes.copied, right - left);
  draw_text(look, right, box.y + box.height / 2, Type::caption, look.colours.text, text, AlignX::right);
  name_area(panel.view.notes.copied, {left, box.y, right - left, box.height});
}

/// What undo takes back, as far as there is room for it.
void draw_undo(Panel& panel, float left, float right, const Box& box) {
  const Look& look = panel.look;
  const std::string undo = panel.context.session.history().undo_label();
  const float room = std::min(right - left, look.px(320));
  if (undo.empty() || room < look.px(kLeastUndo)) return;
  const std::string text = elided(look, Type::caption, "undo: " + undo, room);
  if (word_button(look, "Undo last", text, right, box).is_clicked) panel.wants_undo = true;
  hint(look, "Undo the last edit (ctrl+Z).");
}

/// Frame time and memory, where a person asked for them; not in scripts, whose pixels are the same every time. Returns its left edge.
float draw_cost(Panel& panel, float right, const Box& box) {
  constexpr double kPause = 0.5;  // seconds between two readings: numbers that flicker cannot be read
  if (!panel.view.shell.shows_cost || panel.context.is_scripted) return right;
  ProgramCost& cost = panel.caches.cost;
  if (cost.read_at < 0 || ImGui::GetTime() > cost.read_at + kPause) {
    cost = {ImGui::GetTime(), panel.context.frame_milliseconds, resident_memory()};
  }
  const Look& look = panel.look;
  const std::string text = fmt::format("frame {:.1f} ms · {}", cost.milliseconds, bytes_text(cost.bytes));
  const float width = std::max(text_width(look, Type::caption, text), text_width(look, Type::caption, "frame 88.8 ms · 8888 MB"));
  const Press press = press_area("Frame time and memory", {right - width, box.y}, {width, box.height});
  hint(look, "How long the last frame took, and the memory in use. Click for more; Settings (ctrl+,) hides it.");
  if (press.is_clicked) panel.view.dialogs.performance = true;
  draw_text(look, right, box.y + box.height / 2, Type::caption, look.colours.text_second, text, AlignX::right);
  return right - width - look.px(24);
}

}  // namespace

void draw_status_bar(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Status bar", box, Colour{0, 0, 0, 0}, {0, 0});
  ImGui::GetWindowDrawList()->AddLine({box.x, box.y}, {box.right(), box.y}, to_imgui(look.colours.line));
  const float middle = box.y + box.height / 2;
  float x = box.x + look.px(kBetween);
  for (const std::string& text : {elided(look, Type::caption, mask_text(panel), box.width / 4), scale_text(panel.draft.style)}) {
    draw_text(look, x, middle, Type::caption, look.colours.text_second, text);
    x += text_width(look, Type::caption, text) + look.px(24);
  }
  const float left = draw_keeping_problem(panel, x, box);
  name_area("In force", {box.x, box.y, left - box.x, box.height});
  float right = box.right() - look.px(kBetween);
  if (word_button(look, "Show help", "F1 help", right, box).is_clicked) panel.view.dialogs.help = true;
  hint(look, "Keys and pointer, and how to read a map.");
  right -= text_width(look, Type::caption, "F1 help") + look.px(24);
  if (const std::optional<LongWork> work = long_work(panel.status, panel.context.is_scripted)) {
    right = draw_progress(panel, *work, left, right, box) - look.px(24);
  } else {
    const std::string state = panel.context.session.exporter().status().is_busy ? "writing" : panel.status.is_busy ? "computing" : "idle";
    draw_text(look, right, middle, Type::caption, look.colours.text_second, state, AlignX::right);
    right -= look.px(24) + text_width(look, Type::caption, "computing");
  }
  right = draw_cost(panel, right, box);
  panel.view.notes.copied.empty() ? draw_undo(panel, left, right, box) : draw_copied(panel, left, right, box);
  end_region();
}

}  // namespace headlight
