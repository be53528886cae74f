#include "app/gui/columns/shown_columns.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/amounts.h"
#include "engine/figure/figure_notes.h"

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

/// The same where there is little room.
std::string brief_note_on_text(const Snapshot& snapshot, std::size_t heads) {
  const Index tokens = snapshot.tokens();
  return fmt::format("{} head{} on 1 text, {} token{}: hints", heads, heads == 1 ? "" : "s", tokens, tokens == 1 ? "" : "s");
}

/// " · 2 columns imported, not of this text"; empty: there is none of this origin.
std::string note_on(const HeadColumns& columns, ColumnOrigin origin, std::string_view what) {
  const auto count = std::count_if(columns.begin(), columns.end(), [&](const auto& each) { return each->origin == origin; });
  return count == 0 ? std::string() : fmt::format(" · {} {}", counted(count, "column"), what);
}

}  // namespace

void toggle_measure(MeasuresPage& page, const std::string& id) {
  std::vector<std::string> ids = measures_in_table(page);
  const auto place = std::find(ids.begin(), ids.end(), id);
  if (place == ids.end()) {
    ids.push_back(id);
  } else if (ids.size() > 1) {
    ids.erase(place);
  }
  page.columns = std::move(ids);
}

void replace_measure(ViewState& view, const std::string& from, const std::string& to) {
  MeasuresPage& page = view.measures;
  std::vector<std::string> ids = measures_in_table(page);
  if (from != to && std::find(ids.begin(), ids.end(), to) != ids.end()) std::erase(ids, from);
  std::replace(ids.begin(), ids.end(), from, to);
  page.columns = std::move(ids);
  const auto rename = [&](std::string& id) {
    if (id == from) id = to;
  };
  // A filter was made for the numbers of the other parameter.
  std::erase_if(page.ranges, [&](const ColumnRange& range) { return range.column == from; });
  for (ColumnSort& sort : page.sorts) rename(sort.column);
  for (std::string* id : {&page.across, &page.up, &page.size, &page.explained}) rename(*id);
  HeadArrangement& arrangement = view.overview.arrangement;
  std::erase_if(arrangement.ranges, [&](const ColumnRange& range) { return range.column == from; });
  if (arrangement.sort) rename(arrangement.sort->column);
  rename(arrangement.tint);
}

ShownColumns shown_columns(Panel& panel, const std::vector<std::string>& more) {
  ShownColumns shown;
  const ColumnShelf& shelf = panel.context.session.columns();
  shown.columns = shelf.grouped();
  const auto add = [&](const HeadColumns& columns) { shown.columns.insert(shown.columns.end(), columns.begin(), columns.end()); };
  if (const ColumnSource* source = shelf.source(panel.view.measures.source)) {
    for (const auto& column : source->columns) {
      if (!panel.view.measures.hidden_of_study.contains(column->id)) shown.columns.push_back(column);
    }
    shown.note = shown.brief_note = source->note + note_on(shown.columns, ColumnOrigin::question, "of this sentence, not of the texts") +
                                    note_on(shown.columns, ColumnOrigin::imported, "imported");
    return shown;
  }
  std::vector<std::string> ids = measures_in_table(panel.view.measures);
  for (const std::string& id : more) {
    if (is_measure(id)) add_once(ids, id);
  }
  const std::shared_ptr<const TextColumnsFound> found = panel.context.session.text_columns().ask(panel.snapshot, ids);
  shown.is_complete = found && found->snapshot == panel.snapshot && found->layers == panel.snapshot->layers();
  if (found) add(found->columns);
  const std::string assumed = assumptions_of(*panel.snapshot);
  const std::string more_notes = (assumed.empty() ? "" : " · " + assumed) +
                                 note_on(shown.columns, ColumnOrigin::imported, "imported, not of this text") +
                                 (panel.draft.style.hidden.is_empty() ? "" : " · hidden keys count here too");
  shown.note = note_on_text(*panel.snapshot, panel.snapshot->all_heads().size()) + more_notes;
  shown.brief_note = brief_note_on_text(*panel.snapshot, panel.snapshot->all_heads().size()) + more_notes;
  return shown;
}

const HeadColumn* explained_column(const MeasuresPage& page, const ShownColumns& shown) {
  if (const HeadColumn* chosen = shown.find(page.explained)) return chosen;
  if (const HeadColumn* sort = page.sorts.empty() ? nullptr : shown.find(page.sorts.front().column)) return sort;
  return shown.columns.empty() ? nullptr : shown.columns.front().get();
}

}  // namespace headlight
