#include "engine/studies/null_values.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/random.h"

namespace headlight {
namespace {

/// Fisher–Yates.
template <typename Number>
void shuffle(Number* numbers, std::size_t count, RandomStream& random) {
  for (std::size_t left = count; left > 1; --left) std::swap(numbers[left - 1], numbers[random.next() % left]);
}

void shuffle_weight(Linear& linear, std::uint64_t seed, const std::string& name) {
  if (linear.weight.size() == 0) return;
  Matrix numbers = linear.weight.to_matrix();
  RandomStream random(seed, name);
  shuffle(numbers.data(), static_cast<std::size_t>(numbers.size()), random);
  linear.weight = numbers;
}

std::vector<HeadValues> values_of(const std::shared_ptr<const Model>& model, const Query& query,
                                  const std::vector<MeasureRequest>& requests, ThreadPool& pool, const Watch& watch) {
  const PassingRun run(model, query);
  return measure_text_heads(run, run.tokens_of(query), requests, output_norms(run, requests), false, pool, watch);
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

Query with_shuffled_tokens(const Model& model, const Query& query, std::uint64_t seed) {
  const Encoding encoding = encode_text(*model.tokenizer, query, query.text_pair);
  std::vector<std::size_t> places;
  Query shuffled = query;
  shuffled.ids.clear();
  for (const Token& token : encoding.tokens) {
    if (!token.is_special) places.push_back(shuffled.ids.size());
    shuffled.ids.push_back(token.id);
  }
  std::vector<std::int64_t> ids;
  for (const std::size_t place : places) ids.push_back(shuffled.ids[place]);
  RandomStream random(seed, "null.tokens");
  shuffle(ids.data(), ids.size(), random);
  for (std::size_t at = 0; at < places.size(); ++at) shuffled.ids[places[at]] = ids[at];
  return shuffled;
}

double NullValue::z_score() const {
  return deviation > 0 ? (value - mean) / deviation : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::vector<NullValue>> null_values(std::shared_ptr<const Model> model, const Query& query,
                                                const std::vector<MeasureRequest>& requests, NullKind kind, int draws, std::uint64_t seed,
                                                ThreadPool& pool, Progress& progress) {
  const std::vector<HeadValues> real = values_of(model, query, requests, pool, progress);
  struct Sums {
    double sum = 0, squares = 0;
    int count = 0;
  };
  std::vector<std::vector<Sums>> sums(real.size(), std::vector<Sums>(requests.size()));
  for (int draw = 0; draw < draws; ++draw) {
    progress.step(static_cast<double>(draw) / draws, "measuring what chance gives");
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(draw);
    const bool is_random = kind == NullKind::random_weights;
    const auto drawn = values_of(is_random ? with_random_weights(*model, own_seed) : model,
                                 is_random ? query : with_shuffled_tokens(*model, query, own_seed), requests, pool, progress);
    for (std::size_t head = 0; head < drawn.size(); ++head) {
      for (std::size_t request = 0; request < requests.size(); ++request) {
        const double value = drawn[head].values[request];
        if (std::isnan(value)) continue;
        Sums& of = sums[head][request];
        of.sum += value;
        of.squares += value * value;
        ++of.count;
      }
    }
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<NullValue>> nulls(real.size());
  for (std::size_t head = 0; head < real.size(); ++head) {
    for (std::size_t request = 0; request < requests.size(); ++request) {
      const Sums& of = sums[head][request];
      NullValue null{real[head].values[request], kNone, kNone, of.count};
      if (of.count > 0) null.mean = of.sum / of.count;
      if (of.count > 1) null.deviation = std::sqrt(std::max(0.0, (of.squares - of.sum * null.mean) / (of.count - 1)));
      nulls[head].push_back(null);
    }
  }
  return nulls;
}

}  // namespace headlight
