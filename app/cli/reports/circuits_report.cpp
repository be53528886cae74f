#include "app/cli/reports/circuits_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/reports/listed_token.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

std::string pairs_text(const TokenCircuit& circuit, const Tokenizer& tokenizer, std::string_view between) {
  std::string text;
  for (const TokenPair& pair : circuit.largest) {
    text +=
        fmt::format("  {:>9.3f}  {} {} {}\n", pair.score, listed_token(tokenizer, pair.from), between, listed_token(tokenizer, pair.to));
  }
  return text;
}

std::string values_text(const Eigen::VectorXd& values) {
  std::string text;
  for (Index at = 0; at < std::min<Index>(values.size(), 6); ++at) text += fmt::format(" {:.3f}", values[at]);
  return text + (values.size() > 6 ? fmt::format(" … {:.3f}", values[values.size() - 1]) : "");
}

std::string compositions_text(const FoundCircuits& found, const CircuitsQuestion& question, bool reads) {
  const std::vector<Composition> chosen = strongest_compositions(found, question.head, reads);
  if (chosen.empty()) return {};
  std::string text =
      fmt::format("\n{}, and through what: score less {:.4f}, which random matrices have\n  {:>7}  {:>8}  {:>8}  {:>8}\n",
                  reads ? "Heads that it reads from" : "Heads that read from it", found.baseline, "head", "queries", "keys", "values");
  const auto number = [&](double score) { return std::isnan(score) ? std::string("–") : fmt::format("{:+.4f}", score - found.baseline); };
  for (std::size_t at = 0; at < std::min(chosen.size(), static_cast<std::size_t>(question.most)); ++at) {
    const HeadId other = reads ? chosen[at].earlier : chosen[at].later;
    text += fmt::format("  {:>7}  {:>8}  {:>8}  {:>8}\n", fmt::format("{}.{}", other.layer, other.head), number(chosen[at].q),
                        number(chosen[at].k), number(chosen[at].v));
  }
  return text;
}

std::string qk_text(const FoundCircuits& found, const Model& model, const CircuitsQuestion& question) {
  if (!found.why_no_qk.empty()) return "\nQK: " + found.why_no_qk + "\n";
  const bool is_turned = model.config.positions.kind == PositionKind::rotary;
  return fmt::format(
      "\nQK: which tokens look for which, as scores of single tokens{}\n{}  {:.1f} % of {} tokens look for themselves most\n",
      is_turned ? fmt::format(", the query {} positions after the key", question.distance) : "",
      pairs_text(found.qk, *model.tokenizer, "looks for"), 100 * found.qk.own_share, found.qk.tokens);
}

std::string ov_text(const FoundCircuits& found, const Model& model, const CircuitsQuestion& question) {
  if (!found.why_no_ov.empty()) return "\nOV: " + found.why_no_ov + "\n";
  std::string text = fmt::format(
      "\nOV: which tokens become likelier where a token is attended to, as logits up to the final norm's scale\n{}"
      "  {:.1f} % of {} tokens raise themselves most; copying by eigenvalues {:+.3f} (1 copies, -1 lowers)\n",
      pairs_text(found.ov, *model.tokenizer, "raises"), 100 * found.ov.own_share, found.ov.tokens, found.copying);
  if (question.text) text += fmt::format("  copying score on the text {:.3f} (from 0 to 1)\n", found.copying_score);
  return text;
}

Report report_of(const TokenCircuit& circuit, const std::string& why_none, const Tokenizer& tokenizer) {
  if (!why_none.empty()) return {{"reason", why_none}};
  Report pairs = Report::array();
  const auto token = [&](std::int64_t id) { return Report{{"id", id}, {"token", tokenizer.token_of(id).value_or("")}}; };
  for (const TokenPair& pair : circuit.largest)
    pairs.push_back({{"from", token(pair.from)}, {"to", token(pair.to)}, {"score", pair.score}});
  return {{"largest", std::move(pairs)}, {"own_share", circuit.own_share}, {"tokens", circuit.tokens}};
}

}  // namespace

std::string circuits_text(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model) {
  std::string text =
      fmt::format("Head {}.{} of {}, by its matrices alone{}\n", question.head.layer, question.head.head, printable(model.name, 80),
                  question.gain == NormGain::left_out ? "" : "; gains of norms are multiplied into what reads through them");
  text += qk_text(found, model, question) + ov_text(found, model, question);
  text +=
      fmt::format("\nSingular values of W_QK:{}\nSingular values of W_OV:{}\n", values_text(found.qk_values), values_text(found.ov_values));
  if (!found.why_no_composition.empty()) return text + "\n" + found.why_no_composition + "\n";
  return text + compositions_text(found, question, true) + compositions_text(found, question, false);
}

nlohmann::ordered_json circuits_json(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model) {
  const auto number = [](double value) { return std::isnan(value) ? Report() : Report(value); };
  const auto name = [](HeadId head) { return fmt::format("{}.{}", head.layer, head.head); };
  const auto values = [](const Eigen::VectorXd& all) { return Report(std::vector<double>(all.begin(), all.end())); };
  Report report = {{"model", model.name},
                   {"head", name(question.head)},
                   {"gains", question.gain == NormGain::left_out ? "left out" : "folded"},
                   {"distance", question.distance},
                   {"qk", report_of(found.qk, found.why_no_qk, *model.tokenizer)},
                   {"ov", report_of(found.ov, found.why_no_ov, *model.tokenizer)},
                   {"copying_by_eigenvalues", number(found.copying)},
                   {"singular_values", {{"qk", values(found.qk_values)}, {"ov", values(found.ov_values)}}},
                   {"composition_baseline", found.baseline}};
  if (question.text) report["copying_score"] = number(found.copying_score);
  report["composition"] = Report::array();
  for (const Composition& each : found.compositions) {
    report["composition"].push_back({{"earlier", name(each.earlier)},
                                     {"later", name(each.later)},
                                     {"q", number(each.q)},
                                     {"k", number(each.k)},
                                     {"v", number(each.v)}});
  }
  return report;
}

}  // namespace headlight
