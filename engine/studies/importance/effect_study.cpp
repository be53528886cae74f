#include "engine/studies/importance/effect_study.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {

const Donor* OtherTexts::donor_for(const TokenStage& tokens) const {
  const std::vector<std::int64_t>& ids = tokens.numbers.ids;
  if (donors.empty()) return nullptr;
  const auto first = static_cast<std::size_t>(fnv1a(fmt::format("{} {}", seed, fmt::join(ids, " "))) % donors.size());
  for (std::size_t step = 0; step < donors.size(); ++step) {
    const Donor& donor = donors[(first + step) % donors.size()];
    if (donor.ids != ids) return &donor;
  }
  return nullptr;
}

namespace {

struct ReadText {
  TokenStage tokens;
  HeadOutputs outputs;
};

std::optional<ReadText> run_text(const EffectPlan& plan, const Query& query, const CorpusText& text, Index longest, const Watch& watch) {
  if (!text.problem.empty() || text.is_blank()) return std::nullopt;
  try {
    ThreadPool alone(1);
    ReadText read{plan.run().tokens_of(text.asked_by(query)), {}};
    const Index tokens = std::ssize(read.tokens.encoding->tokens);
    if (tokens == 0 || tokens > longest) return std::nullopt;
    read.outputs = outputs_of(plan, read.tokens, alone, watch);
    return read;
  } catch (const Error&) {
    return std::nullopt;  // the study itself says which line and why
  }
}

void add_text(OtherTexts& others, std::optional<ReadText>& read) {
  if (!read) return;
  others.mean.add(read->outputs);
  const auto is_known = [&](const Donor& donor) { return donor.ids == read->tokens.numbers.ids; };
  const bool is_new = std::none_of(others.donors.begin(), others.donors.end(), is_known);
  if (is_new && others.donors.size() < kMostDonors) others.donors.push_back({read->tokens.numbers.ids, std::move(read->outputs)});
}

constexpr const char* kReadingTexts = "reading the texts for their means";

std::size_t texts_at_once(const ThreadPool& pool) {
  return static_cast<std::size_t>(4 * pool.threads());
}

/// Adds them in their order, whatever finished first.
void add_block(const EffectPlan& plan, const Query& query, const std::vector<CorpusText>& block, Index longest, OtherTexts& others,
               ThreadPool& pool, Progress& progress) {
  std::vector<std::optional<ReadText>> read(block.size());
  pool.for_each(std::ssize(block), [&](Index at) {
    const auto place = static_cast<std::size_t>(at);
    read[place] = run_text(plan, query, block[place], longest, progress);
  });
  for (std::optional<ReadText>& each : read) add_text(others, each);
}

}  // namespace

OtherTextsReader::OtherTextsReader(const EffectPlan& plan, Query query, CorpusReader& corpus, Index longest, std::uint64_t seed)
    : plan_(plan), query_(std::move(query)), corpus_(corpus), longest_(longest), others_{.mean = {}, .donors = {}, .seed = seed} {}

double OtherTextsReader::done() const {
  return static_cast<double>(corpus_.position()) / static_cast<double>(std::max<std::uint64_t>(1, corpus_.size()));
}

bool OtherTextsReader::advance(ThreadPool& pool, Progress& progress) {
  progress.step(done(), kReadingTexts);
  const std::size_t at_once = texts_at_once(pool);
  CorpusText text;
  while (block_.size() < at_once && has_more_) {
    has_more_ = corpus_.next(text);
    if (has_more_) block_.push_back(std::move(text));
  }
  add_block(plan_, query_, block_, longest_, others_, pool, progress);
  block_.clear();
  return has_more_;
}

OtherTexts read_other_texts(const EffectPlan& plan, const Query& query, CorpusReader& corpus, Index longest, std::uint64_t seed,
                            ThreadPool& pool, Progress& progress) {
  OtherTextsReader reader(plan, query, corpus, longest, seed);
  while (reader.advance(pool, progress)) {
  }
  return reader.take();
}

