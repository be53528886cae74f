#include "engine/attention/surgery.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "engine/core/error.h"

namespace headlight {
namespace {

int query_width(const ModelConfig& config) {
  return config.heads * config.d_head;
}
int key_width(const ModelConfig& config) {
  return config.kv_heads * config.d_head;
}

/// A width splits q and k into whole heads, and those of q into equal groups.
bool is_legal(const ModelConfig& config, int heads) {
  if (heads < 1 || query_width(config) % heads != 0) return false;
  const int d_head = query_width(config) / heads;
  if (config.positions == PositionKind::rotary && (d_head % 2 != 0 || config.rotary.dimensions > d_head)) return false;
  return key_width(config) % d_head == 0 && heads % (key_width(config) / d_head) == 0;
}

bool is_multiple(int a, int b) {
  return a % b == 0 || b % a == 0;
}

}  // namespace

std::vector<int> legal_head_counts(const ModelConfig& config) {
  std::vector<int> counts;
  for (int heads = 1; heads <= query_width(config); ++heads) {
    if (is_legal(config, heads)) counts.push_back(heads);
  }
  return counts;
}

std::vector<int> legal_kv_head_counts(const ModelConfig& config, std::optional<int> heads) {
  const HeadCounts own = resolve_head_counts(config, heads, {});
  std::vector<int> counts;
  for (int kv_heads = 1; kv_heads <= own.heads; ++kv_heads) {
    if (own.heads % kv_heads == 0 && is_multiple(kv_heads, own.stored_kv_heads)) counts.push_back(kv_heads);
  }
  return counts;
}

HeadCounts resolve_head_counts(const ModelConfig& config, std::optional<int> heads, std::optional<int> kv_heads) {
  HeadCounts counts;
  counts.heads = heads.value_or(config.heads);
  if (!is_legal(config, counts.heads)) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "heads",
                 .problem = query_width(config) == config.d_model
                                ? fmt::format("{} heads do not divide d_model {}", counts.heads, config.d_model)
                                : fmt::format("{} heads do not divide the projections' width {}", counts.heads, query_width(config)),
                 .hint = fmt::format("Possible head counts: {}.", fmt::join(legal_head_counts(config), ", "))});
  }
  counts.d_head = query_width(config) / counts.heads;
  counts.stored_kv_heads = key_width(config) / counts.d_head;
  counts.kv_heads = kv_heads.value_or(counts.stored_kv_heads);
  if (counts.kv_heads >= 1 && counts.heads % counts.kv_heads == 0 && is_multiple(counts.kv_heads, counts.stored_kv_heads)) return counts;
  throw Error(
      {.kind = ErrorKind::usage,
       .field = "kv_heads",
       .problem = fmt::format("{} heads cannot read {} key/value heads made of {}", counts.heads, counts.kv_heads, counts.stored_kv_heads),
       .hint = fmt::format("Possible counts: {}.", fmt::join(legal_kv_head_counts(config, heads), ", "))});
}

SurgeryNote describe_surgery(const ModelConfig& config, const HeadCounts& counts) {
  if (counts.heads != config.heads) {
    return {Worth::what_if, fmt::format("What if: the same projections cut into {} heads of width {} instead of {} of {}. No model was "
                                        "trained this way; parameters are unchanged.",
                                        counts.heads, counts.d_head, config.heads, config.d_head)};
  }
  if (counts.kv_heads > counts.stored_kv_heads) {
    return {Worth::exact, fmt::format("Exact: each of {} key/value heads is repeated {} times, as grouped heads read them anyway.",
                                      counts.stored_kv_heads, counts.kv_heads / counts.stored_kv_heads)};
  }
  if (counts.kv_heads < counts.stored_kv_heads) {
    return {Worth::approximation, fmt::format("Approximation: {} key/value heads are averaged into {}; without training after it the "
                                              "maps are close to the model's, not equal.",
                                              counts.stored_kv_heads, counts.kv_heads)};
  }
  return {Worth::exact, "The model's own heads."};
}

SurgeryNote describe_dropping(std::size_t heads) {
  return {Worth::exact, fmt::format("Exact: the model with {} of its heads cut out. {} part of W_O adds nothing; the bias stays.", heads,
                                    heads == 1 ? "Its" : "Their")};
}

Matrix regroup(Matrix joined, const HeadCounts& counts) {
  if (counts.kv_heads == counts.stored_kv_heads) return joined;
  const Index width = joined.cols() / counts.stored_kv_heads;
  Matrix grouped = Matrix::Zero(joined.rows(), counts.kv_heads * width);
  if (counts.kv_heads > counts.stored_kv_heads) {
    const int times = counts.kv_heads / counts.stored_kv_heads;
    for (int head = 0; head < counts.kv_heads; ++head)
      grouped.middleCols(head * width, width) = joined.middleCols(head / times * width, width);
    return grouped;
  }
  const int share = counts.stored_kv_heads / counts.kv_heads;
  for (int head = 0; head < counts.stored_kv_heads; ++head) {
    grouped.middleCols(head / share * width, width) += joined.middleCols(head * width, width) / static_cast<float>(share);
  }
  return grouped;
}

}  // namespace headlight
