// Maps of named heads side by side, then A − B if there are two.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/compare/compare_figure.h"
#include "engine/figure/compare/compared_row.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

/// A run that heads belong to, and the letters of its heads: "A, C". Each run is listed once, in the order of the heads.
struct ComparedRun {
  const Snapshot* run = nullptr;
  std::string letters;
};

std::vector<ComparedRun> runs_of(const Snapshot& own, const std::vector<ComparedHead>& heads) {
  std::vector<ComparedRun> runs;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    const Snapshot* run = &run_of(heads[place], own);
    const auto known = std::find_if(runs.begin(), runs.end(), [&](const ComparedRun& each) { return each.run == run; });
    if (known == runs.end()) {
      runs.push_back({run, pin_letter(place)});
    } else {
      known->letters += ", " + pin_letter(place);
    }
  }
  return runs;
}

/// "gpt2 · 2 heads compared"; of two models "gpt2 and bert · 2 heads compared".
std::string title_of(const std::vector<ComparedRun>& runs, std::size_t heads) {
  std::vector<std::string> models;
  for (const ComparedRun& each : runs) {
    if (std::find(models.begin(), models.end(), each.run->model->name) == models.end()) models.push_back(each.run->model->name);
  }
  std::string names = models.front();
  for (std::size_t i = 1; i < models.size(); ++i) names += (i + 1 == models.size() ? " and " : ", ") + models[i];
  return fmt::format("{} · {} heads compared", names, heads);
}

/// The text of all heads, or those of several runs after the letters of their heads.
std::string sentences_of(const std::vector<ComparedRun>& runs) {
  const std::string first = sentence_of(*runs.front().run);
  if (std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& each) { return sentence_of(*each.run) == first; })) return first;
  std::string text;
  for (const ComparedRun& each : runs) text += fmt::format("{}{}: {}", text.empty() ? "" : "  |  ", each.letters, sentence_of(*each.run));
  return text;
}

/// Everything except the reason why there is no difference.
std::string notes_of_comparison(const Snapshot& snapshot, const FigureRequest& request) {
  std::string notes = notes_of(snapshot, request.style, std::span(request.heads));
  const int layer = request.heads.front().head.layer;
  const Snapshot& first = run_of(request.heads.front(), snapshot);
  if (const std::string part = part_text(request, first.queries(layer), first.keys(layer)); !part.empty()) notes += " · " + part;
  return request.has_own_scales ? notes + " · each map on its own scale" : notes;
}

Index most_keys(const Snapshot& snapshot, const FigureRequest& request) {
  Index keys = 0;
  for (const ComparedHead& head : request.heads) keys = std::max(keys, run_of(head, snapshot).keys(head.head.layer));
  return keys;
}

Scene make_compare(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  FreshMaps source(snapshot, false);
  CompareFigureRequest comparison = comparison_of(snapshot, request);
  const std::vector<ComparedRun> runs = runs_of(snapshot, request.heads);
  const PageWords words{title_of(runs, request.heads.size()), sentences_of(runs)};
  std::string notes = notes_of_comparison(snapshot, request);
  const std::string kept = badge_of(snapshot, request.style, std::span(request.heads), true);
  const bool has_row = request.page.has(PagePart::row);
  float room = 0;  // of a page with a height: below its heading, for maps and row together
  if (comparison.page_width > 0) {
    constexpr float kMapsShare = 0.6F;
    room = Page(words, request.style, request.page, comparison.page_width, measure).room_below(notes, kept);
    const float for_row = has_row ? room_for_row(most_keys(snapshot, request)) : 0;
    comparison.page_height = room > 0 ? std::max(room - for_row, kMapsShare * room) : 0;
  }
  SizedComparison sized = size_comparison(snapshot, comparison, source, measure);
  if (room > comparison.page_height && sized.height() > comparison.page_height + 1) {  // no room for a row: the maps have all of it
    comparison.page_height = room;
    sized = size_comparison(snapshot, comparison, source, measure);
  }
  const bool has_difference = !sized.cards.empty() && sized.cards.back().is_difference;
  Page page(words, request.style, request.page, sized.width, measure);
  page.thin_labels(sized.label_stride());
  const CompareFigure figure = draw_comparison(std::move(sized), comparison, {page.left(), page.top()}, measure);
  page.add(figure.scene);
  const float top = page.top();
  page.set_top(figure.bottom);
  if (const std::optional<ComparedRow> row = has_row ? listed_row(snapshot, figure.cards) : std::nullopt) {
    Scene below;
    const Box box{page.left(), figure.bottom, page.width(), room > 0 ? std::max(room - (figure.bottom - top), 1.0F) : 0};
    page.set_top(draw_compared_row(below, snapshot, figure.cards, *row, box, request.style.theme, measure));
    page.add(below);
  }
  if (const auto& pair = comparison.difference; pair && !has_difference) {
    notes += fmt::format(" · no {} − {}: the maps are of different sizes", pin_letter(pair->left), pin_letter(pair->right));
  }
  return page.finish(notes, kept);
}

std::string compare_caption(const Snapshot&, const FigureRequest& request) {
  const bool is_one_head = request.heads.size() == 2 && request.heads[0].head == request.heads[1].head;
  if (is_one_head) return "Both maps of the head side by side, and their difference";
  return request.heads.size() == 1 ? "The pinned head" : fmt::format("The {} pinned heads side by side", request.heads.size());
}

std::vector<ComparedHead> compared_heads(const Snapshot&, const FigureRequest& request) {
  return request.heads;
}

std::vector<std::int64_t> number_of_heads(const Snapshot&, const FigureRequest& request) {
  return {static_cast<std::int64_t>(request.heads.size())};
}

}  // namespace

CompareFigureRequest comparison_of(const Snapshot& snapshot, const FigureRequest& request) {
  CompareFigureRequest comparison;
  comparison.heads = request.heads;
  comparison.difference = request.difference;
  if (!comparison.difference && request.heads.size() == 2) comparison.difference = ComparedPair{};
  comparison.has_own_scales = request.has_own_scales;
  comparison.style = request.style;
  comparison.page_width = room_for_maps(request.page);
  comparison.has_bars = request.page.has(PagePart::bar);
  comparison.mark = [&snapshot, &request](const ComparedHead& head, MapFigureRequest& map) {
    const MarkedTokens marked = marked_in(request.marked, snapshot, run_of(head, snapshot), head.head.layer);
    map.window = part_of(request, map.picture->rows(), map.picture->columns());
    map.pinned_query = marked.query;
    map.pinned_key = marked.key;
  };
  return comparison;
}

constexpr FigureKind kCompareFigure = {
    .name = "compare",
    .noun = "a comparison",
    .what = "the pinned heads and A - B",
    .file_name = "compare",
    .needs = {.shows_part = true, .marks_tokens = true, .heads = 1, .has_bar = true, .has_row = true, .named_heads = 2},
    .caption = compare_caption,
    .scene = make_compare,
    .numbers = {compared_heads, number_of_heads},
};

}  // namespace headlight
