#include "app/gui/views/output/shown_effects.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/amounts.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/core/numbers.h"
#include "engine/studies/importance/effect_job.h"

namespace headlight {
namespace {

void compare_columns(ShownEffects& shown) {
  std::vector<std::vector<double>> values;
  for (std::size_t at = 0; at < shown.columns.size(); ++at) {
    if (shown.columns[at].values.size() != shown.heads.size()) continue;
    shown.finished.push_back(at);
    values.push_back(shown.columns[at].values);
  }
  if (values.size() > 1) shown.agreements = rank_agreements(values);
}

std::optional<ShownEffects> effects_of_sweep(const SweepFound& found, SweepKind chosen) {
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

EffectColumn column_of_study(const StoredStudy& stored, std::size_t number, const SweepRow& row) {
  EffectColumn column{.row = &row, .values = {}, .errors = {}, .by_size = {}};
  for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
    const ExactSum sum = stored.study.sum_of_all_lengths(head, number);
    column.values.push_back(sum.mean());
    column.errors.push_back(sum.standard_error());
  }
  column.by_size = places_by_size(column.values);
  return column;
}

/// Patches by layer and position have no numbers of heads.
std::optional<ShownEffects> patches_of_study(const StoredStudy& stored, const EffectJob& job, const Snapshot& run) {
  ShownEffects shown;
  shown.patches = patch_study_of(stored);
  shown.target = describe_over_texts(job.target, run.model->config);
  shown.texts = stored.study.texts();
  EffectColumn column{.row = find_sweep(stored.manifest.measures[kPatchChange]), .values = {}, .errors = {}, .by_size = {}};
  if (column.row->is_by_position()) {
    const bool has_layers = stored.study.heads().empty() || stored.study.heads().back().layer + 1 == run.layers();
    if (!has_layers) return std::nullopt;
  } else {
    if (stored.study.heads() != run.all_heads()) return std::nullopt;
    shown.heads = stored.study.heads();
    column = column_of_study(stored, kPatchChange, *column.row);
  }
  shown.columns.push_back(std::move(column));
  return shown;
}

std::optional<ShownEffects> effects_of_study(const StoredStudy& stored, const Snapshot& run, SweepKind chosen) {
  const std::optional<EffectJob> job = effect_job_of(stored.manifest);
  if (job && job->part) return patches_of_study(stored, *job, run);
  if (!job || stored.study.heads() != run.all_heads()) return std::nullopt;
  ShownEffects shown;
  shown.heads = stored.study.heads();
  shown.target = describe_over_texts(job->target, run.model->config);
  shown.texts = stored.study.texts();
  for (std::size_t number = 0; number < job->methods.size(); ++number) {
    EffectColumn column = column_of_study(stored, number, row_of(job->methods[number]));
    if (column.row->kind == chosen) shown.chosen = number;
    shown.columns.push_back(std::move(column));
  }
  if (shown.columns.empty()) return std::nullopt;
  return shown;
}

/// `make` gives what is shown of the source, if it has something.
template <typename Source, typename Make>
std::shared_ptr<const ShownEffects> kept_effects(Panel& panel, const std::shared_ptr<const Source>& source, const Make& make) {
  KeptEffects& kept = panel.view.output.kept;
  const SweepKind kind = panel.view.output.sweep;
  if (kept.source == source && kept.run == panel.snapshot && kept.kind == kind) return kept.shown;
  kept = {source, panel.snapshot, kind, nullptr};
  if (std::optional<ShownEffects> shown = make(*source, kind)) {
    compare_columns(*shown);
    kept.shown = std::make_shared<const ShownEffects>(std::move(*shown));
  }
  return kept.shown;
}

}  // namespace

std::shared_ptr<const ShownEffects> effects_of(Panel& panel, const std::shared_ptr<const SweepFound>& found) {
  return kept_effects(panel, found, effects_of_sweep);
}

std::shared_ptr<const ShownEffects> effects_of(Panel& panel, const std::shared_ptr<const StoredStudy>& stored) {
  return kept_effects(panel, stored,
                      [&](const StoredStudy& study, SweepKind kind) { return effects_of_study(study, *panel.snapshot, kind); });
}

std::string words_of_effect(const ShownEffects& effects, std::size_t place, const std::string& name) {
  const EffectColumn& column = effects.column();
  const double value = column.values[place];
  if (!std::isfinite(value)) return fmt::format("{}: no number, it does not apply to this head.", name);
  const bool is_one = effects.unchanged.has_value();
  if (column.row->is_gradient())
    return fmt::format("{}: |d target / d gate| = {}{}.", name, target_number(value), is_one ? "" : " on average");
  if (is_one) {
    return fmt::format("{} {}: the target would be {} ({}).", name, column.row->outcome, target_number(*effects.unchanged + value),
                       target_change(value));
  }
  return fmt::format("{} {}: the target changes by {} on average, ± {} (standard error, {} texts).", name, column.row->outcome,
                     target_change(value), target_number(column.errors[place]), grouped(effects.texts));
}

double seconds_of_pass(const Snapshot& run) {
  return run.cost.milliseconds / std::max(1, run.cost.layers_computed) * run.layers() / 1000;
}

bool is_agreed(Panel& panel, double seconds, const std::string& words, const char* button) {
  constexpr double kAsksFromSeconds = 20;
  double& agreed = panel.view.output.agreed_seconds;
  if (seconds < kAsksFromSeconds || seconds <= agreed || panel.context.is_scripted) return true;
  const Look& look = panel.look;
  gap(look, kUnit);
  paragraph(look, Type::body, look.colours.text_second, words);
  gap(look, kUnit);
  if (quiet_button(look, button, ImGui::GetCursorScreenPos(), {button_width(look, button), look.px(kControl)})) agreed = 2 * seconds;
  return false;
}

void draw_effect_legend(Panel& panel, const char* words, double reach, std::size_t beyond) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const std::string low = "−" + number_text(reach, 2), high = "+" + number_text(reach, 2);
  const float numbers = text_width(look, Type::number, low) + text_width(look, Type::number, high);
  const float room = row.right - row.left - text_width(look, Type::body, words) - numbers - look.px(3 * kUnit);
  const float width = std::clamp(room, look.px(24), look.px(120)), half = look.px(4);
  float x = row.left;
  const auto put = [&](const std::string& text, Type type, Colour colour) {
    draw_text(look, x, row.middle(), type, colour, text);
    x += text_width(look, type, text) + look.px(kUnit);
  };
  put(words, Type::body, look.colours.text_second);
  put(low, Type::number, look.colours.text_second);
  draw_ramp(effect_ramp(panel), {x, row.middle() - half}, {width, 2 * half});
  x += width + look.px(kUnit);
  put(high, Type::number, look.colours.text_second);
  if (beyond > 0) put(fmt::format("{} beyond", beyond), Type::caption, look.colours.text_second);
}

bool answer_effect(Panel& panel, const Press& press, HeadId head) {
  if (press.is_clicked) panel.view.head = head;
  if (!press.is_hovered) return false;
  panel.view.output.pointed = head;
  panel.view.pointed.head = head;
  if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
  return true;
}

void hint_effect(const Look& look, const std::string& words) {
  hint(look, (words + "\nClick selects, double-click opens, X switches it off or on, the right button has more.").c_str());
}

}  // namespace headlight
