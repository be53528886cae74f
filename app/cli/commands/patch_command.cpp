#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/report_option.h"
#include "app/cli/options/target_option.h"
#include "app/cli/reports/listed_token.h"
#include "app/work/predictions.h"
#include "engine/core/numbers.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/json.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/other_runs.h"
#include "engine/studies/importance/patch_sweep.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

struct PatchOptions {
  explicit PatchOptions(CLI::App& command) : query(command), written(command) {
    command.add_option("--from", from, "The other text, of equally many tokens, whose numbers are put in")->required()->type_name("TEXT");
    command
        .add_option("--part", part,
                    "What is put in: stream, what a layer reads, or layer-z, what all its heads give, at one position, for every\n"
                    "layer and position; z, what a head gives, or pattern, its map, for every head at all positions")
        ->check(CLI::IsMember({"stream", "layer-z", "z", "pattern"}).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    add_target(command, target, "The number of the output that is watched; by default the loss of the text");
  }
  PatchedPart patched() const {
    if (part == "stream") return PatchedPart::stream;
    if (part == "layer-z") return PatchedPart::layer_z;
    return part == "z" ? PatchedPart::z : PatchedPart::pattern;
  }
  QueryOptions query;
  std::optional<Target> target;
  std::string from, part = "stream";
  ReportOption written;
};

struct PatchFound {
  PatchSweep sweep;
  std::string target;
  std::vector<std::string> tokens;  ///< of the positions, where there are columns for them
  int layers = 0;
};

std::string share_text(double share) {
  return std::isnan(share) ? "–" : number_text(share, 2);
}

/// A row for each layer, a column for each position or head: the share that comes back.
std::string table_of(const PatchFound& found) {
  constexpr int kWidth = 8;
  const PatchSweep& sweep = found.sweep;
  std::string text = fmt::format("{}: {} as it is, {} in the other text\nshare of the difference that comes back\n",
                                 printable(found.target, 120), number_text(sweep.unpatched, 4), number_text(sweep.other, 4));
  const bool is_by_place = !sweep.values.empty() && sweep.values.front().head < 0;
  text += fmt::format("{:8}", "layer");
  std::size_t columns = 0;
  for (const PatchValue& value : sweep.values) columns += value.layer == sweep.values.front().layer ? 1 : 0;
  for (std::size_t column = 0; column < columns; ++column)
    text += fmt::format("{:>{}}", is_by_place ? fmt::format("@{}", column) : fmt::format("head {}", column), kWidth);
  int layer = -1;
  for (const PatchValue& value : sweep.values) {
    if (value.layer != layer) text += fmt::format("\n{:<8}", layer = value.layer);
    text += fmt::format("{:>{}}", share_text(sweep.recovered(value)), kWidth);
  }
  text += '\n';
  for (std::size_t at = 0; at < found.tokens.size(); ++at)
    text += fmt::format("@{} {}{}", at, printable(found.tokens[at], 40), at + 1 < found.tokens.size() ? "  " : "\n");
  return text;
}

std::string csv_of(const PatchFound& found) {
  const bool is_by_place = !found.sweep.values.empty() && found.sweep.values.front().head < 0;
  std::string text = is_by_place ? "layer,position,value,recovered\n" : "layer,head,value,recovered\n";
  for (const PatchValue& value : found.sweep.values) {
    const double share = found.sweep.recovered(value);
    text += fmt::format("{},{},{},{}\n", value.layer, is_by_place ? value.position : Index{value.head}, value.value,
                        std::isnan(share) ? std::string() : fmt::format("{}", share));
  }
  return text;
}

Report json_of(const PatchFound& found) {
  Report report = {
      {"target", found.target}, {"unpatched", found.sweep.unpatched}, {"other", found.sweep.other}, {"patches", Report::array()}};
  for (const PatchValue& value : found.sweep.values) {
    Report each = {{"layer", value.layer}};
    if (value.head >= 0) each["head"] = value.head;
    if (value.position >= 0) each["position"] = value.position;
    const double share = found.sweep.recovered(value);
    each["value"] = value.value;
    each["recovered"] = std::isnan(share) ? Report() : Report(share);
    report["patches"].push_back(std::move(each));
  }
  return report;
}

int run_patch(const PatchOptions& options) {
  ConsoleProgress progress;
  const Document document = options.query.document();
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  if (names_attention_dump(query.model.name))
    refuse_option("-m", "maps from a file make no predictions, so no patch changes any", query.model.name,
                  "a model with a language-model head");
  ThreadPool pool(options.query.threads());
  const Target target = options.target.value_or(document.target);
  const EffectPlan plan(load_model(query.model, progress), query, target);
  const TokenStage tokens = plan.run().tokens_of(query), other = plan.run().tokens_of(query_of_other_text(query, options.from));
  PatchFound found{sweep_patches(plan, tokens, other, options.patched(), pool, progress), to_text(target), {}, plan.model().config.layers};
  if (is_by_position(options.patched())) {
    for (const Token& token : tokens.encoding->tokens) found.tokens.push_back(listed_token(*plan.model().tokenizer, token.id));
  }
  options.written.write({table_of(found), csv_of(found), json_of(found)});
  return 0;
}

}  // namespace

void add_patch(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PatchOptions>(command, action, run_patch);
}

}  // namespace headlight
