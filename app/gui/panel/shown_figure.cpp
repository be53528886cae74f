#include "app/gui/panel/shown_figure.h"

#include <algorithm>
#include <iterator>

#include "app/document/labs/lab_names.h"
#include "app/document/pinned_heads.h"
#include "app/document/subjects.h"
#include "app/gui/panel/drawn_map_here.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/relations.h"
#include "app/gui/state/page_effects.h"
#include "app/gui/state/table_measures.h"
#include "engine/core/error.h"
#include "engine/targets/watched.h"

namespace headlight {

void toggle_baseline(Panel& panel) {
  panel.view.compare.has_chosen_pair = false;
  if (panel.draft.baseline) return clear_baseline(panel.draft);
  try {
    set_baseline(panel.draft);
  } catch (const Error& error) {
    panel.view.notes.banner = error.message();
  }
}

std::shared_ptr<const Snapshot> baseline_run(const Panel& panel) {
  return panel.draft.baseline ? panel.context.session.run_of(panel.draft, *panel.draft.baseline).snapshot : nullptr;
}

std::shared_ptr<const Snapshot> run_before(const Panel& panel) {
  if (panel.draft.baseline) return baseline_run(panel);
  return has_edits(panel.snapshot->query) ? panel.context.session.unedited_run().snapshot : nullptr;
}

std::string why_not_shown(const Panel& panel, Moment moment) {
  if (!panel.snapshot || moment == Moment::now) return {};
  if (panel.draft.baseline) {
    const SubjectRun run = panel.context.session.run_of(panel.draft, *panel.draft.baseline);
    if (!run.snapshot) return run.problem.empty() ? "The baseline is still being computed." : run.problem;
  }
  return why_not_shown(moment, *panel.snapshot, baseline_run(panel).get(), panel.view.head);
}

Moment shown_moment(const Panel& panel) {
  const Moment chosen = panel.view.head_page.moment;
  return panel.snapshot && why_not_shown(panel, chosen).empty() ? chosen : Moment::now;
}

std::shared_ptr<const Snapshot> shown_run(const Panel& panel) {
  return shown_moment(panel) == Moment::before ? baseline_run(panel) : panel.snapshot;
}

namespace {

/// Which two of two or more heads are subtracted. Where no two can be, the first two, whose card says so.
ComparedPair chosen_pair(const Panel& panel, const std::vector<ComparedHead>& heads) {
  const ViewState& view = panel.view;
  const auto is_place = [&](int place) { return place >= 0 && static_cast<std::size_t>(place) < heads.size(); };
  if (view.compare.has_chosen_pair && is_place(view.compare.left) && is_place(view.compare.right)) {
    return {static_cast<std::size_t>(view.compare.left), static_cast<std::size_t>(view.compare.right)};
  }
  return pair_to_subtract(panel.draft, *panel.snapshot, heads).value_or(ComparedPair{});
}

}  // namespace

std::vector<MapFrame> frames_here(const Panel& panel) {
  std::vector<MapFrame> frames;
  if (!has_same_tokens(*panel.snapshot, *shown_run(panel), panel.view.head.layer)) return frames;  // they are of the present text
  if (panel.view.drawn_map.is_painted) frames = drawn_map_here(panel).frames;
  for (const ShownRelation& shown : shown_relations(panel)) frames.push_back(frame_of(shown));
  if (const auto cell = example_cell(panel))
    frames.push_back({FrameKind::relation, cell->query, cell->query + 1, cell->key, cell->key + 1});
  const std::vector<MapFrame>& asked = asked_here(panel).frames;
  frames.insert(frames.end(), asked.begin(), asked.end());
  return frames;
}

int linked_layer(const Panel& panel) {
  const Snapshot& snapshot = *panel.snapshot;
  const LinksPage& page = panel.view.links;
  if (page.which != LinksPage::Heads::chosen || !heads_between_texts_of(snapshot, panel.view.head.layer, page.chosen).empty())
    return panel.view.head.layer;
  const auto found = std::find_if(page.chosen.begin(), page.chosen.end(), [&](HeadId head) { return snapshot.contains(head); });
  return found == page.chosen.end() ? panel.view.head.layer : found->layer;
}

std::vector<HeadId> linked_heads(const Panel& panel) {
  const Snapshot& snapshot = *panel.snapshot;
  const LinksPage& page = panel.view.links;
  const int layer = linked_layer(panel);
  std::vector<HeadId> heads;
  if (page.which == LinksPage::Heads::chosen) heads = heads_between_texts_of(snapshot, layer, page.chosen);
  if (!heads.empty()) return heads;
  return page.which == LinksPage::Heads::all ? heads_between_texts_of(snapshot, layer, snapshot.all_heads())
                                             : snapshot.heads_of_layer(layer);
}

LinksRequest shown_links(const Panel& panel) {
  const LinksPage& page = panel.view.links;
  LinksRequest links{.heads = linked_heads(panel), .filter = page.filter, .tint = page.tint};
  const int layer = linked_layer(panel);
  links.has_arcs = page.has_arcs && query_side(*panel.snapshot, layer) == key_side(*panel.snapshot, layer);
  if (const std::optional<Index> pinned = pinned_query_of(panel, layer)) {
    links.focus = LinkFocus{*pinned, false};
    links.is_kept = true;
  }
  return links;
}

std::vector<HeadId> pinned_here(const Panel& panel) {
  std::vector<HeadId> heads;
  for (const Pin& pin : panel.draft.pins) {
    if (pin.subject == panel.draft.focused && panel.snapshot->contains(pin.head)) heads.push_back(pin.head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

std::vector<HeadId> brushed_here(const Panel& panel) {
  std::vector<HeadId> heads;
  if (!panel.has_picture()) return heads;
  for (const HeadId head : panel.view.brushed) {
    if (panel.snapshot->contains(head)) heads.push_back(head);
  }
  return heads;
}

FlowRequest shown_flow(const Panel& panel) {
  const Snapshot& snapshot = *panel.snapshot;
  const FlowPage& page = panel.view.flow;
  FlowRequest flow{{}, page.settings};
  if (page.which == FlowPage::Heads::pinned) flow.heads = pinned_here(panel);
  if (page.which == FlowPage::Heads::brushed) flow.heads = brushed_here(panel);
  if (flow.heads.empty()) {
    const int layer = panel.view.head.layer;
    flow.heads =
        page.which == FlowPage::Heads::all ? heads_between_texts_of(snapshot, layer, snapshot.all_heads()) : snapshot.heads_of_layer(layer);
  }
  if (!flow.heads.empty() && flow.settings.through >= flow.heads.back().layer) flow.settings.through = -1;
  if (!flow.heads.empty() && flow.settings.through >= 0) flow.settings.through = std::max(flow.settings.through, flow.heads.front().layer);
  return flow;
}

MapShape shown_shape(const Panel& panel) {
  const Snapshot& run = *shown_run(panel);
  const HeadPage& page = panel.view.head_page;
  const bool is_of_weights = shown_moment(panel) == Moment::difference;
  Stage stage = is_of_weights ? Stage::weights : page.stage;
  if (row_of(stage).columns == MapColumns::numbers) {  // until the maps are made, the weights stand in
    const ComparedHead head{.head = panel.view.head, .of = shown_moment(panel) == Moment::before ? baseline_run(panel) : nullptr};
    const std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
    if (!maps || maps->v.size() == 0) stage = Stage::weights;
  }
  return {run.queries(panel.view.head.layer), columns_of(run, panel.view.head.layer, stage)};
}

std::optional<Index> shown_pin(const Panel& panel) {
  const int layer = panel.view.head.layer;
  return has_same_tokens(*panel.snapshot, *shown_run(panel), layer) ? pinned_query_of(panel, layer) : std::nullopt;
}

namespace {

/// The part that a zoom leaves; empty: all of the map.
CellWindow part_of(const CellWindow& zoom, MapShape shape) {
  return is_whole(zoom, shape) ? CellWindow{} : shown_window(zoom, shape);
}

/// The pinned row in all maps of the text that it is of.
MarkedTokens marked_everywhere(const Panel& panel, const std::vector<ComparedHead>& heads) {
  const std::optional<TokenPlace>& pinned = panel.view.pinned_query;
  const Snapshot& snapshot = *panel.snapshot;
  for (int layer = 0; pinned && layer < snapshot.layers(); ++layer) {
    if (!pinned_query_of(panel, layer)) continue;
    const bool is_one_text =
        !snapshot.decoder_encoding && std::all_of(heads.begin(), heads.end(), [](const ComparedHead& head) { return !head.of; });
    return {.query = pinned->token, .of_layer = is_one_text ? std::nullopt : std::optional(layer)};
  }
  return {};
}

/// The zoom, and the pinned row, as the view of the figure has them.
void add_marks(const Panel& panel, bool is_as_shown, FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  if (!panel.has_picture()) return;
  if (needs.has_head && needs.marks_tokens) {
    if (!is_as_shown) return;
    request.part = part_of(panel.view.head_page.zoom, shown_shape(panel));
    request.marked.query = shown_pin(panel);
  } else if (needs.has_flow && !request.flow.heads.empty()) {
    const int layer = request.flow.heads.front().layer;
    request.part = part_of(panel.view.flow.zoom, shape_of(*panel.snapshot, layer));
    request.marked.query = pinned_query_of(panel, layer);
  } else if (needs.marks_tokens) {
    request.marked = marked_everywhere(panel, needs.heads > 0 ? request.heads : std::vector<ComparedHead>{});
  }
}

}  // namespace

MeasuresRequest shown_measures(const Panel& panel) {
  const MeasuresPage& page = panel.view.measures;
  const ColumnShelf& shelf = panel.context.session.columns();
  MeasuresRequest measures{.given = shelf.grouped(), .sorts = page.sorts, .ranges = page.ranges, .across = page.across, .up = page.up};
  if (const ColumnSource* source = shelf.source(page.source)) {
    measures.given.insert(measures.given.end(), source->columns.begin(), source->columns.end());
  } else {
    measures.ids = measures_in_table(page);
  }
  std::vector<std::string> ids;
  for (const auto& column : measures.given) ids.push_back(column->id);
  ids.insert(ids.end(), measures.ids.begin(), measures.ids.end());
  const auto is_there = [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  std::erase_if(measures.sorts, [&](const ColumnSort& sort) { return !is_there(sort.column); });
  std::erase_if(measures.ranges, [&](const ColumnRange& range) { return !is_there(range.column); });
  const auto axis = [&](std::string& id, std::size_t usual) {
    if (!is_there(id) && !ids.empty()) id = ids[std::min(usual, ids.size() - 1)];
  };
  if (!is_there(measures.across) && is_there("mean-distance")) measures.across = "mean-distance";
  axis(measures.across, kUsualAcross);
  axis(measures.up, kUsualUp);
  if (is_there(page.size)) measures.size = page.size;
  measures.brushed = brushed_here(panel);
  return measures;
}

MeasuresRequest shown_arrangement(const Panel& panel) {
  const HeadArrangement& arrangement = panel.view.overview.arrangement;
  const ColumnShelf& shelf = panel.context.session.columns();
  const ColumnSource* source = shelf.source(panel.view.measures.source);
  HeadColumns there = shelf.grouped();
  if (source != nullptr) there.insert(there.end(), source->columns.begin(), source->columns.end());
  MeasuresRequest measures;
  const auto is_there = [&](const std::string& id) {
    const auto column = std::find_if(there.begin(), there.end(), [&](const auto& each) { return each->id == id; });
    if (column != there.end()) {
      if (find_column(measures.given, id) == nullptr) measures.given.push_back(*column);
      return true;
    }
    if (source != nullptr || !is_measure(id)) return false;
    if (std::find(measures.ids.begin(), measures.ids.end(), id) == measures.ids.end()) measures.ids.push_back(id);
    return true;
  };
  if (arrangement.sort && is_there(arrangement.sort->column)) measures.sorts = {*arrangement.sort};
  std::copy_if(arrangement.ranges.begin(), arrangement.ranges.end(), std::back_inserter(measures.ranges),
               [&](const ColumnRange& range) { return is_there(range.column); });
  if (!arrangement.tint.empty() && is_there(arrangement.tint)) measures.tint = arrangement.tint;
  measures.brushed = brushed_here(panel);
  return measures;
}

std::optional<std::string> other_text_here(const Panel& panel) {
  if (panel.view.head_page.hides_other_text || shown_moment(panel) != Moment::now) return std::nullopt;
  const std::vector<Intervention>& all = panel.snapshot->query.interventions;
  const auto takes_from_text = [&](const Intervention& each) {
    const Index position = each.positions.empty() ? 0 : each.positions.front().first;
    return row_of(each.kind).need == InterventionNeed::text && replaces(each, row_of(each.kind).replaces, panel.view.head, position);
  };
  const auto last = std::find_if(all.rbegin(), all.rend(), takes_from_text);
  return last == all.rend() ? std::nullopt : std::optional(last->text);
}

std::vector<ComparedHead> maps_of_both_texts(const Panel& panel) {
  const HeadId head = panel.view.head;
  const std::optional<std::string> text = other_text_here(panel);
  if (!text || panel.view.head_page.stage != Stage::weights) return {};
  const std::shared_ptr<const Snapshot> other = panel.context.session.run_of_other_text(*text).snapshot;
  if (!other || !other->contains(head)) return {};
  return {{.head = head, .subject = "edited"}, {.head = head, .of = other, .subject = "the other text"}};
}

Index shown_position(const Panel& panel) {
  const Snapshot& snapshot = *panel.snapshot;
  const std::optional<TokenPlace>& pinned = panel.view.pinned_query;
  const Side side = snapshot.decoder_encoding ? Side::decoder : Side::text;
  const bool is_here = pinned && pinned->side == side && pinned->token < std::ssize(predicted_text(snapshot).tokens);
  return is_here ? pinned->token : asked_position(snapshot);
}

Index query_inside(const Panel& panel) {
  const int layer = panel.view.head.layer;
  return pinned_query_of(panel, layer).value_or(std::max<Index>(0, panel.snapshot->queries(layer) - 1));
}

namespace {

/// The target, where it is about a logit of the shown picture.
std::optional<Target> shown_logit(const Panel& panel) {
  try {
    return logit_of(panel.draft.target, *panel.snapshot) ? std::optional(panel.draft.target) : std::nullopt;
  } catch (const Error&) {  // a word that this model does not have: pages say so
    return std::nullopt;
  }
}

EffectsRequest effects_here(const Panel& panel, const FigureNeeds& needs) {
  if (needs.has_target && panel.view.output.is_over_texts && !needs.has_pruning)
    return page_effects(panel.view.output, panel.context.session.corpora(), panel.context.session.shown_weights(), needs);
  if (needs.has_target) return page_effects(panel.view.output, panel.context.session.effects(), panel.snapshot, panel.draft.target, needs);
  EffectsRequest effects;
  effects.target = shown_logit(panel);
  if (!effects.target) effects.position = shown_position(panel);
  if (needs.has_parts) effects.head = inspected_head(panel).head;
  return effects;
}

}  // namespace

LabRequest shown_lab(const Panel& panel) {
  return {panel.view.labs, panel.snapshot, panel.view.head, pinned_query_of(panel, panel.view.head.layer)};
}

namespace {

/// With what it shows, once that is found.
LabFigureRequest lab_here(const Panel& panel) {
  const LabRequest request = shown_lab(panel);
  LabFigureRequest lab = figure_of_lab(request);
  if (const std::shared_ptr<const LabResult> known = panel.context.session.labs().known(request)) lab.found = known->sheet;
  return lab;
}

}  // namespace

FigureRequest shown_figure(const Panel& panel, const FigureKind& kind) {
  FigureRequest request;
  request.kind = &kind;
  request.head = panel.view.head;
  const ViewRow* view = panel.shown_view();
  const bool is_as_shown = view && view->shows_steps;
  if (kind.needs.has_stage && is_as_shown) request.stage = panel.view.head_page.stage;
  if (kind.needs.has_lengths) request.stage = panel.view.overview.stage;
  if (kind.needs.has_head && is_as_shown) {
    request.frames = frames_here(panel);
    request.moment = shown_moment(panel);
    if (request.moment != Moment::now) request.baseline = baseline_run(panel);
  }
  if (kind.needs.has_step && panel.has_picture()) {
    const InsidePage& page = panel.view.inside;
    request.query = query_inside(panel);
    request.moment_inside = page.moment;
    const Index keys = panel.snapshot->keys(panel.view.head.layer);
    if (page.chosen_key && *page.chosen_key < keys) request.chosen_key = page.chosen_key;
    request.opened_keys = page.opened;
    request.most_keys = page.most_keys;
  }
  const bool may_have_both = &kind == &kCompareFigure && panel.has_picture() && panel.view.view == View::head;
  if (may_have_both) request.heads = maps_of_both_texts(panel);
  if (request.heads.empty()) {
    request.heads = heads_to_compare(panel.draft, [&](int subject) { return panel.context.session.run_of(panel.draft, subject); });
    if (request.heads.size() >= 2 && panel.snapshot) request.difference = chosen_pair(panel, request.heads);
  }
  request.has_own_scales = !panel.view.compare.has_shared_scale;
  request.style = panel.draft.style;
  if ((kind.needs.has_links || kind.needs.has_tint) && panel.has_picture()) request.links = shown_links(panel);
  if (kind.needs.has_output && panel.has_picture()) {
    request.output.position = shown_position(panel);
    request.baseline = run_before(panel);
  }
  if (kind.needs.has_flow && panel.has_picture()) request.flow = shown_flow(panel);
  if (kind.needs.has_effects() && panel.has_picture() && why_no_figure(kind, *panel.snapshot).empty())
    request.effects = effects_here(panel, kind.needs);
  if (kind.needs.has_lab && panel.has_picture()) request.lab = lab_here(panel);
  if (kind.needs.has_measures && panel.has_picture())
    request.measures = kind.needs.tints_heads ? shown_arrangement(panel) : shown_measures(panel);
  add_marks(panel, is_as_shown, request);
  return request;
}

std::shared_ptr<const HeadMaps> KeptMaps::maps(const ComparedHead& head) {
  return maps_of(panel_, head);
}

ShownMaps& KeptMaps::shown(const ComparedHead& head, const Style& style) {
  return panel_.caches.pictures.shown(head.of, style);
}

std::shared_ptr<const MapPicture> KeptMaps::stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                                  const Style& style) {
  return panel_.caches.pictures.stage(head, maps, stage, style);
}

std::shared_ptr<const MapPicture> KeptMaps::difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) {
  return panel_.caches.pictures.difference(left, right, style);
}

ShownMaps& shown_maps(const Panel& panel, const std::shared_ptr<const Snapshot>& run) {
  return panel.caches.pictures.shown(run, panel.draft.style);
}

AxisLabels KeptMaps::labels(const Snapshot& snapshot, const Encoding& encoding) {
  return panel_.caches.pictures.labels(snapshot, encoding);
}

}  // namespace headlight
