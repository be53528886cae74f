#include "app/gui/selection/copying.h"

#include <fmt/core.h>

#include <utility>

#include "app/document/wording.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/selection/copied_text.h"
#include "app/gui/selection/pictured_copying.h"
#include "app/gui/selection/selection.h"

namespace headlight {
namespace {

std::string name_of(const Panel& panel, const ComparedHead& head) {
  return "head " + short_name(run_of(head, *panel.snapshot), head.head) + (head.subject.empty() ? "" : ", " + head.subject);
}

/// Null, and said so, while the maps are being made.
std::shared_ptr<const HeadMaps> maps_to_copy(Panel& panel, const ComparedHead& head) {
  std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
  if (!maps) say_copied(panel, "not copied: the map is still being made");
  return maps;
}

AxisLabels query_labels(const Panel& panel, const ComparedHead& head) {
  const Snapshot& run = run_of(head, *panel.snapshot);
  return panel.caches.pictures.labels(run, run.query_tokens(head.head.layer));
}
AxisLabels key_labels(const Panel& panel, const ComparedHead& head) {
  const Snapshot& run = run_of(head, *panel.snapshot);
  return panel.caches.pictures.labels(run, run.key_tokens(head.head.layer));
}
const std::string& label(const AxisLabels& labels, Index token) {
  return (*labels)[static_cast<std::size_t>(token)];
}

void add_steps(const HeadMaps& maps, const HeadRule& rule, Cell cell, std::vector<NamedNumber>& columns) {
  const CellSteps steps = steps_of(maps, rule, cell);
  columns.push_back({"score", digits(steps.score)});
  if (steps.scaled) columns.push_back({"scaled", digits(*steps.scaled)});
  if (steps.capped) columns.push_back({"soft-capped", digits(*steps.capped)});
  if (steps.bias) columns.push_back({"position bias", digits(*steps.bias)});
  columns.push_back({"final score", digits(steps.final_score)});
  columns.push_back({"may attend", steps.is_allowed ? "1" : "0"});
}

/// What of a head's map is on screen, with its name.
struct ShownValues {
  std::string name;
  std::shared_ptr<const HeadMaps> now, subtracted;
  std::shared_ptr<const Snapshot> run;
  HeadId head;  ///< of that run
  Stage stage = Stage::weights;
  Matrix made() const {
    if (!subtracted) return stage_values(*run, head, *now, stage);
    return now->weights - subtracted->weights;
  }
};

ShownValues values_shown(Panel& panel, const ComparedHead& head, std::shared_ptr<const HeadMaps> maps) {
  ShownValues shown{"weights", std::move(maps), nullptr, head.of ? head.of : panel.snapshot, head.head};
  const ViewRow* view = panel.shown_view();
  const bool is_in_head = view && view->shows_steps && head.head == panel.view.head;
  if (!is_in_head) return shown;
  if (shown_moment(panel) == Moment::difference) {
    shown.subtracted = maps_of(panel, {.head = head.head, .of = baseline_run(panel)});
    if (shown.subtracted) shown.name = "weights now − before";
    return shown;
  }
  shown.stage = panel.view.head_page.stage;
  shown.name = std::string(headlight::name_of(shown.stage));
  return shown;
}

}  // namespace

std::string line_table(std::span<const NamedNumber> columns) {
  std::string names, numbers;
  for (const NamedNumber& column : columns) {
    names.append(names.empty() ? "" : "\t").append(column.name);
    numbers.append(numbers.empty() ? "" : "\t").append(column.number);
  }
  return names + "\n" + numbers + "\n";
}

std::string row_table(const HeadMaps& maps, Index query, std::span<const std::string> keys) {
  std::string text = "rank\tposition\ttoken\tweight\tcumulative\n";
  double sum = 0;
  int rank = 0;
  for (const Index key : largest_keys(maps, query, static_cast<std::size_t>(maps.weights.cols()))) {
    const float weight = maps.weights(query, key);
    sum += static_cast<double>(weight);
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", ++rank, key, keys[static_cast<std::size_t>(key)], digits(weight), digits(sum));
  }
  return text;
}

std::string parts_table(const HeadMaps& maps, VectorNumber at, std::span<const std::string> keys) {
  std::string text = fmt::format("key position\tkey\tweight\tv {0}\tweight · v {0}\n", at.number);
  for (const MixedPart& part : parts_of_z(maps, at.query, at.number)) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", part.key, keys[static_cast<std::size_t>(part.key)], digits(part.weight), digits(part.value),
                        digits(part.product()));
  }
  return text + fmt::format("\tz {}\t\t\t{}\n", at.number, digits(row_of_z(maps, at.query)(at.number)));
}