OtherTexts read_other_texts(const EffectPlan& plan, const Query& query, const TextSet& set, Index longest, std::uint64_t seed,
                            ThreadPool& pool, Progress& progress) {
  OtherTexts others{.mean = {}, .donors = {}, .seed = seed};
  const std::size_t at_once = texts_at_once(pool);
  for (std::size_t begin = 0; begin < set.texts.size(); begin += at_once) {
    progress.step(static_cast<double>(begin) / static_cast<double>(set.texts.size()), kReadingTexts);
    std::vector<CorpusText> block(std::min(at_once, set.texts.size() - begin));
    for (std::size_t at = 0; at < block.size(); ++at) block[at].text = set.texts[begin + at];
    add_block(plan, query, block, longest, others, pool, progress);
  }
  return others;
}

Matrix rows_of_other(const Matrix& own, const Matrix& other) {
  Matrix rows = own;
  const Index shared = std::min(own.rows(), other.rows());
  rows.topRows(shared) = other.topRows(shared);
  return rows;
}

double effect_of(EffectMethod method, HeadId head, TextEffects& text, const OtherTexts* others, const Donor* donor, int heads) {
  const auto change = [&](const Matrix& other) { return text.with(head, rows_of_other(text.output(head), other)) - text.unchanged(); };
  if (const auto map = effect_row(method).map) {
    const Matrix z = text.output_with(head, *map);
    return z.size() == 0 ? std::numeric_limits<double>::quiet_NaN() : text.with(head, z) - text.unchanged();
  }
  switch (method) {
    case EffectMethod::zero:
      return text.gated(head, 0) - text.unchanged();
    case EffectMethod::mean:
      return change(others->mean.of(head, heads));
    case EffectMethod::resample: {
      if (donor == nullptr) return std::numeric_limits<double>::quiet_NaN();
      Matrix copy;
      return change(head_columns(donor->outputs[static_cast<std::size_t>(head.layer)], heads, head.head, copy));
    }
    case EffectMethod::gate:
      return text.gate_gradient(head);
    default:
      return std::numeric_limits<double>::quiet_NaN();  // maps, above
  }
}

std::vector<HeadValues> measure_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const OtherTexts* others,
                                        const TokenStage& tokens, ThreadPool& pool, const Watch& watch, std::optional<std::int64_t> next) {
  TextEffects text(plan, tokens, pool, watch, next);
  if (!text.problem().empty()) throw Error({.kind = ErrorKind::input, .field = "target", .problem = text.problem()});
  const Donor* const donor = others == nullptr ? nullptr : others->donor_for(tokens);
  std::vector<HeadValues> found;
  for (int layer = 0; layer < plan.model().config.layers; ++layer) {
    const int heads = plan.run().heads(layer);
    for (int head = 0; head < heads; ++head) {
      HeadValues& values = found.emplace_back();
      values.head = {layer, head};
      for (const EffectMethod method : methods) {
        watch.check();
        values.values.push_back(effect_of(method, values.head, text, others, donor, heads));
      }
      values.cells.assign(methods.size(), {.query = text.watched_position()});
    }
  }
  return found;
}

HeadEffects effects_of_heads(const EffectPlan& plan, EffectMethod method, const TokenStage& tokens, ThreadPool& pool, Progress& progress,
                             const OtherTexts* others) {
  const Donor* const donor = others == nullptr ? nullptr : others->donor_for(tokens);
  if (effect_row(method).needs_other_texts && donor == nullptr)
    throw Error({.kind = ErrorKind::usage, .field = "method", .problem = "this way to change a head needs other texts"});
  TextEffects text(plan, tokens, pool, progress);
  HeadEffects found{.target = plan.target(), .method = method, .problem = text.problem()};
  if (!found.problem.empty()) return found;
  found.unchanged = text.unchanged();
  const int layers = plan.model().config.layers;
  for (int layer = 0; layer < layers; ++layer) {
    const int heads = plan.run().heads(layer);
    for (int head = 0; head < heads; ++head) {
      progress.step((layer + static_cast<double>(head) / heads) / layers, "changing each head alone");
      found.heads.push_back({layer, head});
      found.values.push_back(effect_of(method, {layer, head}, text, others, donor, heads));
    }
  }
  return found;
}

}  // namespace headlight
