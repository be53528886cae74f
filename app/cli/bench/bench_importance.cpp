#include "app/cli/bench/bench_importance.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "app/cli/bench/bench_line.h"
#include "app/cli/bench/model_shapes.h"
#include "app/cli/console.h"
#include "engine/studies/importance/effect_study.h"

namespace headlight {
namespace {

constexpr Index kVocabulary = 8192;

/// GPT-2's layers with random tables of tokens and positions: what it predicts does not matter.
std::shared_ptr<const Model> model_with_head() {
  const std::span<const ModelShape> shapes = model_shapes();
  const auto shape = std::find_if(shapes.begin(), shapes.end(), [](const ModelShape& each) { return each.name == "GPT-2"; });
  auto model = std::make_shared<Model>(*make_shape(shape == shapes.end() ? shapes.front() : *shape));
  model->config.vocabulary = static_cast<int>(kVocabulary);
  model->config.has_logits = true;
  model->config.mask.is_causal = true;
  model->config.positions.kind = PositionKind::none;
  model->parameters.embedding.tokens = StoredMatrix(Matrix(Matrix::Random(kVocabulary, model->config.d_model)));
  model->tokenizer = make_sandbox_tokenizer(SandboxUnit::words);
  return model;
}

TokenStage tokens_of(int count) {
  auto encoding = std::make_shared<Encoding>();
  for (int at = 0; at < count; ++at) {
    Token& token = encoding->tokens.emplace_back();
    token.id = (at * 37 + 11) % kVocabulary;
  }
  TokenStage tokens;
  tokens.numbers = numbers_of(*encoding);
  tokens.encoding = std::move(encoding);
  return tokens;
}

/// Each head changed in one way, in forward passes for each head.
void bench_way(const EffectPlan& plan, std::string_view way, int tokens, double pass, const std::function<void(HeadId)>& change) {
  int heads = 0;
  const double all = seconds_of([&] {
    for (int layer = 0; layer < plan.model().config.layers; ++layer) {
      for (int head = 0; head < plan.run().heads(layer); ++head, ++heads) change({layer, head});
    }
  });
  write_result(fmt::format("importance of all {} heads, {} tokens, {}: {:.2f} s of computing, {:.2f} of {} forward passes\n", heads, tokens,
                           way, all, all / heads / pass, heads));
}

void bench_tokens(int count, ThreadPool& pool) {
  const std::shared_ptr<const Model> model = model_with_head();
  const EffectPlan plan(model, {}, {});
  const TokenStage tokens = tokens_of(count);
  TextEffects effects(plan, tokens, pool);
  constexpr int kPasses = 6;
  const double passes = seconds_of([&] {
    for (int pass = 0; pass < kPasses; ++pass) TextEffects(plan, tokens, pool);
  });
  const double pass = passes / kPasses;
  bench_way(plan, "off", count, pass, [&](HeadId head) { (void)effects.gated(head, 0); });
  bench_way(plan, "even map", count, pass,
            [&](HeadId head) { (void)effect_of(EffectMethod::uniform, head, effects, nullptr, nullptr, plan.run().heads(head.layer)); });
  bench_way(plan, "z of another text", count, pass, [&](HeadId head) { (void)effects.with(head, effects.output(head)); });
}

}  // namespace

void bench_importance(ThreadPool& pool) {
  for (const int tokens : {16, 64}) bench_tokens(tokens, pool);
}

}  // namespace headlight
