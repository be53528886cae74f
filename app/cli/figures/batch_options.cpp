#include "app/cli/figures/batch_options.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/options/head_names.h"

namespace headlight {

BatchOptions::BatchOptions(CLI::App& command, QueryOptions& query) : command_(command) {
  const auto read_texts = [this, &query](const std::string& path) {
    texts_ = path;
    query.take_no_text();
  };
  command
      .add_option_function<std::string>(
          "--texts", read_texts,
          "Many texts instead of -t: .txt (one a line), .csv or .jsonl. Each becomes a file in the folder -o for every\n"
          "one of --figures, with index.html to look through; the same command goes on after a stop")
      ->type_name("FILE");
  command.add_option("--column", column_, "The column of a .csv or field of a .jsonl that holds the texts; by default `text`")
      ->type_name("NAME");
  command.add_flag("--texts-are-ids", texts_are_ids_, "The texts are token ids, separated by blanks or commas");
  command.add_option("--figures", figures_, "With --texts: several in place of --figure, separated by commas")->type_name("NAME,...");
  command.add_option("--format", formats_, "With --texts: the kinds of files, separated by commas: png,csv")
      ->type_name("ENDING,...")
      ->capture_default_str();
  command.add_flag("--fresh", starts_anew_, "With --texts: make every file again, whatever an earlier run left");
}

CorpusFormat BatchOptions::format_of_texts() const {
  return corpus_format(texts_, column_, texts_are_ids_);
}

std::vector<const FigureKind*> BatchOptions::figures(FigureKinds kinds, const FigureKind& usual) const {
  if (figures_.empty()) return {&usual};
  std::vector<const FigureKind*> figures;
  for (const std::string& name : split_list(figures_)) {
    const FigureKind* kind = find_figure(kinds, name);
    const bool is_new = std::find(figures.begin(), figures.end(), kind) == figures.end();
    if (kind != nullptr && is_new) {
      figures.push_back(kind);
      continue;
    }
    std::string known;
    for (const FigureKind* each : kinds) known.append(known.empty() ? "" : ", ").append(each->name);
    refuse_option("--figures", kind == nullptr ? "unknown name" : "named twice", "\"" + printable(name, 60) + "\"", known);
  }
  return figures;
}

std::vector<const FigureFile*> BatchOptions::files(const std::vector<const FigureKind*>& figures) const {
  std::vector<const FigureFile*> files;
  for (std::string ending : split_list(formats_)) {
    if (!ending.starts_with('.')) ending.insert(0, ".");
    const FigureFile* file = nullptr;
    for (const FigureKind* kind : figures) {
      file = file_of_figure(*kind, "figure" + ending);
      if (file == nullptr)
        refuse_option("--format", fmt::format("{} is not written so", kind->noun), "\"" + printable(ending, 60) + "\"",
                      endings_text(*kind));
    }
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  if (files.empty()) refuse_option("--format", "which kind of file?", {}, "png");
  return files;
}

void BatchOptions::check() const {
  if (!is_given()) {
    for (const char* option : {"--column", "--texts-are-ids", "--figures", "--format", "--fresh"}) {
      if (has(option)) refuse_option(option, "this is for --texts", {}, "--texts FILE");
    }
    return;
  }
  for (const char* option : {"-t", "--text-file", "--ids", "--text-pair", "--decoder-text", "--and"}) {
    if (has(option)) refuse_option(option, "cannot be combined with --texts", {}, {}, "Give one or the other");
  }
  if (has("--figure") && has("--figures")) refuse_option("--figures", "cannot be combined with --figure", {}, {}, "Give one or the other");
  if (has("--numbers")) refuse_option("--numbers", "this is for one figure", {}, {}, "--format png,csv writes both of every figure");
}

}  // namespace headlight
