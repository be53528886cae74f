#include <fmt/core.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "app/cli/studies/corpus_options.h"
#include "engine/dumps/attention_dump.h"

namespace headlight {
namespace {

struct ImportanceOptions {
  explicit ImportanceOptions(CLI::App& command) : query(command, QueryUse::corpus), corpus(command) {
    command
        .add_option("--method", methods,
                    "How a head is changed, several separated by commas: zero, its z set to 0; mean, to its mean over the\n"
                    "texts at each position; resample, to that of another text; uniform, previous, self, first: another map in\n"
                    "the place of its own, even over the allowed keys or all on one. These print the change of the target;\n"
                    "gate, the slope of the target where z is multiplied by a number about 1. Of several methods the rank\n"
                    "correlations are printed too")
        ->type_name("NAME,...")
        ->capture_default_str();
    add_target(command, target, "The number of the output that is watched; by default the loss of the text");
    command
        .add_option("--top", top,
                    "With --texts: keep for every head and method so many texts that it changes most (.jsonl, .sqlite, .study)")
        ->check(CLI::Range(0, 1000).description(""))
        ->type_name("N");
    command.add_option("--over", over, "For -t with mean or resample: the file of texts that they are taken from")->type_name("FILE");
    command.add_option("--resample-seed", seed, "Which other text a text is given with resample")->type_name("N");
  }
  QueryOptions query;
  CorpusOptions corpus;
  std::string methods = "zero", over;
  std::optional<Target> target;
  std::uint64_t seed = 1;
  int top = 0;
};

int run_importance(const ImportanceOptions& options) {
  const CorpusOptions& corpus = options.corpus;
  const Document document = options.query.document();
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  const EffectJob effects{
      effect_methods(options.methods, "--method"), options.target.value_or(document.target), options.seed, {}, options.top};
  if (!corpus.texts.empty()) {
    if (!options.over.empty()) refuse_option("--over", "with --texts means are taken over these texts", {}, {}, "Leave it out");
    StudyJob job = corpus.job(query, effects.settings(corpus.longest), options.query.threads());
    job.effects = effects;
    if (!corpus.is_shard(job)) check_top(corpus.output, options.top > 0);
    return corpus.run(job);
  }
  corpus.refuse_without_texts();
  if (corpus.is_given("--top")) refuse_option("--top", "this is for --texts", {}, "--texts FILE");
  corpus.require_text(query);
  if (names_attention_dump(query.model.name))
    refuse_option("-m", "maps from a file make no predictions, so no head changes any", query.model.name,
                  "a model with a language-model head");
  if (effects.needs_other_texts() && options.over.empty())
    refuse_option("--over", "mean and resample need other texts", {}, "--over FILE", "Or give many texts with --texts");
  check_details(corpus.output, corpus.details);
  ConsoleProgress progress;
  const CorpusFormat format = options.over.empty() ? CorpusFormat{} : corpus_format(options.over, "", false);
  const StoredStudy stored = effects_of_one_text(query, effects, options.over, format, options.query.threads(), progress);
  corpus.write(stored);
  print_notes(notes_on_ranks(stored));
  return 0;
}

}  // namespace

void add_importance(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<ImportanceOptions>(command, action, run_importance);
}

}  // namespace headlight
