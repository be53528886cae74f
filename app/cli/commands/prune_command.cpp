#include <fmt/core.h>

#include <optional>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "app/cli/studies/corpus_options.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/json.h"
#include "engine/model/files/load_model.h"
#include "engine/studies/importance/prune.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

constexpr std::size_t kMostTexts = 4096;

struct PruneOptions {
  explicit PruneOptions(CLI::App& command) : given(command), query(command, QueryUse::corpus) {
    command.add_option("--texts", texts, "Many texts instead of -t: .txt (one a line), .csv or .jsonl; up to 4096")->type_name("FILE");
    command.add_option("--column", column, "The column of a .csv or field of a .jsonl that holds the texts; by default `text`")
        ->type_name("NAME");
    add_target(command, target, "The number of the output that is followed; by default the loss of the text");
    command
        .add_option("--by", by, "What makes a head important, as in `headlight importance`: zero, gate, uniform, previous, self or first")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_flag("--exact", is_exact, "Rank the heads that are left anew after each step, instead of once");
    command.add_option("--keep", kept, "Heads of each layer that stay")
        ->check(CLI::Range(0, 10'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("-o,--output", output, "The file to write instead of printing: .csv or .json")->type_name("FILE");
  }
  PruneSettings settings() const {
    const std::vector<EffectMethod> methods = effect_methods(by, "--by");
    if (methods.size() != 1) refuse_option("--by", "heads are ranked by one method", "\"" + printable(by, 60) + "\"", "zero or gate");
    return {.by = methods.front(), .is_exact = is_exact, .kept_per_layer = kept};
  }
  const CLI::App& given;
  QueryOptions query;
  std::optional<Target> target;
  std::string texts, column, by = "zero", output;
  bool is_exact = false;
  int kept = 1;
};

/// The texts of --texts, or the one of the query.
std::vector<TokenStage> tokens_of(const PruneOptions& options, const PassingRun& run, const Query& query) {
  if (options.texts.empty()) return {run.tokens_of(query)};
  std::vector<TokenStage> tokens;
  CorpusReader corpus(options.texts, corpus_format(options.texts, options.column, false));
  for (CorpusText text; corpus.next(text);) {
    if (!text.problem.empty()) print_notes({fmt::format("line {}: {}", text.line, text.problem)});
    if (!text.problem.empty() || text.is_blank()) continue;
    if (tokens.size() == kMostTexts)
      refuse_option("--texts", "these are too many texts to keep", printable(options.texts, 80), fmt::format("{} at most", kMostTexts));
    tokens.push_back(run.tokens_of(text.asked_by(query)));
  }
  if (tokens.empty()) refuse_option("--texts", "the file has no text", printable(options.texts, 80), "texts, one a line");
  return tokens;
}

std::string csv_of(const PrunedHeads& pruned) {
  std::string text = fmt::format("removed,layer,head,value\n0,,,{}\n", pruned.whole);
  for (std::size_t step = 0; step < pruned.curve.size(); ++step) {
    const PruningStep& each = pruned.curve[step];
    text += fmt::format("{},{},{},{}\n", step + 1, each.removed.layer, each.removed.head, each.value);
  }
  return text;
}

Report json_of(const PrunedHeads& pruned, const Target& target, const PruneOptions& options, std::size_t texts) {
  Report report = {{"target", to_text(target)},      {"by", options.by}, {"exact", options.is_exact},
                   {"kept_per_layer", options.kept}, {"texts", texts},   {"whole", pruned.whole},
                   {"steps", Report::array()}};
  for (const PruningStep& each : pruned.curve)
    report["steps"].push_back({{"layer", each.removed.layer}, {"head", each.removed.head}, {"value", each.value}});
  return report;
}

int run_prune(const PruneOptions& options) {
  const PruneSettings settings = options.settings();
  ConsoleProgress progress;
  const Document document = options.query.document();
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  if (names_attention_dump(query.model.name))
    refuse_option("-m", "maps from a file make no predictions, so no head changes any", query.model.name,
                  "a model with a language-model head");
  if (options.texts.empty() && query.text.empty() && query.ids.empty()) refuse_option("-t", "which text?", {}, "-t TEXT, or --texts FILE");
  if (!options.texts.empty()) refuse_text_beside_texts(options.given);
  if (options.texts.empty() && !options.column.empty()) refuse_option("--column", "this is for --texts", {}, "--texts FILE");
  const bool is_json = options.output.ends_with(".json");
  if (!options.output.empty() && !is_json && !options.output.ends_with(".csv"))
    refuse_option("-o", "the ending says what to write", "\"" + printable(options.output, 120) + "\"", ".csv or .json");
  ThreadPool pool(options.query.threads());
  const Target target = options.target.value_or(document.target);
  const std::shared_ptr<const Model> model = load_model(query.model, progress);
  check_target_tokens(target, *model);
  const std::vector<TokenStage> tokens = tokens_of(options, PassingRun(model, unedited_query(query)), query);
  const PrunedHeads pruned = prune_heads(model, query, target, settings, tokens, pool, progress);
  const std::string written = is_json ? json_text(json_of(pruned, target, options, tokens.size()), 2) + "\n" : csv_of(pruned);
  write_result(written, options.output);
  return 0;
}

}  // namespace

void add_prune(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PruneOptions>(command, action, run_prune);
}

}  // namespace headlight
