// The labs of one head: its circuits, and its effective attention.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

constexpr float kTwoMaps = 560;  ///< points for two maps in a line

void draw_subtitle(const LabPage& page, std::string_view text) {
  gap(page.look, 12);
  text_line(page.look, Type::strong, page.look.colours.text, text);
}

void draw_qk(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "QK: which token looks for which");
  if (const std::string why = why_no_qk(found); !why.empty()) return page.caption(why);
  draw_lab_table(page, "QK", qk_table(found));
  page.caption(qk_note(found));
}

void draw_ov(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "OV: which token becomes likelier where one is attended to");
  if (!found.circuits.why_no_ov.empty()) return page.caption(found.circuits.why_no_ov);
  if (found.has_pairs) {
    draw_lab_table(page, "OV", ov_table(found));
    page.caption(ov_note(found));
  }
  page.caption(copying_note(found));
}

void draw_compositions(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "Composition: which heads it reads from, and which read from it");
  if (!found.circuits.why_no_composition.empty()) return page.caption(found.circuits.why_no_composition);
  draw_lab_table(page, "Composition", compositions_table(found, *page.shown));
  page.caption(compositions_note(found));
}

/// What only some models need.
void draw_circuit_controls(LabPage& page, const CircuitsFound& found) {
  LabSettings& settings = page.panel.view.labs;
  if (found.is_turned && found.circuits.why_no_qk.empty()) {
    stepper(page.look, page.control_row("Distance", "How many positions the query comes after the key: rotary positions turn both."),
            "Distance", settings.circuit_distance, 0, 999);
  }
  if (found.vocabulary <= kQuickVocabulary || (!found.circuits.why_no_qk.empty() && !found.circuits.why_no_ov.empty())) return;
  const std::string label = fmt::format("Compare all {} tokens", grouped(found.vocabulary));
  on_off(page.look, page.control_row(label.c_str(), "Every token with every other, for QK and OV: some seconds or minutes for each head."),
         "Compare all tokens", settings.compares_all_tokens);
}

void draw_effective_maps(LabPage& page, const EffectiveFound& found) {
  const Look& look = page.look;
  const float between = look.px(kBetween), room = page.width();
  const int columns = room < look.px(kTwoMaps) ? 1 : 2;
  const float side = std::floor(std::min(look.px(440), (room - between * static_cast<float>(columns - 1)) / static_cast<float>(columns)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_shown_text = page.shown->snapshot == page.panel.snapshot && page.shown->head == page.panel.view.head;
  const auto put = [&](const char* name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, float x, float y,
                       const char* title) {
    LabPage::Axes axes{found.queries, found.keys, found.titles};
    if (is_shown_text) axes.tokens = LabPage::Tokens{true, page.shown->head.layer};
    return page.labelled_map(name, picture, scale, {x, y, side, side}, axes, title).bottom() + look.px(kUnit);
  };
  const float top = at.y + look.px(kUnit);
  float bottom = put("plain weights", found.weights, page.weight_scale(found.largest), at.x, top, "Weights");
  const float second = columns == 2 ? top : bottom;
  bottom = std::max(bottom, put("effective weights", found.effective, page.signed_scale(found.farthest),
                                columns == 2 ? at.x + side + between : at.x, second, "Effective weights"));
  ImGui::Dummy({room, std::max(look.px(kUnit), bottom - at.y) + look.px(kUnit)});
}

}  // namespace

void draw_circuits_lab(LabPage& page, const CircuitsFound* found) {
  page.heading(
      "Circuits",
      "What a head does by its matrices alone, whatever the text: QK says which token looks for which, OV which tokens become likelier "
      "where one is attended to. Each token is alone in the stream, without position (Elhage et al. 2021).");
  if (found == nullptr) return draw_waiting(page);
  draw_circuit_controls(page, *found);
  page.caption(fmt::format("Head {} of {}.", short_name(*page.shown->snapshot, page.shown->head), page.shown->snapshot->model->name));
  draw_qk(page, *found);
  draw_ov(page, *found);
  draw_compositions(page, *found);
}

void draw_effective_lab(LabPage& page, const EffectiveFound* found) {
  page.heading(
      "Effective attention",
      "What of a head’s weights reaches its output. If a query has more keys than the values have dimensions, part of its row cancels "
      "in T = V·W_O; taking that part away leaves A·T·T⁺, with the same output (Brunner et al. 2020). It may be negative, and rows "
      "need not sum to 1.");
  if (found == nullptr) return draw_waiting(page);
  if (!found->problem.empty()) return page.caption(found->problem);
  for (const std::string& note : effective_notes(*found, *page.shown, true)) page.caption(note);
  page.legend(page.weight_scale(found->largest), "weights");
  page.legend(page.signed_scale(found->farthest), "effective weights");
  draw_effective_maps(page, *found);
  draw_lab_table(page, "Effective rows", effective_table(*found));
  page.caption(effective_rows_note(*found));
}

}  // namespace headlight