std::string map_table(const Matrix& values, std::span<const std::string> queries, std::span<const std::string> keys,
                      std::string_view columns) {
  std::string text = fmt::format("query \\ {}", columns);
  for (const std::string& key : keys) text.append("\t").append(key);
  text += "\n";
  for (Index query = 0; query < values.rows(); ++query) {
    text += queries[static_cast<std::size_t>(query)];
    for (Index key = 0; key < values.cols(); ++key) text.append("\t").append(digits(values(query, key)));
    text += "\n";
  }
  return text;
}

void copy_cell(Panel& panel, const ComparedHead& head, Cell cell) {
  const std::shared_ptr<const HeadMaps> maps = maps_to_copy(panel, head);
  if (!maps) return;
  const Snapshot& run = run_of(head, *panel.snapshot);
  const std::string query = label(query_labels(panel, head), cell.query), key = label(key_labels(panel, head), cell.key);
  std::vector<NamedNumber> columns{
      {"query position", std::to_string(cell.query)}, {"query", query}, {"key position", std::to_string(cell.key)}, {"key", key}};
  if (!run.is_dump()) add_steps(*maps, run.trace.layer(head.head.layer).rule(head.head.head), cell, columns);
  columns.push_back({"weight", digits(maps->weights(cell.query, cell.key))});
  ImGui::SetClipboardText(line_table(columns).c_str());
  say_copied(panel, fmt::format("copied: cell “{}” {} → “{}” {} of {}", query, cell.query, key, cell.key, name_of(panel, head)));
}

void copy_number(Panel& panel, const ComparedHead& head, VectorNumber at) {
  const std::shared_ptr<const HeadMaps> maps = maps_to_copy(panel, head);
  if (!maps) return;
  ImGui::SetClipboardText(parts_table(*maps, at, *key_labels(panel, head)).c_str());
  say_copied(panel, fmt::format("copied: z {} of “{}” {}, {}", at.number, label(query_labels(panel, head), at.query), at.query,
                                name_of(panel, head)));
}

void copy_row(Panel& panel, const ComparedHead& head, Index query) {
  const std::shared_ptr<const HeadMaps> maps = maps_to_copy(panel, head);
  if (!maps) return;
  ImGui::SetClipboardText(row_table(*maps, query, *key_labels(panel, head)).c_str());
  say_copied(panel, fmt::format("copied: row {} “{}” of {}", query, label(query_labels(panel, head), query), name_of(panel, head)));
}

void copy_map(Panel& panel, const ComparedHead& head) {
  const std::shared_ptr<const HeadMaps> maps = maps_to_copy(panel, head);
  if (!maps) return;
  const ShownValues shown = values_shown(panel, head, maps);
  const bool has_keys = row_of(shown.stage).columns == MapColumns::keys;
  const AxisLabels queries = query_labels(panel, head), columns = has_keys ? key_labels(panel, head) : number_labels(maps->v.cols());
  const std::string words = fmt::format("copied: {} of {}, {} × {}", shown.name, name_of(panel, head), queries->size(), columns->size());
  say_copied(panel, "copying …");
  panel.context.session.exporter().make_text([shown, queries, columns, has_keys, words] {
    return MadeText{map_table(shown.made(), *queries, *columns, has_keys ? "key" : "number"), words};
  });
}

void answer_copy(Panel& panel) {
  const bool is_pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                          ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (is_pressed) panel.view.notes.copied.clear();
  if (const std::optional<MadeText> made = panel.context.session.exporter().take_text()) {
    ImGui::SetClipboardText(made->text.c_str());
    say_copied(panel, made->words);
  }
  if (!panel.wants_copy || !panel.has_picture()) return;
  if (panel.view.pointed.pictured) return copy_pictured(panel, *panel.view.pointed.pictured);
  const ViewRow* view = panel.shown_view();
  if (!view || !view->has_inspector) return say_copied(panel, "nothing copied: this view has no selection");
  const ComparedHead head = inspected_head(panel);
  const Pointed& pointed = panel.view.pointed;
  if (pointed.cell) return copy_cell(panel, head, *pointed.cell);
  if (pointed.number) return copy_number(panel, head, *pointed.number);
  if (const std::optional<Index> pinned = pinned_query_of(panel, head.head.layer)) return copy_row(panel, head, *pinned);
  copy_map(panel, view->view == View::overview && pointed.head ? ComparedHead{*pointed.head} : head);
}

}  // namespace headlight
