#include "app/cli/options/edit_option.h"

#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/document/fields/interventions.h"
#include "engine/dumps/attention_dump.h"
#include "engine/studies/importance/text_set.h"

namespace headlight {
namespace {

/// Of a mean: its texts, from the file that it names.
void read_set(Intervention& intervention) {
  const std::string file = intervention.texts->name;
  intervention.texts = read_text_set(file, file, corpus_format(file, "", false), "--edit");
}

}  // namespace

CLI::Option* add_head_edits(CLI::App& command, std::vector<std::string>& edits) {
  const std::string help =
      "What is put in the place of what heads do; for heads (1.3,2.0), or all heads of a layer (1). May be given\n"
      "several times; none takes away those of --document.\n" +
      intervention_forms();
  return add_repeated(command, "--edit", edits, help)->type_name("L.H=WHAT");
}

void apply_head_edits(const std::vector<std::string>& edits, HeadNames& names, const std::vector<HeadId>& off, Query& query) {
  if (!edits.empty() && names_attention_dump(query.model.name)) {
    refuse_option("--edit", "maps from a file cannot be edited: they come without the model that made them",
                  printable(query.model.name, 80), "a model", "Give the model with -m, and its text with -t");
  }
  const NamePlace name_place = [&](const std::string& text) {
    const Scope scope = names.scope(text, "--edit");
    if (scope.kind == Scope::Kind::stack) refuse_option("--edit", "a stack is neither a layer nor a head", text, "cross.0 or cross.0.3");
    return HeadId{scope.where.layer, scope.kind == Scope::Kind::head ? scope.where.head : kWholeLayer};
  };
  for (const std::string& text : edits) {
    if (text == "none") {
      query.interventions.clear();
      query.switched_off = off;
      continue;
    }
    Intervention made = parse_intervention(text, name_place);
    if (made.texts) read_set(made);
    add_intervention(query, std::move(made));
  }
}

}  // namespace headlight
