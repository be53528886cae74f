// A query changed in one random way, as a person would.
#pragma once

#include "engine/core/random.h"
#include "engine/forward/query.h"
#include "engine/forward/surgery.h"

namespace headlight::testing {

inline Query query_of(std::string text) {
  Query query;
  query.text = std::move(text);
  query.model.sandbox.d_model = 24;
  query.model.sandbox.heads = 4;
  return query;
}

inline void edit(Query& query, RandomStream& random) {
  const auto pick = [&](std::uint64_t count) { return static_cast<int>(random.next() % count); };
  const HeadId head{pick(5), pick(5)};  // sometimes one that is not there
  const Scope scopes[] = {{}, {Scope::Kind::layer, {head.layer, 0}}, {Scope::Kind::head, head}};
  const char* masks[] = {"none", "causal", "window:2", "no-self", "k == 0 || q == k", "padding:3"};
  const char* texts[] = {"The cat sat on the mat", "The cat sat", "A dog", "", "One two three four five six seven eight nine ten"};
  const int counts[] = {1, 2, 3, 4, 6, 8, 12, 24};
  const ScoreKind kinds[] = {ScoreKind::dot, ScoreKind::cosine, ScoreKind::additive, ScoreKind::relative};
  switch (pick(15)) {
    case 0:
      query.mask.rules.push_back({scopes[pick(3)], masks[pick(6)], {}});
      break;
    case 1:
      query.mask.rules.push_back({scopes[pick(3)], "", {{pick(8), 8, pick(8), 8, pick(2) == 0}}});
      break;
    case 2:
      query.mask.rules.clear();
      break;
    case 3:
      query.text = texts[pick(5)];
      break;
    case 4:
      query.switched_off = {head};
      break;
    case 5:
      query.heads = counts[pick(8)];
      query.kv_heads.reset();
      break;
    case 6:
      query.score.is_scaled = pick(2) == 0;
      query.score.temperature = pick(2) == 0 ? 1.0F : 0.5F;
      break;
    case 8:
      query.mask_reach = pick(2) == 0 ? MaskReach::this_head : MaskReach::whole_model;
      break;
    case 9:
      query.block = {pick(3) != 0, pick(3) != 0, pick(3) != 0, pick(3) != 0};
      break;
    case 10: {
      const std::vector<int> legal = legal_kv_head_counts(sandbox_config(query.model.sandbox), query.heads);
      query.kv_heads = legal[static_cast<std::size_t>(pick(legal.size()))];
      break;
    }
    case 11:
      query.score.kind = kinds[pick(4)];
      break;
    case 12:
      query.score.softcap = pick(2) == 0 ? std::optional(0.5F) : std::nullopt;
      break;
    case 13:
      query.score.sink = pick(2) == 0 ? std::optional(1.0F) : std::nullopt;
      break;
    case 7:
      query.text_pair = pick(2) == 0 ? std::optional<std::string>("and the dog") : std::nullopt;
      break;
    default:
      query.model.sandbox.seed = static_cast<std::uint64_t>(1 + pick(2));
      query.model.sandbox.kind = pick(4) != 0 ? SandboxKind::causal : SandboxKind::bidirectional;
      query.model.sandbox.biases = pick(2) == 0 ? SandboxBiases::random : SandboxBiases::none;
  }
}

}  // namespace headlight::testing
