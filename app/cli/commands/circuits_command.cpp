#include <fmt/core.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/reports/circuits_report.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/json.h"
#include "engine/model/files/load_model.h"

namespace headlight {
namespace {

constexpr int kMostListed = 1000;

struct CircuitsOptions {
  explicit CircuitsOptions(CLI::App& command) {
    command.add_option("-m,--model", model, "A model with a table of tokens: a name, or a folder")->type_name("NAME")->required();
    command
        .add_option("-t,--text", text,
                    "Also the copying score on this text: whether what the head writes, reading the embeddings alone, raises the token\n"
                    "that it looks at most")
        ->type_name("TEXT");
    command.add_option("--head", head, "Which head: 1.2 is head 2 of layer 1")->type_name("L.H")->required();
    command.add_option("--top", top, "How many pairs of tokens and how many heads are listed")
        ->check(CLI::Range(1, kMostListed).description(""))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--distance", distance,
                    "How many positions the query comes after the key, where rotary positions make scores depend on that")
        ->check(CLI::Range(0, 1000000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--without-gains", is_without_gains,
                     "Composition, singular values and eigenvalues of the matrices as they are stored, without the gains of norms");
    command.add_option("--threads", threads, "0: as many as the machine has cores")->type_name("N");
    command.add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}).description(""))->type_name("NAME");
  }
  std::string model, head, text;
  int top = 10, distance = 0, threads = 0;
  bool is_without_gains = false;
  std::string format = "table";
};

int run_circuits(const CircuitsOptions& options) {
  const ModelChoice choice{.name = options.model, .sandbox = {}};
  if (names_attention_dump(choice.name))
    refuse_option("-m", "maps from a file have no matrices", printable(choice.name, 120), "a model: a name, or a folder");
  ConsoleProgress progress;
  const std::shared_ptr<const Model> model = load_model(choice, progress);
  print_notes(model->notices);
  HeadNames names(choice);
  const HeadId head = names.head(options.head, "--head");
  const int layers = model->config.layers;
  if (head.layer >= layers || head.head >= model->config.heads_of(head.layer)) {
    refuse_option("--head", "the model has no such head", printable(options.head, 40),
                  fmt::format("0.0 to {}.{}", layers - 1, model->config.heads_of(layers - 1) - 1));
  }
  CircuitsQuestion question{.head = head,
                            .most = options.top,
                            .distance = options.distance,
                            .gain = options.is_without_gains ? NormGain::left_out : NormGain::folded};
  if (!options.text.empty()) {
    question.text.emplace();
    question.text->model = choice;
    question.text->text = options.text;
  }
  ThreadPool pool(options.threads);
  const FoundCircuits found = find_circuits(*model, question, pool, progress);
  const bool is_table = options.format == "table";
  write_result(is_table ? circuits_text(found, question, *model) : json_text(circuits_json(found, question, *model), 2) + "\n");
  return 0;
}

}  // namespace

void add_circuits(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<CircuitsOptions>(command, action, run_circuits);
}

}  // namespace headlight
