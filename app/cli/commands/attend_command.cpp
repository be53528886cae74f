#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "app/cli/attend/attend_compare.h"
#include "app/cli/attend/attend_options.h"
#include "app/cli/attend/attend_tensors.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "engine/core/checked.h"
#include "engine/core/enumeration.h"
#include "engine/core/random.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Whether the mask text alone gives the mask, if queries are counted from the first key, as in a file of maps.
bool is_mask_told_by_text(const TensorAttention& result, const TensorAttentionOptions& options) {
  if (options.mask_text.empty() || result.sizes.queries != result.sizes.keys) return false;
  const Mask told = MaskText(options.mask_text).cells({result.sizes.queries, result.sizes.keys, {}});
  const std::size_t cells = static_cast<std::size_t>(told.queries() * told.keys());
  for (std::size_t at = 0; at < result.mask.values.size(); ++at) {
    const auto cell = static_cast<Index>(at % cells);
    if (told.allows(cell / told.keys(), cell % told.keys()) != (result.mask.values[at] != 0)) return false;
  }
  return true;
}

/// The mask text for a file of maps that has no mask tensor, so that its measures are those of this run.
std::string mask_text_of(const TensorAttention& result, const TensorAttentionOptions& options) {
  if (result.mask.values.empty()) return "none";
  return is_mask_told_by_text(result, options) ? options.mask_text : std::string();
}

/// The tensors of a result, by the names that they are written under.
std::vector<std::pair<std::string, const FloatTensor*>> named_results(const TensorAttention& result, const AttendChoices& choices,
                                                                      bool has_past) {
  std::vector<std::pair<std::string, const FloatTensor*>> named = {{"attention", &result.attention}, {"output", &result.output}};
  const std::array<std::pair<const char*, const FloatTensor*>, 5> more = {
      {{"scores", &result.scores}, {"q", &result.q}, {"k", &result.k}, {"v", &result.v}, {"z", &result.z}}};
  for (const auto& [name, tensor] : more) {
    if (choices.include.contains(name)) named.emplace_back(name, tensor);
  }
  if (has_past) named.insert(named.end(), {{"present_key", &result.k}, {"present_value", &result.v}});
  if (!result.mask.values.empty() && !is_mask_told_by_text(result, choices.attention)) named.emplace_back("mask", &result.mask);
  return named;
}

void write_tensors(const std::string& output, const std::vector<std::pair<std::string, const FloatTensor*>>& named, const Json& about,
                   const std::string& mask_text) {
  std::vector<TensorToWrite> tensors;
  tensors.reserve(named.size());
  for (const auto& [name, tensor] : named) tensors.push_back({name, tensor->shape, tensor->values});
  std::map<std::string, std::string> metadata = {{"attend", json_text(about)}};
  if (!mask_text.empty()) metadata["headlight.mask"] = mask_text;
  (writes_npz(output) ? write_npz : write_safetensors)(output, tensors, metadata);
}

std::string_view name_of_stage(ScoreStage stage) {
  static constexpr Names<ScoreStage> kNames{"scaled", "capped", "masked", "weights"};
  return kNames[stage];
}

std::string_view name_of_precision(SoftmaxPrecision precision) {
  static constexpr Names<SoftmaxPrecision> kNames{"float32", "float16", "bfloat16"};
  return kNames[precision];
}

/// "score: dot, scale 0.5, soft-cap 30, sink 1.5, softmax in float16": the last three only where asked for.
std::string score_line(const TensorAttention& result, const TensorAttentionOptions& options) {
  std::string line = fmt::format("score: {}, scale {:.6g}", score_function(options.score).name, result.scale);
  if (options.softcap > 0) line += fmt::format(", soft-cap {:g}", options.softcap);
  if (options.sink) line += fmt::format(", sink {:g}", *options.sink);
  if (options.softmax_precision != SoftmaxPrecision::float32) {
    line += fmt::format(", softmax in {}", name_of_precision(options.softmax_precision));
  }
  return line;
}

std::string heads_line(const TensorAttention& result) {
  std::string line = fmt::format("heads: {} of width {}", result.sizes.heads, result.d_head);
  if (result.d_value != result.d_head) line += fmt::format(", values {} wide", result.d_value);
  if (result.kv_heads != result.sizes.heads)
    line += fmt::format(", {} share one of {} key/value heads", result.sizes.heads / result.kv_heads, result.kv_heads);
  return line;
}

