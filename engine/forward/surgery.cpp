#include "engine/forward/surgery.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "engine/core/error.h"

namespace headlight {
namespace {

int query_width(const ModelConfig& config) {
  return config.heads.count * config.heads.d_head;
}
int key_width(const ModelConfig& config) {
  return config.heads.kv_count * config.heads.d_head;
}

std::string counted(int heads) {
  return fmt::format("{} head{}", heads, heads == 1 ? "" : "s");
}

bool is_multiple(int a, int b) {
  return a % b == 0 || b % a == 0;
}

/// "8 heads of width 8 instead of 4 of width 16": what other head counts do to the projections.
std::string describe_cut(const ModelConfig& config, const HeadCounts& counts) {
  std::string cut = fmt::format("the same projections cut into {} of width {} instead of {} of width {}", counted(counts.heads),
                                counts.d_head, config.heads.count, config.heads.d_head);
  if (config.heads.kv_count != config.heads.count) {
    cut += fmt::format(", those of keys and values into {} instead of {}", counts.stored_kv_heads, config.heads.kv_count);
  }
  return cut;
}

/// What is done to the key/value heads that the projections hold; empty: nothing.
std::string describe_regrouping(const HeadCounts& counts) {
  if (counts.kv_heads > counts.stored_kv_heads) {
    return fmt::format("each of {} key/value heads is repeated {} times, as grouped heads read them anyway", counts.stored_kv_heads,
                       counts.kv_heads / counts.stored_kv_heads);
  }
  if (counts.kv_heads < counts.stored_kv_heads) {
    return fmt::format("{} key/value heads are averaged into {}", counts.stored_kv_heads, counts.kv_heads);
  }
  return {};
}

}  // namespace

std::string problem_of_head_count(const ModelConfig& config, int heads) {
  const int width = query_width(config);
  if (heads < 1) return fmt::format("{} heads: there has to be at least 1", heads);
  if (width % heads != 0) {
    return width == config.d_model ? fmt::format("{} heads do not divide d_model {}", heads, width)
                                   : fmt::format("{} heads do not divide the projections' width {}", heads, width);
  }
  const int d_head = width / heads;
  const std::string wide = fmt::format("{} would be {} wide", counted(heads), d_head);
  if (config.positions.kind == PositionKind::rotary) {
    if (config.positions.rotary.dimensions > d_head)
      return fmt::format("{}, but rotary positions turn {} numbers", wide, config.positions.rotary.dimensions);
    if (d_head % 2 != 0) return fmt::format("{}, but rotary positions turn pairs of numbers", wide);
  }
  // Then the groups are equal too: q is a whole number of times as wide as k (check_config).
  if (key_width(config) % d_head != 0) return fmt::format("{}, but k and v are {} wide", wide, key_width(config));
  return {};
}

std::vector<int> legal_head_counts(const ModelConfig& config) {
  std::vector<int> counts;
  const int width = query_width(config);
  for (int heads = 1; heads <= width; ++heads) {
    // Most do not divide it, and the window asks in every frame: no words are made of why.
    if (width % heads == 0 && problem_of_head_count(config, heads).empty()) counts.push_back(heads);
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
  counts.heads = heads.value_or(config.heads.count);
  if (std::string problem = problem_of_head_count(config, counts.heads); !problem.empty()) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "heads",
                 .problem = std::move(problem),
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
  const bool is_cut = counts.heads != config.heads.count;
  const std::string regrouping = describe_regrouping(counts);
  if (is_cut) {
    const std::string then = regrouping.empty() ? "" : "; then " + regrouping;
    return {Worth::what_if, fmt::format("What if: {}{}. No model was trained this way.", describe_cut(config, counts), then)};
  }
  if (regrouping.empty()) return {Worth::exact, "The model's own heads."};
  if (counts.kv_heads > counts.stored_kv_heads) return {Worth::exact, fmt::format("Exact: {}.", regrouping)};
  return {Worth::approximation,
          fmt::format("Approximation: {}; without training after it the maps are close to the model's, not equal.", regrouping)};
}

SurgeryNote describe_switched_off(std::size_t heads) {
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
