#include "app/gui/columns/shown_columns.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight {
namespace {

void add_once(std::vector<std::string>& ids, const std::string& id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

std::string note_on_text(const Snapshot& snapshot, std::size_t heads) {
  const Index tokens = snapshot.tokens();
  return fmt::format("{} head{} on 1 text of {} token{}: hints, not findings", heads, heads == 1 ? "" : "s", tokens,
                     tokens == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> measures_in_table(const MeasuresPage& page) {
  if (!page.columns.empty()) return page.columns;
  std::vector<std::string> ids;
  for (const MeasureRequest& request : measure_requests(kUsualMeasures, "measures")) ids.push_back(request.id);
  return ids;
}

ShownColumns shown_columns(Panel& panel, const std::vector<std::string>& more) {
  ShownColumns shown;
  const ColumnShelf& shelf = panel.context.session.columns();
  shown.columns = shelf.grouped();
  const auto add = [&](const HeadColumns& columns) { shown.columns.insert(shown.columns.end(), columns.begin(), columns.end()); };
  if (const ColumnSource* source = shelf.source(panel.view.measures.source)) {
    add(source->columns);
    shown.note = source->note;
    return shown;
  }
  std::vector<std::string> ids = measures_in_table(panel.view.measures);
  for (const std::string& id : more) add_once(ids, id);
  const std::shared_ptr<const TextColumnsFound> found = panel.context.session.text_columns().ask(panel.snapshot, ids);
  shown.is_complete = found && found->snapshot == panel.snapshot && found->layers == panel.snapshot->layers();
  if (found) add(found->columns);
  shown.note = note_on_text(*panel.snapshot, heads_of(*panel.snapshot).size());
  return shown;
}

std::vector<HeadId> heads_of(const Snapshot& snapshot) {
  std::vector<HeadId> heads;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    for (int head = 0; head < snapshot.heads(layer); ++head) heads.push_back({layer, head});
  }
  return heads;
}

}  // namespace headlight
