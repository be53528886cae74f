// A small experiment: its maps and tables, as the view Labs has them.
#include <algorithm>
#include <variant>

#include "engine/core/error.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"
#include "engine/figure/sheet/sheet_figure.h"

namespace headlight {
namespace {

/// Whether it has maps whose colours follow the scale; those of signed numbers have colours of their own.
bool has_weights(const Sheet& sheet) {
  return std::any_of(sheet.parts.begin(), sheet.parts.end(), [](const auto& part) {
    const auto* const maps = std::get_if<SheetMaps>(&part);
    const auto is_of_weights = [](const SheetMap& map) { return !map.picture->is_difference(); };
    return maps != nullptr && std::any_of(maps->maps.begin(), maps->maps.end(), is_of_weights);
  });
}

/// For a low page: maps are a little smaller, then tables have fewer rows, then maps are much smaller. Without tables, maps alone.
void make_lower(SheetFigureRequest& figure, int round, float height, float room) {
  constexpr float kGoodShare = 0.6F, kLeastShare = 0.2F, kTableRow = 20, kLess = 0.97F;
  constexpr std::size_t kFewestRows = 4;
  std::size_t longest = 0, tables = 0;
  for (const auto& part : figure.sheet.parts) {
    const auto* const table = std::get_if<SheetTable>(&part);
    if (table == nullptr) continue;
    longest = std::max(longest, table->rows.size());
    ++tables;
  }
  if (tables == 0 || round < 2 || round > 4) {
    figure.share = std::max(round < 2 ? kGoodShare : kLeastShare, kLess * figure.share * room / height);
    return;
  }
  const auto cut = static_cast<std::size_t>((height - room) / (kTableRow * static_cast<float>(tables))) + 2;
  const std::size_t rows = std::min(figure.rows, longest);
  figure.rows = std::max(std::min(kFewestRows, rows), rows - std::min(rows, cut));
}

Scene make_lab(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const Sheet& sheet = *request.lab.found;
  const PageLook& look = request.page;
  const PageWords words{snapshot.model->name + " · " + sheet.title, sentence_of(snapshot)};
  Style style = request.style;
  if (ranks_cells(style)) style.scale = ScaleKind::linear;  // maps of a lab share a scale, and have no cells of other maps among them
  const bool is_of_layer = request.lab.layer >= 0;          // the others do not use the run's mask and edits
  const std::string notes = !is_of_layer         ? std::string()
                            : has_weights(sheet) ? notes_of_derived(snapshot, style, snapshot.heads_of_layer(request.lab.layer))
                                                 : notes_of_numbers(snapshot);
  SheetFigureRequest figure{.sheet = sheet,
                            .style = style,
                            .room = room_for_maps(look),
                            .has_bars = look.has(PagePart::bar),
                            .has_notes = look.has(PagePart::footer),
                            .is_narrow = has_print_size(look)};
  constexpr int kMostRounds = 8;  // labels are another share of smaller maps
  for (int round = 0;; ++round) {
    const SizedSheet sized(figure, measure);
    Page page(words, style, look, sized.width(), measure);
    page.thin_labels(sized.label_stride());
    const float room = page.room_below(notes), top = page.top();
    float bottom = top;
    page.add(sized.draw({page.left(), top}, bottom));
    page.set_top(bottom);
    if (room <= 0 || bottom - top <= room || round == kMostRounds) return page.finish(notes);
    make_lower(figure, round, bottom - top, room);
  }
}

std::string lab_caption(const Snapshot&, const FigureRequest& request) {
  return request.lab.found ? "The lab as it is shown: " + request.lab.found->title : "A lab";
}

std::vector<NamedNumbers> lab_numbers(const Snapshot&, const FigureRequest& request) {
  return numbers_of(*request.lab.found);
}

}  // namespace

constexpr FigureKind kLabFigure = {
    .name = "lab",
    .noun = "a lab",
    .what = "a small experiment, its maps and tables",
    .file_name = "lab",
    .needs = {.has_lab = true, .has_bar = true},
    .caption = lab_caption,
    .scene = make_lab,
    .numbers = {.named = lab_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
