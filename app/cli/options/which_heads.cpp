#include "app/cli/options/which_heads.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "app/cli/console.h"
#include "app/cli/options/question_option.h"
#include "app/document/wording.h"
#include "engine/finding/alike_heads.h"
#include "engine/finding/head_ranking.h"
#include "engine/finding/missing_targets.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

/// Shortest digits that read back; nothing where there is no number.
std::string number(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

std::string ranking_csv(const HeadRanking& ranking) {
  std::string text =
      "rank,layer,head,rows,pattern-mass,uniform,lift-over-uniform,fixed-offset,fixed-offset-mass,lift-over-fixed-offset,query,key,"
      "weight\n";
  int rank = 0;
  for (const RankedHead& head : ranking.heads) {
    const std::string offset = std::isnan(head.fixed) ? std::string() : std::to_string(head.offset);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", ++rank, head.head.layer, head.head.head, head.rows, number(head.mass),
                        number(head.uniform), number(head.lift()), offset, number(head.fixed), number(head.lift_over_fixed()),
                        head.best.query, head.best.key, head.best.weight);
  }
  return text;
}

std::string alike_csv(const std::vector<AlikeHead>& heads) {
  std::string text = "rank,layer,head,rows,jensen-shannon,output-agreement\n";
  int rank = 0;
  for (const AlikeHead& head : heads) {
    text += fmt::format("{},{},{},{},{},{}\n", ++rank, head.head.layer, head.head.head, head.rows, number(head.divergence),
                        number(head.agreement));
  }
  return text;
}

/// What helps, as the end of a sentence.
std::string_view words_of(TargetRemedy remedy) {
  switch (remedy) {
    case TargetRemedy::none:
      return "";
    case TargetRemedy::repeat_text:
      return " Write the text twice: -t 'THE TEXT THE TEXT'.";
    case TargetRemedy::long_word:
      return " Add a rarer word (`headlight tokenize` shows its tokens).";
    case TargetRemedy::wider_mask:
      break;
  }
  return " --mask 'none' allows every cell.";
}

std::vector<std::string> notes_on(const HeadRanking& ranking, const HeadQuestion& question, const Snapshot& run) {
  std::vector<std::string> notes;
  if (ranking.heads.empty()) {
    const MissingTargets missing = missing_targets(run, question);
    notes.push_back("no head can be asked. " + missing.why + std::string(words_of(missing.remedy)));
  } else if (!ranking.undefined.empty()) {
    notes.push_back(fmt::format("{} of {} heads are left out, head {} first: they have no row with such a key, or no attention weights",
                                ranking.undefined.size(), ranking.undefined.size() + ranking.heads.size(),
                                short_name(run, ranking.undefined.front())));
  }
  return notes;
}

}  // namespace

WhichOptions::WhichOptions(CLI::App& command) {
  which_option_ = command.add_option("--which", which_, question_help())->type_name("QUESTION");
  like_option_ =
      command
          .add_option(
              "--like", like_,
              "More like this head: ranks the others by Jensen-Shannon divergence of weights (0 alike), beside the cosine\nof outputs")
          ->type_name("L.H");
}

std::string WhichOptions::ranked(const Document& document, const QueryOptions& query, const SubjectMasks& masks) const {
  if (is_given(which_option_) && is_given(like_option_))
    refuse_option("--like", "cannot be combined with --which", {}, {}, "Give one or the other");
  ConsoleProgress progress;
  Pipeline pipeline(query.threads());
  announce_cost(pipeline);
  const std::shared_ptr<const Snapshot> run = pipeline.run(document.query, progress);
  for (const auto& [subject, given] : masks) {
    if (subject == document.focused) print_notes(check_masks(given, *run));
  }
  print_notes(query.notes(*run));
  ThreadPool pool(query.threads());
  if (is_given(which_option_)) {
    const HeadQuestion question = parse_question(which_, *run);
    const HeadRanking ranking = rank_heads(*run, question, pool, progress);
    print_notes(notes_on(ranking, question, *run));
    return ranking_csv(ranking);
  }
  HeadNames names(document.query.model, document.query.item);
  const HeadId head = names.head(like_, "--like");
  if (!run->contains(head))
    refuse_option("--like", "the model has no such head", printable(like_, 40),
                  fmt::format("0.0 to {}.{}", run->layers() - 1, run->heads() - 1));
  const std::array runs{run};
  const std::vector<AlikeHead> alike = heads_alike(runs, head, pool, progress);
  if (alike.empty())
    print_notes(
        {fmt::format("no head can be compared with {}: none has a map of its size with a row in which both choose between two or more keys "
                     "and neither holds NaN",
                     short_name(*run, head))});
  return alike_csv(alike);
}

}  // namespace headlight
