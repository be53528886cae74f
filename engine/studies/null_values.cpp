#include "engine/studies/null_values.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/core/memory_limit.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

/// Fisher–Yates. `swap` exchanges two of `count` things.
template <typename Swap>
void shuffle(std::size_t count, RandomStream& random, const Swap& swap) {
  for (std::size_t left = count; left > 1; --left) swap(left - 1, static_cast<std::size_t>(random.next() % left));
}

void shuffle_weight(Linear& linear, std::uint64_t seed, const std::string& name) {
  if (linear.weight.size() == 0) return;
  Matrix numbers = linear.weight.to_matrix();
  RandomStream random(seed, name);
  shuffle(static_cast<std::size_t>(numbers.size()), random,
          [&](std::size_t a, std::size_t b) { std::swap(numbers.data()[a], numbers.data()[b]); });
  linear.weight = numbers;
}

/// Tokens of one sentence change places with each other alone.
std::shared_ptr<const Encoding> shuffled(const Encoding& encoding, std::uint64_t seed, const std::string& name) {
  auto result = std::make_shared<Encoding>(encoding);
  for (const int sequence : {0, 1}) {
    std::vector<Token*> places;
    for (Token& token : result->tokens) {
      if (!token.is_special && token.sequence == sequence) places.push_back(&token);
    }
    RandomStream random(seed, fmt::format("{}.{}", name, sequence));
    shuffle(places.size(), random, [&](std::size_t a, std::size_t b) {
      std::swap(places[a]->id, places[b]->id);
      std::swap(places[a]->text, places[b]->text);
      std::swap(places[a]->is_typed_special, places[b]->is_typed_special);
    });
  }
  return result;
}

}  // namespace

std::shared_ptr<const Model> with_random_weights(const Model& model, std::uint64_t seed) {
  auto random = std::make_shared<Model>(model);
  random->is_random = true;
  for (std::size_t layer = 0; layer < random->parameters.layers.size(); ++layer) {
    LayerParameters& parameters = random->parameters.layers[layer];
    const std::array<std::pair<Linear*, const char*>, 7> linears = {{{&parameters.q, "q"},
                                                                     {&parameters.k, "k"},
                                                                     {&parameters.v, "v"},
                                                                     {&parameters.o, "o"},
                                                                     {&parameters.ff_in, "ff_in"},
                                                                     {&parameters.ff_gate, "ff_gate"},
                                                                     {&parameters.ff_out, "ff_out"}}};
    for (const auto& [linear, name] : linears) shuffle_weight(*linear, seed, fmt::format("null.{}.{}", layer, name));
  }
  return random;
}

TokenStage with_shuffled_tokens(TokenStage tokens, std::uint64_t seed) {
  tokens.encoding = shuffled(*tokens.encoding, seed, "null.tokens");
  tokens.numbers = numbers_of(*tokens.encoding);
  if (!tokens.decoder_encoding) return tokens;
  tokens.decoder_encoding = shuffled(*tokens.decoder_encoding, seed, "null.decoder");
  tokens.decoder_numbers = numbers_of(*tokens.decoder_encoding);
  return tokens;
}

std::uint64_t draw_of_text(const TokenStage& tokens) {
  return fnv1a(fmt::format("{}", fmt::join(tokens.numbers.ids, " ")));
}

void append_drawn(std::vector<HeadValues>& heads, const std::vector<HeadValues>& drawn) {
  for (std::size_t head = 0; head < heads.size(); ++head)
    heads[head].values.insert(heads[head].values.end(), drawn[head].values.begin(), drawn[head].values.end());
}

NullRuns::NullRuns(std::shared_ptr<const Model> model, const Query& query, const StudySettings& settings, int random_models,
                   std::uint64_t seed)
    : requests_(settings.requests), kinds_(settings.nulls) {
  const auto add = [&](std::vector<Measured>& runs, std::shared_ptr<const Model> of) {
    PassingRun run(std::move(of), query);
    std::vector<OutputNorms> norms = output_norms(run, requests_);
    runs.push_back({std::move(run), std::move(norms)});
  };
  for (const NullKind kind : kinds_) {
    if (kind == NullKind::shuffled_tokens) {
      add(own_, model);
      continue;
    }
    require_memory(static_cast<double>(tally_parameters(model->parameters).numbers) * sizeof(float) * random_models, allowed_memory(),
                   {.problem = "models of random weights would be too large", .hint = "Ask for --null shuffled-tokens alone"});
    for (int number = 0; number < random_models; ++number)
      add(random_, with_random_weights(*model, seed + static_cast<std::uint64_t>(number)));
  }
}

const NullRuns::Measured& NullRuns::run_of(NullKind kind, std::uint64_t draw) const {
  return kind == NullKind::shuffled_tokens ? own_.front() : random_[draw % random_.size()];
}

void NullRuns::append(const TokenStage& tokens, std::uint64_t draw, std::vector<HeadValues>& heads, ThreadPool& pool,
                      const Watch& watch) const {
  for (const NullKind kind : kinds_) {
    const Measured& measured = run_of(kind, draw);
    const TokenStage read = kind == NullKind::shuffled_tokens ? with_shuffled_tokens(tokens, draw) : tokens;
    const std::vector<HeadValues> drawn = measure_text_heads(measured.run, read, requests_, measured.norms, false, pool, watch);
    append_drawn(heads, drawn);
  }
}

}  // namespace headlight
