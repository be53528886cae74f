#include "app/gui/views/output/shown_effects.h"

#include <fmt/core.h>

#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/core/numbers.h"

namespace headlight {

std::optional<ShownEffects> effects_of(const SweepFound& found, SweepKind chosen) {
  ShownEffects shown;
  shown.heads = found.heads;
  shown.unchanged = found.unchanged;
  shown.target = describe_target(found.request.target);
  bool is_known = false;
  for (const SweepRow& row : sweep_rows()) {  // in the order of the table
    const SweepValues* const known = found.find(row.kind);
    if (known == nullptr || row.is_by_position()) continue;
    if (row.kind == chosen) {
      is_known = true;
      shown.chosen = shown.columns.size();
    }
    shown.columns.push_back({&row, known->values, {}, known->by_size, known->other});
  }
  return is_known ? std::optional(std::move(shown)) : std::nullopt;
}

std::optional<ShownEffects> effects_of(const StoredStudy& stored, const Snapshot& run, SweepKind chosen) {
  const std::optional<EffectJob> job = effect_job_of(stored.manifest);
  if (!job || stored.study.heads() != run.all_heads()) return std::nullopt;
  ShownEffects shown;
  shown.heads = stored.study.heads();
  shown.target = describe_over_texts(job->target, run.model->config);
  shown.texts = stored.study.texts();
  for (std::size_t number = 0; number < job->methods.size(); ++number) {
    EffectColumn column{.row = &row_of(job->methods[number]), .values = {}, .errors = {}, .by_size = {}};
    for (std::size_t head = 0; head < shown.heads.size(); ++head) {
      const ExactSum sum = stored.study.sum_of_all_lengths(head, number);
      column.values.push_back(sum.mean());
      column.errors.push_back(sum.standard_error());
    }
    column.by_size = places_by_size(column.values);
    if (column.row->kind == chosen) shown.chosen = number;
    shown.columns.push_back(std::move(column));
  }
  return shown;
}

void draw_effect_legend(Panel& panel, const char* words, double reach, std::size_t beyond) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const float width = look.px(120), half = look.px(4);
  float x = row.left;
  const auto put = [&](const std::string& text, Type type, Colour colour) {
    draw_text(look, x, row.middle(), type, colour, text);
    x += text_width(look, type, text) + look.px(kUnit);
  };
  put(words, Type::body, look.colours.text_second);
  put("−" + number_text(reach, 2), Type::number, look.colours.text_second);
  draw_ramp(effect_ramp(panel), {x, row.middle() - half}, {width, 2 * half});
  x += width + look.px(kUnit);
  put("+" + number_text(reach, 2), Type::number, look.colours.text_second);
  if (beyond > 0) put(fmt::format("{} beyond", beyond), Type::caption, look.colours.text_second);
}

void answer_effect(Panel& panel, const Press& press, HeadId head, const std::string& words) {
  if (press.is_clicked) panel.view.head = head;
  if (!press.is_hovered) return;
  panel.view.output.pointed = head;
  panel.view.pointed.head = head;
  hint(panel.look, (words + "\nClick selects, double-click opens, X switches it off or on, the right button has more.").c_str());
  if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
}

}  // namespace headlight