std::string rows_line(const TensorAttention& result) {
  const AttentionSizes& sizes = result.sizes;
  const std::int64_t rows = sizes.batch * sizes.heads * sizes.queries;
  if (result.masked_row_count == 0) return fmt::format("fully masked rows: 0 of {}", rows);
  return fmt::format("fully masked rows: {} of {}, all zeros: {}{} (batch, head, query)", result.masked_row_count, rows,
                     fmt::join(result.masked_rows, " "), result.masked_row_count > std::ssize(result.masked_rows) ? " ..." : "");
}

std::string summary(const TensorAttention& result, const AttendChoices& choices) {
  const TensorAttentionOptions& options = choices.attention;
  std::vector<std::string> lines = {heads_line(result), score_line(result, options)};
  if (result.parameters > 0) lines.push_back(fmt::format("parameters: {}", result.parameters));
  if (!options.mask_text.empty()) lines.push_back("mask text: " + options.mask_text);
  lines.insert(lines.end(), result.notes.begin(), result.notes.end());
  if (choices.dropout > 0) lines.push_back(fmt::format("dropout: {:g}, not applied (inference)", choices.dropout));
  lines.push_back(rows_line(result));
  if (result.overflow.nan + result.overflow.infinite > 0) {
    lines.push_back(fmt::format("beyond float32: {} NaN and {} infinite numbers among weights and output; the scores are too large",
                                result.overflow.nan, result.overflow.infinite));
  }
  return joined(lines);
}

Json about_run(const TensorAttention& result, const AttendChoices& choices) {
  const TensorAttentionOptions& options = choices.attention;
  Json about = {{"heads", result.sizes.heads},
                {"kv_heads", result.kv_heads},
                {"score", score_function(options.score).name},
                {"scale", result.scale},
                {"softcap", options.softcap},
                {"softmax_precision", name_of_precision(options.softmax_precision)},
                {"mask", options.mask_text},
                {"layout", options.layout == TensorLayout::batch_first ? "batch-first" : "sequence-first"},
                {"fully_masked_rows", result.masked_row_count},
                {"notes", result.notes}};
  if (options.sink) about["sink"] = *options.sink;
  if (options.stage) about["stage"] = name_of_stage(*options.stage);
  return about;
}

/// Returns the exit status.
int run_attention(const SafetensorsFile& file, const LoadedTensors& loaded, AttendChoices choices, const AttendOptions& options) {
  const bool has_past = loaded.tensors.past_key.has_value();
  TensorAttentionOptions& attention = choices.attention;
  if (has_past || file.find("z")) attention.keeps_parts = true;
  if (file.find("scores") && !attention.stage) attention.stage = ScoreStage::scaled;
  ThreadPool pool(options.threads);
  ConsoleProgress progress;
  const TensorAttention result = attend_tensors(loaded.tensors, attention, pool, progress);
  const auto named = named_results(result, choices, has_past);
  const Comparison comparison =
      compare_with_file(file, {{"attention", &result.attention}, {"scores", &result.scores}, {"z", &result.z}, {"output", &result.output}},
                        result, attention.layout, choices.tolerance);
  std::string text = joined(loaded.lines) + summary(result, choices);
  if (file.find("scores")) text += fmt::format("scores in the file are compared as {}\n", name_of_stage(*attention.stage));
  text += joined(comparison.lines);
  if (!loaded.unused.empty()) text += fmt::format("not used: {}\n", fmt::join(loaded.unused, ", "));
  write_tensors(options.output, named, about_run(result, choices), mask_text_of(result, attention));
  for (const auto& [name, tensor] : named) {
    const std::string stage = name == "scores" ? fmt::format(", {}", name_of_stage(*attention.stage)) : "";
    text += fmt::format("wrote {}: {}{}\n", name, shape_text(tensor->shape), stage);
  }
  if (!comparison.differing.empty()) {
    text += fmt::format("differs from the file: {} (exit status {})\n", fmt::join(comparison.differing, ", "), kDiffersStatus);
  }
  write_result(text);
  return comparison.differing.empty() ? 0 : kDiffersStatus;
}

