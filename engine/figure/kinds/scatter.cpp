// Heads as points over two measures.
#include "engine/figure/heads/scatter.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

/// The columns of the axes and of the points' size alone, each once.
HeadColumns axes_of(const HeadColumns& columns, const MeasuresRequest& request) {
  HeadColumns axes;
  const auto add = [&](const std::shared_ptr<const HeadColumn>& column) {
    if (column && std::find(axes.begin(), axes.end(), column) == axes.end()) axes.push_back(column);
  };
  add(axis_column(columns, request.across, kUsualAcross));
  add(axis_column(columns, request.up, kUsualUp));
  if (!request.size.empty()) add(axis_column(columns, request.size, 0));
  return axes;
}

/// Points have no order, and a recipe keeps none.
MeasuresRequest unsorted(MeasuresRequest measures) {
  measures.sorts.clear();
  return measures;
}

ScatterRequest scatter_of(const Snapshot& snapshot, const FigureRequest& request, const MeasuredHeads& heads) {
  const MeasuresRequest& measures = request.measures;
  return {.across = axis_column(heads.columns, measures.across, kUsualAcross),
          .up = axis_column(heads.columns, measures.up, kUsualUp),
          .size = measures.size.empty() ? nullptr : axis_column(heads.columns, measures.size, 0),
          .heads = heads.rows,
          .all = heads.all,
          .brushed = measures.brushed,
          .area = {},
          .name = [&snapshot](HeadId head) { return short_name_of_head(snapshot, head); },
          .theme = request.style.theme};
}

Scene make_scatter_figure(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kSide = 560, kLeastSide = 200;
  const MeasuresRequest measures = unsorted(request.measures);
  const MeasuredHeads heads = measured_heads(snapshot, measures);
  ScatterRequest plot = scatter_of(snapshot, request, heads);
  const float room = room_across(request.page), width = room > 0 ? std::max(room, kLeastSide) : kSide;
  Page page({fmt::format("{} · {} over {}", snapshot.model->name, plot.up->title, plot.across->title), sentence_of(snapshot)},
            request.style, request.page, std::min(width, kSide), measure);
  std::string notes;
  if (plot.size) notes += fmt::format("size of a point: {} · ", plot.size->title);
  const std::size_t left_out = make_scatter(plot, measure).left_out;
  if (left_out > 0) notes += fmt::format("{} head{} without values · ", left_out, left_out == 1 ? "" : "s");
  notes += measured_text(heads, measures) + " · " + notes_of_numbers(snapshot);
  const float below = page.room_below(notes);
  const Point size = below > 0 ? Point{width, std::clamp(below, kLeastSide, kSide)} : Point{std::min(width, kSide), std::min(width, kSide)};
  plot.area = {page.left(), page.top(), size.x, size.y};
  page.add(make_scatter(plot, measure).scene);
  page.move_down(size.y);
  return page.finish(notes);
}

std::string scatter_caption(const Snapshot& snapshot, const FigureRequest&) {
  return fmt::format("{} heads as points over two measures", snapshot.all_heads().size());
}

MeasuredHeads scatter_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  MeasuredHeads heads = measured_heads(snapshot, unsorted(request.measures));
  heads.columns = axes_of(heads.columns, request.measures);
  return heads;
}

}  // namespace

constexpr FigureKind kScatterFigure = {
    .name = "scatter",
    .noun = "a scatter plot",
    .what = "all heads as points over two measures",
    .file_name = "scatter",
    .needs = {.has_measures = true, .has_axes = true},
    .caption = scatter_caption,
    .scene = make_scatter_figure,
    .numbers = {.columns = scatter_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
