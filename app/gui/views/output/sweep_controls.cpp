// What is done to each head on the page Heads, and what it takes from where.
#include <fmt/core.h>

#include <algorithm>

#include "app/gui/kit/items.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"

namespace headlight {
namespace {

constexpr float kControls = 400;  ///< points: controls stay beside their labels in a wide view
constexpr float kLabel = 112;

Row narrow_row(const Look& look, const char* label, const char* help) {
  Row row = begin_row(look, label, help);
  row.right = std::min(row.right, row.left + look.px(kControls));
  return row;
}

/// The methods of the study, or all kinds.
std::vector<const SweepRow*> offered_kinds(const Panel& panel, bool has_many_texts) {
  std::vector<const SweepRow*> rows;
  std::optional<EffectJob> job;
  if (has_many_texts) {
    const auto shown = panel.context.session.corpora().shown();
    if (shown && shown->stored) job = effect_job_of(shown->stored->manifest);
  }
  for (const SweepRow& row : sweep_rows()) {
    const bool is_method = job && row.method && std::find(job->methods.begin(), job->methods.end(), *row.method) != job->methods.end();
    const bool is_patched = job && row.part && row.part == job->part;
    if (!has_many_texts || is_method || is_patched) rows.push_back(&row);
  }
  return rows;
}

void choose_kind(Panel& panel, bool has_many_texts) {
  const std::vector<const SweepRow*> rows = offered_kinds(panel, has_many_texts);
  if (rows.empty()) return;
  std::vector<Choice> choices;
  int chosen = 0;
  for (const SweepRow* const row : rows) {
    if (row->kind == panel.view.output.sweep) chosen = static_cast<int>(choices.size());
    choices.push_back({std::string(row->label), std::string(row->help)});
  }
  const Row row = narrow_row(panel.look, "Instead of its z", "What is put in the place of what one head does, one head at a time.");
  if (drop_down(panel.look, row, "Sweep", choices, chosen)) panel.view.output.sweep = rows[static_cast<std::size_t>(chosen)]->kind;
}

void choose_extent(Panel& panel) {
  bool& is_over = panel.view.output.is_over_texts;
  const std::vector<Choice> choices{{"this text", "One text is a hint, not a finding."},
                                    {"a file of texts", "The mean over all texts of a file, with its standard error."}};
  int chosen = is_over ? 1 : 0;
  const Row row = narrow_row(panel.look, "Over", "Which texts the target is watched on.");
  if (segmented(panel.look, row, "Over", choices, chosen)) is_over = chosen == 1;
}

void choose_text(Panel& panel) {
  const Look& look = panel.look;
  const Row row =
      narrow_row(look, "From the text", "The other text, which the patch is taken from. It must have as many tokens as this one.");
  const float left = row.left + look.px(kLabel);
  text_box(look, "Other text", "a text of equally many tokens", panel.view.output.other_text, {left, row.top + look.px(2)},
           row.right - left);
}

void choose_texts(Panel& panel) {
  const Look& look = panel.look;
  const Row row =
      narrow_row(look, "Texts for means",
                 "The file of texts that means, and z of another text, are taken from. Side by side shows both once it is chosen.");
  constexpr const char* kChoose = "Choose a file …";
  const float width = button_width(look, kChoose);
  if (quiet_button(look, kChoose, {row.right - width, row.middle() - look.px(kControl) / 2}, {width, look.px(kControl)}))
    panel.view.dialogs.texts = OpenDialogs::TextsFor::sweep;
  const std::string file = panel.view.output.texts.file.filename().string();
  draw_text(look, row.right - width - look.px(kUnit), row.middle(), Type::body, file.empty() ? look.colours.text_second : look.colours.text,
            file.empty() ? "none yet" : elided_middle(look, Type::body, file, row.right - width - row.control_left - look.px(kUnit)),
            AlignX::right);
}

}  // namespace

void draw_sweep_controls(Panel& panel, bool has_many_texts) {
  choose_extent(panel);
  choose_kind(panel, has_many_texts);
  if (has_many_texts) return;
  const OutputPage& page = panel.view.output;
  const SweepNeed need = row_of(page.sweep).need;
  if (need == SweepNeed::text) choose_text(panel);
  const bool takes_texts = need == SweepNeed::texts || (page.beside == OutputPage::Beside::methods && need == SweepNeed::nothing);
  if (takes_texts) choose_texts(panel);
}

}  // namespace headlight
