#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "app/document/subjects.h"
#include "engine/model/files/model_places.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

struct SaveOptions {
  explicit SaveOptions(CLI::App& command) : query(command, QueryUse::compare), style(command) {
    add_target(command, target, "The number of the output that is watched while heads are edited");
    command.add_option("-o,--output", output, "The document to write, such as cat.headlight.json")->required()->type_name("FILE");
  }
  QueryOptions query;
  StyleOptions style;
  std::optional<Target> target;
  std::string output;
};

/// Refuses impossible head counts, and names models so that the document can be moved and opened from anywhere.
void settle_model(Query& query) {
  ModelChoice& model = query.model;
  if (model.name == "sandbox") {
    check_head_count(model.sandbox.d_model, query.heads.value_or(model.sandbox.heads));
  } else {
    model.name = lasting_name(model.name);
    if (model.version == 0) model.version = version_of_built_in(model.name);
  }
}

int run_save(const SaveOptions& options) {
  Json unknown = Json::object();
  SubjectMasks masks;
  Document document = options.query.document(&unknown, &masks);
  options.style.apply(document);
  document.target = options.target.value_or(document.target);
  settle_model(document.query);
  for (Subject& other : document.others) settle_model(other.query);
  std::vector<std::string> notes;
  for (const auto& [subject, read] : masks) {
    if (read.empty()) continue;  // whether they fit is known only after the text is cut into tokens
    Pipeline pipeline(options.query.threads());
    ConsoleProgress progress;
    const std::vector<std::string> more = check_masks(read, *pipeline.run(*query_of(document, subject), progress));
    notes.insert(notes.end(), more.begin(), more.end());
  }
  print_notes(notes);
  save_document(document, options.output, unknown);
  return 0;
}

}  // namespace

void add_save(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<SaveOptions>(command, action, run_save);
}

}  // namespace headlight
