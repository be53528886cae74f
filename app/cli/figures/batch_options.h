// The options of `headlight export --texts`: every text of a file as every one of several figures.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/options/options.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/studies/corpus.h"

namespace headlight {

class BatchOptions {
 public:
  /// With --texts, `query` needs no text of its own.
  BatchOptions(CLI::App& command, QueryOptions& query);
  bool is_given() const { return !texts_.empty(); }
  const std::string& texts() const { return texts_; }
  bool starts_anew() const { return starts_anew_; }
  /// Throws Error (usage) for a file whose ending says nothing, and a column that it cannot have.
  CorpusFormat format_of_texts() const;
  /// Those of --figures among `kinds`; without it, `usual` alone. Throws Error (usage) for unknown names, and for one that is named twice.
  std::vector<const FigureKind*> figures(FigureKinds kinds, const FigureKind& usual) const;
  /// Those of --format. Throws Error (usage) for one that a figure cannot be written with.
  std::vector<const FigureFile*> files(const std::vector<const FigureKind*>& figures) const;
  /// Throws Error (usage) for options that go with --texts alone, or not with it.
  void check() const;

 private:
  bool has(const std::string& option) const { return command_.get_option(option)->count() > 0; }

  CLI::App& command_;
  std::string texts_, column_, figures_, formats_ = "png";
  bool texts_are_ids_ = false, starts_anew_ = false;
};

}  // namespace headlight
