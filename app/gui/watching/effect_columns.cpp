#include "app/gui/watching/effect_columns.h"

#include <algorithm>
#include <string>

namespace headlight {
namespace {

constexpr const char* kGroup = "effects";

bool is_effect(const std::string& column) {
  return column.starts_with(kEffectColumn);
}

/// Ids of effects that the Overview or Measures is set by.
std::vector<std::string> wanted_columns(const ViewState& view) {
  std::vector<std::string> ids;
  const auto add = [&](const std::string& id) {
    if (is_effect(id)) ids.push_back(id);
  };
  const HeadArrangement& arrangement = view.overview.arrangement;
  if (view.view == View::overview) {
    if (arrangement.sort) add(arrangement.sort->column);
    add(arrangement.tint);
    for (const ColumnRange& range : arrangement.ranges) add(range.column);
  }
  if (view.view == View::measures) {
    for (const ColumnSort& sort : view.measures.sorts) add(sort.column);
    for (const ColumnRange& range : view.measures.ranges) add(range.column);
  }
  return ids;
}

/// The sweep that gives these columns; nothing where one cannot be computed now.
std::optional<SweepRequest> request_for(const Panel& panel, const std::vector<std::string>& ids) {
  SweepRequest request = sweep_request(panel);
  request.kinds.clear();
  for (const std::string& id : ids) {
    const SweepRow* const row = find_sweep(std::string_view(id).substr(kEffectColumn.size()));
    const bool has_all = row != nullptr && !row->is_by_position() && (row->need != SweepNeed::text || !request.text.empty()) &&
                         (row->need != SweepNeed::texts || !request.texts.file.empty());
    if (has_all && std::find(request.kinds.begin(), request.kinds.end(), row->kind) == request.kinds.end())
      request.kinds.push_back(row->kind);
  }
  return request.kinds.empty() ? std::nullopt : std::optional(std::move(request));
}

bool is_page_of_sweep(const ViewState& view) {
  return view.view == View::output && view.output.page == OutputPage::Page::heads && !view.output.is_over_texts;
}

}  // namespace

SweepRequest sweep_request(const Panel& panel) {
  const OutputPage& page = panel.view.output;
  SweepRequest request{.run = panel.snapshot, .target = panel.draft.target, .kinds = {page.sweep}};
  request.text = page.other_text;
  request.texts = page.texts;
  if (row_of(page.sweep).is_by_position() || page.beside != OutputPage::Beside::methods) return request;
  for (const SweepRow& row : sweep_rows()) {
    const bool is_compared =
        row.method == EffectMethod::zero || row.method == EffectMethod::gate || (row.need == SweepNeed::texts && !page.texts.file.empty());
    if (is_compared && row.kind != page.sweep) request.kinds.push_back(row.kind);
  }
  return request;
}

void settle_effect_columns(Panel& panel) {
  Effects& effects = panel.context.session.effects();
  ColumnShelf& columns = panel.context.session.columns();
  const bool can_predict = panel.has_picture() && !panel.snapshot->is_dump() && panel.snapshot->model->config.has_logits;
  bool is_wanted = is_page_of_sweep(panel.view);  // which asks by itself
  if (can_predict && !is_wanted) {
    const std::optional<SweepRequest> request = request_for(panel, wanted_columns(panel.view));
    is_wanted = request.has_value();
    if (request) effects.sweep(*request);
  }
  const std::shared_ptr<const SweepFound> known = effects.known_sweep();
  const bool is_of_this = known && known->request.run == panel.snapshot && known->request.target == panel.draft.target;
  if (known && !is_of_this && !is_wanted) effects.rest_sweep();
  const std::shared_ptr<const SweepFound> shown = is_of_this ? known : nullptr;
  if (shown == panel.view.output.settled) return;
  panel.view.output.settled = shown;
  columns.set_group(kGroup, shown ? columns_of(*shown) : HeadColumns());
}

}  // namespace headlight
