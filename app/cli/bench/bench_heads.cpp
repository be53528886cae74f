#include "app/cli/bench/bench_heads.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/cli/bench/bench_line.h"
#include "app/cli/console.h"
#include "engine/model/files/load_model.h"
#include "engine/studies/text_measures.h"

namespace headlight {
namespace {

constexpr int kTokens = 128, kRounds = 15;

struct TimedModel {
  std::string name;
  ModelChoice choice;
};

double middle_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Words that the model has: its own ids, one after the other.
Query query_of(const ModelChoice& choice, const Model& model) {
  Query query;
  query.model = choice;
  if (choice.name == "sandbox") {
    for (int word = 0; word < kTokens; ++word) query.text += fmt::format("{}w{}", word == 0 ? "" : " ", word % 97);
    return query;
  }
  for (int at = 0; at < kTokens; ++at) query.ids.push_back((at * 37 + 11) % model.config.vocabulary);
  return query;
}

/// In turns, so that what else the machine does falls on both alike.
void bench_model(const TimedModel& timed, std::string_view measures, ThreadPool& pool) {
  SilentProgress silent;
  const auto model = load_model(timed.choice, silent);
  const Query query = query_of(timed.choice, *model);
  const PassingRun passing(model, query);
  const TokenStage tokens = passing.tokens_of(query);
  const auto requests = measure_requests(measures, "bench");
  const std::vector<OutputNorms> norms = output_norms(passing, requests);
  std::vector<double> bare, measured, shares;
  for (int round = 0; round < kRounds; ++round) {
    bare.push_back(seconds_of([&] { passing.run(tokens, pool, nullptr); }));
    measured.push_back(seconds_of([&] { measure_text_heads(passing, tokens, requests, norms, false, pool); }));
    shares.push_back(bare.back() / measured.back());
  }
  write_result(fmt::format(
      "{}, {} tokens: {:.2f} ms of computing bare, {:.2f} ms with {} measures of every head, {:.3f} of the bare speed\n", timed.name,
      tokens.encoding->tokens.size(), 1e3 * middle_of(bare), 1e3 * middle_of(measured), requests.size(), middle_of(shares)));
}

}  // namespace

void bench_heads(ThreadPool& pool) {
  SandboxSpec large;
  large.layers = 12;
  large.heads = 12;
  large.d_model = 768;
  const std::vector<TimedModel> models = {{"heads of 12 layers × 12 heads, d_model 768", {.name = "sandbox", .sandbox = large}},
                                          {"heads of story-gpt", {.name = "story-gpt", .sandbox = {}}}};
  for (const TimedModel& model : models) {
    bench_model(model, kUsualMeasures, pool);
    bench_model(model, "all", pool);
  }
}

}  // namespace headlight
