#include <fmt/core.h>

#include <optional>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/cli/options/report_option.h"
#include "app/cli/options/target_option.h"
#include "app/cli/reports/attribution_report.h"
#include "app/cli/reports/listed_token.h"
#include "app/work/predictions.h"
#include "engine/figure/effects/asked_logit.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

struct AttributeOptions {
  explicit AttributeOptions(CLI::App& command) : query(command), written(command) {
    add_target(command, target,
               "The logit that is split, or the difference of two; by default that of the likeliest token at the last position.\n"
               "Only logit:A and logit:A-B are sums of parts");
    command.add_flag("--sources", sources, "Split each head's part further, by the token that it was read from");
    command
        .add_option("--cell", cell,
                    "Instead of a logit: why a head looks from one token at another, L.H:QUERY,KEY. The score is split into\n"
                    "what the query's side and the key's side are made of")
        ->type_name("L.H:Q,K");
  }
  QueryOptions query;
  std::optional<Target> target;
  bool sources = false;
  std::string cell;
  ReportOption written;
};

/// The question that a target asks. Throws Error (usage) for targets that are not sums, and where it has no value.
LogitQuestion question_of(const Target& target, const Snapshot& snapshot) {
  if (target.kind != TargetKind::logit) {
    refuse_option("--target", "only a logit, or the difference of two, is a sum of what the parts add", to_text(target),
                  "logit:A@POS or logit:A-B@POS", "A probability or a loss goes through the softmax");
  }
  if (const std::optional<LogitQuestion> question = logit_of(target, snapshot)) return *question;
  const std::string why = why_no_logit(snapshot, {.target = target});
  refuse_option("--target", why.substr(0, why.size() - 1), to_text(target));
}

/// That of the likeliest token.
Target usual_target(const std::shared_ptr<const Snapshot>& snapshot, ThreadPool& pool, Progress& progress) {
  const Index position = asked_position(*snapshot);
  const PredictionsFound found = find_predictions(snapshot, {position, 1, 1}, pool, progress);
  if (found.predictions.front().likeliest.empty()) refuse_option("--target", "the logits are not numbers: there is nothing to split");
  Target target;
  target.kind = TargetKind::logit;
  target.token = fmt::format("#{}", found.predictions.front().likeliest.front().id);
  target.first = static_cast<int>(position);
  return target;
}

struct NamedCell {
  HeadId head;
  Index query = 0, key = 0;
};

NamedCell parse_cell(const std::string& text, const Query& query) {
  const std::size_t colon = text.find(':'), comma = text.find(',', colon == std::string::npos ? 0 : colon);
  const bool is_whole = colon != std::string::npos && comma != std::string::npos;
  const auto first = is_whole ? parse_number<Index>(std::string_view(text).substr(colon + 1, comma - colon - 1)) : std::nullopt;
  const auto second = is_whole ? parse_number<Index>(std::string_view(text).substr(comma + 1)) : std::nullopt;
  if (!first || !second)
    refuse_option("--cell", "which cell?", fmt::format("\"{}\"", printable(text, 60)), "L.H:QUERY,KEY such as 2.1:7,2");
  HeadNames names(query.model, query.item);
  return {names.head(text.substr(0, colon), "--cell"), *first, *second};
}

std::vector<HeadSources> sources_of(const Snapshot& snapshot, const LogitParts& parts, ThreadPool& pool, Progress& progress) {
  std::vector<HeadSources> heads;
  for (const LogitPart& part : parts.parts) {
    if (part.id.kind != PartKind::head) continue;
    HeadSources& head = heads.emplace_back(HeadSources{{part.id.layer, part.id.head}, {}, {}});
    try {
      head.values = attribute_sources(snapshot, parts.question, head.head, pool, progress).adds;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      head.problem = error.detail().problem;
    }
  }
  return heads;
}

WrittenReport report_of(const AttributeOptions& options, const Document& document, const std::shared_ptr<const Snapshot>& snapshot,
                        ThreadPool& pool, Progress& progress) {
  if (!options.cell.empty()) {
    if (options.target || options.sources)
      refuse_option("--cell", "a score is split without a target", options.cell, {}, "Leave out --target and --sources");
    const NamedCell cell = parse_cell(options.cell, document.query);
    return report_cell(*snapshot, explain_cell(*snapshot, cell.head, cell.query, cell.key, pool, progress));
  }
  if (const std::string why = why_no_logit_parts(*snapshot); !why.empty()) refuse_option("--target", why.substr(0, why.size() - 1));
  const bool is_chosen = options.target || document.target != Target{};
  const Target target = is_chosen ? options.target.value_or(document.target) : usual_target(snapshot, pool, progress);
  const LogitParts parts = attribute_logit(*snapshot, question_of(target, *snapshot), pool, progress);
  const std::string name = fmt::format(
      "{} (\"{}\"{})", describe_target(target), listed_token(*snapshot->model->tokenizer, parts.question.token),
      parts.question.against ? fmt::format(" less \"{}\"", listed_token(*snapshot->model->tokenizer, *parts.question.against)) : "");
  WrittenReport report = options.sources ? report_sources(*snapshot, parts, sources_of(*snapshot, parts, pool, progress), name)
                                         : report_parts(*snapshot, parts, name);
  report.json["target"] = to_text(target);
  return report;
}

int run_attribute(const AttributeOptions& options) {
  Pipeline pipeline(options.query.threads());
  announce_cost(pipeline);
  ConsoleProgress progress;
  SubjectMasks masks;
  const Document document = options.query.document(nullptr, &masks);
  print_notes(notes_on_texts(document));
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(document.query, progress);
  print_notes(snapshot->notices);
  print_notes(options.query.notes(*snapshot));
  print_notes(check_masks(masks[document.focused], *snapshot));
  if (snapshot->is_empty()) refuse_option("-t", "the text has no tokens", {}, "a text");
  options.written.write(report_of(options, document, snapshot, pipeline.pool(), progress));
  return 0;
}

}  // namespace

void add_attribute(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<AttributeOptions>(command, action, run_attribute);
}

}  // namespace headlight
