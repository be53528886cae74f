// Files of scores per head, as the page of Measures names them (shown_columns.h).
#include <fmt/core.h>

#include <algorithm>

#include "app/document/wording.h"
#include "app/gui/columns/shown_columns.h"

namespace headlight {

void take_imports(Panel& panel) {
  MeasuresPage& page = panel.view.measures;
  ColumnShelf& shelf = panel.context.session.columns();
  ScoreFiles& files = panel.context.session.score_files();
  if (page.imports.empty() || !panel.has_picture()) {
    shelf.set_group("imported", {});
    return files.rest();
  }
  const auto found = files.ask({page.imports, panel.snapshot->all_heads(), page.reads});
  if (!found) return;
  HeadColumns columns;
  for (const ReadScores& file : found->files) columns.insert(columns.end(), file.columns.begin(), file.columns.end());
  shelf.set_group("imported", std::move(columns));
  const std::string newest = std::exchange(page.newest_import, std::string());
  const auto refused = std::find_if(found->files.begin(), found->files.end(),
                                    [&](const ReadScores& file) { return file.path == newest && !file.problem.empty(); });
  if (refused == found->files.end()) return;
  panel.view.notes.banner = "Not imported: " + as_sentence(refused->problem);
  forget_scores(page, newest);
}

void import_scores(MeasuresPage& page, const std::string& path) {
  if (std::find(page.imports.begin(), page.imports.end(), path) == page.imports.end()) page.imports.push_back(path);
  page.newest_import = path;
  ++page.reads;
}

void forget_scores(MeasuresPage& page, const std::string& path) {
  std::erase(page.imports, path);
}

}  // namespace headlight
