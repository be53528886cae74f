// The labs of one head: its circuits, and its effective attention.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/labs/lab_page.h"
#include "app/work/circuits/circuit_labs.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr std::size_t kListedRows = 24;  ///< of the effective attention
constexpr std::size_t kListedHeads = 5;  ///< of each direction
constexpr float kTwoMaps = 560;          ///< points for two maps in a line

void draw_subtitle(const LabPage& page, std::string_view text) {
  gap(page.look, 12);
  text_line(page.look, Type::strong, page.look.colours.text, text);
}

/// "the → horse", or why there are none.
void draw_pairs(LabPage& page, const char* name, const char* heading, const char* unit, const TokenCircuit& circuit,
                const std::vector<CircuitsFound::Pair>& labels) {
  LabTable table{{heading, unit}, {}, 200};
  for (std::size_t at = 0; at < labels.size(); ++at) {
    const auto& [from, to] = labels[at];
    table.rows.push_back({{fmt::format("{} → {}", from, to), fmt::format("{:.3f}", circuit.largest[at].score)}});
  }
  draw_lab_table(page, name, table);
}

void draw_qk(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "QK: which token looks for which");
  if (!found.circuits.why_no_qk.empty()) return page.caption(found.circuits.why_no_qk);
  if (!found.has_pairs) return page.caption("Tokens were not compared.");
  draw_pairs(page, "QK", "query’s token → key’s token", "score", found.circuits.qk, found.qk);
  page.caption(fmt::format("{} of {} tokens look for themselves most.", percent_text(found.circuits.qk.own_share),
                           grouped(found.circuits.qk.tokens)));
}

void draw_ov(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "OV: which token becomes likelier where one is attended to");
  const FoundCircuits& circuits = found.circuits;
  if (!circuits.why_no_ov.empty()) return page.caption(circuits.why_no_ov);
  if (found.has_pairs) {
    draw_pairs(page, "OV", "attended token → token that is raised", "logit", circuits.ov, found.ov);
    page.caption(fmt::format("{} of {} tokens raise themselves most. Logits are up to the final norm’s scale.",
                             percent_text(circuits.ov.own_share), grouped(circuits.ov.tokens)));
  }
  std::string copying = fmt::format("Copying by eigenvalues of W_E·W_OV·W_U: {} (+1 copies every token, −1 lowers what it attends to).",
                                    signed_number_text(circuits.copying, 3));
  if (!std::isnan(circuits.copying_score))
    copying +=
        fmt::format(" Copying score on this text: {:.3f} (1: only the token that it looks at most is raised).", circuits.copying_score);
  page.caption(copying);
}

void draw_compositions(LabPage& page, const CircuitsFound& found) {
  draw_subtitle(page, "Composition: which heads it reads from, and which read from it");
  const FoundCircuits& circuits = found.circuits;
  if (!circuits.why_no_composition.empty()) return page.caption(circuits.why_no_composition);
  LabTable table{{"head", "through queries", "keys", "values"}, {}, 120};
  const Snapshot& snapshot = *page.shown->snapshot;
  for (const bool reads : {true, false}) {
    const std::vector<Composition> heads = strongest_compositions(circuits, page.shown->head, reads);
    for (std::size_t at = 0; at < std::min(heads.size(), kListedHeads); ++at) {
      const Composition& each = heads[at];
      const auto above = [&](double score) { return signed_number_text(score - circuits.baseline, 3); };
      const std::string name = short_name(snapshot, reads ? each.earlier : each.later);
      table.rows.push_back({{(reads ? "reads from " : "read by ") + name, above(each.q), above(each.k), above(each.v)}});
    }
  }
  draw_lab_table(page, "Composition", table);
  page.caption(
      fmt::format("‖W_OV X‖ / (‖W_OV‖ ‖X‖) less {:.3f}, which random matrices of this width score. Gains of norms are multiplied "
                  "into what reads through them.",
                  circuits.baseline));
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

std::string effective_text(const EffectiveFound& found) {
  const Index free = found.free_queries();
  if (free == 0)
    return fmt::format(
        "Here the effective weights are the weights: no query has more keys than its values have numbers ({0}), so no other row gives "
        "the same output. Type a text of more than {0} tokens.",
        found.width);
  return fmt::format(
      "{} of {} rows could look otherwise and give the same output: they have more keys than their values have independent "
      "directions, at most {}.",
      free, found.rows.size(), found.width);
}

void draw_effective_rows(LabPage& page, const EffectiveFound& found) {
  LabTable table{{"query", "keys", "rank of T", "rank of [T, 1]", "sum of effective weights"}, {}, 120};
  const std::size_t shown = std::min(found.rows.size(), kListedRows), first = found.rows.size() - shown;  // the last have most keys
  for (std::size_t query = first; query < found.rows.size(); ++query) {
    const EffectiveRow& row = found.rows[query];
    table.rows.push_back({{fmt::format("{} {}", found.queries[query], query), std::to_string(row.allowed), std::to_string(row.rank),
                           std::to_string(row.rank_with_ones), fmt::format("{:.3f}", row.sum)},
                          {},
                          row.has_others()});
  }
  draw_lab_table(page, "Effective rows", table);
  page.caption(
      fmt::format("{}Raised rows: more keys than the rank of T, so other weights give the same output; more than the rank of [T, 1]: "
                  "even other weights that sum to 1.",
                  first > 0 ? fmt::format("The last {} of {} queries. ", shown, found.rows.size()) : ""));
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
  page.caption(fmt::format("Head {}. {}", short_name(*page.shown->snapshot, page.shown->head), effective_text(*found)));
  page.caption(fmt::format("The outputs of both differ by at most {:.0e} of the largest number.", std::max(found->largest_gap, 1e-9)));
  page.legend(page.weight_scale(found->largest), "weights");
  page.legend(page.signed_scale(found->farthest), "effective weights");
  draw_effective_maps(page, *found);
  draw_effective_rows(page, *found);
}

}  // namespace headlight