/// The projection step alone: the axes before the width stay as they are (seeds S3-1, S3-2).
void run_projection(const LoadedTensors& loaded, const AttendChoices& choices, const AttendOptions& options) {
  const AttentionTensors& t = loaded.tensors;
  if (!choices.attention.heads) refuse_option("--heads", "into how many heads?", {}, "a number that divides the width");
  const int heads = *choices.attention.heads, kv_heads = choices.attention.kv_heads.value_or(heads);
  ThreadPool pool(options.threads);
  std::map<std::string, FloatTensor> projected;
  using Part = AttentionTensors::Part;
  const auto add = [&](const char* name, const std::string& own, const Part& input, const Part& weight, const Part& bias, int count) {
    const Part& x = input ? input : t.x;
    if (!x || !weight) return;
    projected[name] =
        project_heads({input ? own : "x", *x}, {name, *weight, choices.attention.has_bias && bias ? &*bias : nullptr}, count, pool);
  };
  add("q", "query", t.query, t.q_weight, t.q_bias, heads);
  add("k", "key", t.key, t.k_weight, t.k_bias, kv_heads);
  add("v", "value", t.value, t.v_weight, t.v_bias, kv_heads);
  if (projected.empty()) {
    throw Error({.kind = ErrorKind::input,
                 .field = "tensors",
                 .problem = "there is nothing to project",
                 .expected = "x, or query, key and value, with q.weight, k.weight or v.weight"});
  }
  std::vector<std::pair<std::string, const FloatTensor*>> named;
  std::string text = joined(loaded.lines);
  for (const auto& [name, tensor] : projected) {
    named.emplace_back(name, &tensor);
    text += fmt::format("wrote {}: {}\n", name, shape_text(tensor.shape));
    const NonFinite overflow = count_non_finite(tensor.values);
    if (overflow.nan + overflow.infinite == 0) continue;
    text += fmt::format("beyond float32: {} NaN and {} infinite numbers in {}\n", overflow.nan, overflow.infinite, name);
  }
  write_tensors(options.output, named, {{"heads", heads}, {"kv_heads", kv_heads}}, {});
  write_result(text);
}

/// Seeds S2-9: all inputs are one, so every row is 1/3 or 1/2 for the valid keys and 0 for the others.
void write_example(const std::string& path) {
  constexpr int kWidth = 100;
  const FloatTensor query{{2, 4, kWidth}, std::vector<float>(800, 1.0F)}, key{{2, 6, kWidth}, std::vector<float>(1200, 1.0F)};
  const FloatTensor lengths{{2}, {3, 2}};
  std::map<std::string, FloatTensor> weights;
  for (const char* name : {"q.weight", "k.weight", "v.weight", "o.weight"}) {
    FloatTensor& weight = weights[name] = make_tensor({kWidth, kWidth});
    RandomStream stream(1, name);
    for (float& number : weight.values) number = stream.next_normal() / 10;
  }
  std::vector<TensorToWrite> tensors = {{"query", query.shape, query.values},
                                        {"key", key.shape, key.values},
                                        {"value", key.shape, key.values},
                                        {"valid_lens", lengths.shape, lengths.values}};
  for (const auto& [name, weight] : weights) tensors.push_back({name, weight.shape, weight.values});
  write_safetensors(path, tensors, {{"headlight.heads", "5"}, {"headlight.dropout", "0.5"}});
  write_result(
      fmt::format("wrote {}: query [2, 4, 100], key and value [2, 6, 100], valid_lens [2], four projections, 5 heads\n", printable(path)));
}

int run_attend(const AttendOptions& options) {
  if (!options.example.empty()) write_example(options.example);
  if (!options.example.empty() && options.file.empty()) return 0;
  if (options.file.empty())
    refuse_option("FILE", "which tensors?", {}, "a .safetensors file", "--write-example FILE writes one to start from");
  if (options.output.empty()) refuse_option("-o", "name the file to write", {}, "-o OUT.safetensors");
  writes_npz(options.output);
  const SafetensorsFile file(options.file);
  std::error_code ignored;
  if (fs::equivalent(options.file, options.output, ignored))
    refuse_option("-o", "this would overwrite the input file", printable(options.output));
  try {
    const AttendChoices choices = options.choices(file);
    const LoadedTensors loaded = load_attention_tensors(file);
    if (!choices.only_projects) return run_attention(file, loaded, choices, options);
    run_projection(loaded, choices, options);
  } catch (const Error& error) {
    throw options.placed(error, file);
  }
  return 0;
}

}  // namespace

void add_attend(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<AttendOptions>(command, action, run_attend);
}

}  // namespace headlight
