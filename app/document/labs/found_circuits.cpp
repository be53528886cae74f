#include "app/document/labs/found_circuits.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/studies/own_texts/repeated_tokens.h"

namespace headlight {
namespace {

double copying_score_of(const Model& model, const Query& text, HeadId head, ThreadPool& pool, Progress& progress) {
  const Encoding encoding = encode_text(*model.tokenizer, text, text.text_pair);
  return copying_scores(model, text, head.layer, encoding.tokens, {nullptr}, pool, progress, head.head).front().scores.front().value;
}

}  // namespace

FoundCircuits find_circuits(const Model& model, const CircuitsQuestion& question, ThreadPool& pool, Progress& progress) {
  const HeadId head = question.head;
  FoundCircuits found{.why_no_qk = why_no_qk(model, head),
                      .why_no_ov = why_no_ov(model, head),
                      .why_no_composition = why_no_composition(model, head),
                      .baseline = composition_baseline(model)};
  progress.step(0, "comparing tokens");
  if (found.why_no_qk.empty() && question.compares_tokens)
    found.qk = qk_circuit(model, head, question.distance, question.most, pool, progress);
  progress.step(0.4, "reading what is written of tokens");
  if (found.why_no_ov.empty()) {
    if (question.compares_tokens) found.ov = ov_circuit(model, head, question.most, pool, progress);
    found.copying = copying_by_eigenvalues(model, head, question.gain, progress);
    if (question.text && question.compares_tokens) found.copying_score = copying_score_of(model, *question.text, head, pool, progress);
  }
  progress.step(0.8, "comparing heads");
  const HeadFactors factors = head_factors(model, head, question.gain);
  found.qk_values = singular_values(factors.qk);
  found.ov_values = singular_values(factors.ov);
  found.compositions = compositions_of(model, head, question.gain, progress);
  return found;
}

double strongest_of(const Composition& composition) {
  return std::fmax(composition.q, std::fmax(composition.k, composition.v));
}

std::vector<Composition> strongest_compositions(const FoundCircuits& found, HeadId head, bool reads) {
  std::vector<Composition> chosen;
  std::copy_if(found.compositions.begin(), found.compositions.end(), std::back_inserter(chosen),
               [&](const Composition& each) { return (each.later == head) == reads; });
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return strongest_of(a) > strongest_of(b); });
  return chosen;
}

}  // namespace headlight
