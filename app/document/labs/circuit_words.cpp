// What is said of a head's circuits, and of its effective attention.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/labs/lab_words.h"
#include "app/document/wording.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr std::size_t kListedRows = 24;  ///< of the effective attention
constexpr std::size_t kListedHeads = 5;  ///< of each direction

/// "the → horse"
SheetTable pairs_table(const char* heading, const char* unit, const TokenCircuit& circuit, const std::vector<CircuitsFound::Pair>& labels) {
  SheetTable table{{heading, unit}, {}, 200};
  for (std::size_t at = 0; at < labels.size(); ++at) {
    const auto& [from, to] = labels[at];
    table.rows.push_back({{fmt::format("{} → {}", from, to), fmt::format("{:.3f}", circuit.largest[at].score)}});
  }
  return table;
}

std::string effective_text(const EffectiveFound& found, bool has_hints) {
  const Index free = found.free_queries();
  if (free == 0)
    return fmt::format(
        "Here the effective weights are the weights: no query has more keys than its values have numbers ({}), so no other row gives "
        "the same output.{}",
        found.width, has_hints ? fmt::format(" Type a text of more than {} tokens.", found.width) : "");
  return fmt::format(
      "{} of {} rows could have other weights and give the same output: they have more keys than their values have independent "
      "directions, at most {}.",
      free, found.rows.size(), found.width);
}

}  // namespace

SheetTable qk_table(const CircuitsFound& found) {
  return pairs_table("query’s token → key’s token", "score", found.circuits.qk, found.qk);
}

SheetTable ov_table(const CircuitsFound& found) {
  return pairs_table("attended token → token that is raised", "logit", found.circuits.ov, found.ov);
}

std::string why_no_qk(const CircuitsFound& found) {
  if (!found.circuits.why_no_qk.empty()) return found.circuits.why_no_qk;
  return found.has_pairs ? "" : "Tokens were not compared.";
}

std::string why_no_ov(const CircuitsFound& found) {
  if (!found.circuits.why_no_ov.empty()) return found.circuits.why_no_ov;
  return found.has_pairs ? "" : "Tokens were not compared.";
}

std::string qk_note(const CircuitsFound& found) {
  return fmt::format("{} of {} tokens look for themselves most.", percent_text(found.circuits.qk.own_share),
                     grouped(found.circuits.qk.tokens));
}

std::string ov_note(const CircuitsFound& found) {
  return fmt::format("{} of {} tokens raise themselves most. Logits before the final norm’s scaling.",
                     percent_text(found.circuits.ov.own_share), grouped(found.circuits.ov.tokens));
}

std::string copying_note(const CircuitsFound& found) {
  const FoundCircuits& circuits = found.circuits;
  std::string copying = fmt::format("Copying by eigenvalues of W_E·W_OV·W_U: {} (+1 copies every token, −1 lowers what it attends to).",
                                    signed_number_text(circuits.copying, 3));
  if (!std::isnan(circuits.copying_score))
    copying +=
        fmt::format(" Copying score on this text: {:.3f} (1: only the token that it looks at most is raised).", circuits.copying_score);
  return copying;
}

std::vector<std::pair<Composition, bool>> listed_compositions(const CircuitsFound& found, HeadId head) {
  std::vector<std::pair<Composition, bool>> listed;
  for (const bool reads : {true, false}) {
    const std::vector<Composition> heads = strongest_compositions(found.circuits, head, reads);
    for (std::size_t at = 0; at < std::min(heads.size(), kListedHeads); ++at) listed.emplace_back(heads[at], reads);
  }
  return listed;
}

SheetTable compositions_table(const CircuitsFound& found, const LabRequest& shown) {
  SheetTable table{{"head", "through queries", "keys", "values"}, {}, 120};
  const auto above = [&](double score) { return signed_number_text(score - found.circuits.baseline, 3); };
  for (const auto& [each, reads] : listed_compositions(found, shown.head)) {
    const std::string name = short_name(*shown.snapshot, reads ? each.earlier : each.later);
    table.rows.push_back({{(reads ? "reads from " : "read by ") + name, above(each.q), above(each.k), above(each.v)}});
  }
  return table;
}

std::string compositions_note(const CircuitsFound& found) {
  return fmt::format(
      "‖W_OV X‖ / (‖W_OV‖ ‖X‖) less {:.3f}, which random matrices of this width score. Gains of norms are multiplied "
      "into what reads through them.",
      found.circuits.baseline);
}

SheetTable effective_table(const EffectiveFound& found) {
  SheetTable table{{"query", "keys", "rank of T", "rank of [T, 1]", "sum of effective weights"}, {}, 120};
  const std::size_t shown = std::min(found.rows.size(), kListedRows), first = found.rows.size() - shown;  // the last have most keys
  for (std::size_t query = first; query < found.rows.size(); ++query) {
    const EffectiveRow& row = found.rows[query];
    table.rows.push_back({{fmt::format("{} {}", found.queries[query], query), std::to_string(row.allowed), std::to_string(row.rank),
                           std::to_string(row.rank_with_ones), fmt::format("{:.3f}", row.sum)},
                          {},
                          row.has_others()});
  }
  return table;
}

std::vector<std::string> effective_notes(const EffectiveFound& found, const LabRequest& shown, bool has_hints) {
  return {fmt::format("Head {}. {}", short_name(*shown.snapshot, shown.head), effective_text(found, has_hints)),
          fmt::format("The outputs of both differ by at most {:.0e} of the largest number.", std::max(found.largest_gap, 1e-9))};
}

std::string effective_rows_note(const EffectiveFound& found) {
  const std::size_t rows = found.rows.size();
  return fmt::format(
      "{}Raised rows: more keys than the rank of T, so other weights give the same output; more than the rank of [T, 1]: "
      "even other weights that sum to 1.",
      rows > kListedRows ? fmt::format("The last {} of {} queries. ", kListedRows, rows) : "");
}

}  // namespace headlight
