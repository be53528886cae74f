#include "app/gui/views/compare_cells.h"

#include <fmt/core.h>

#include "app/document/subjects.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

/// A click on the card of another text goes there, since only what is shown can be edited. Frozen pins and the baseline cannot: they are pictures
/// of what was.
void answer_click_elsewhere(Panel& panel, const CompareCard& card, std::size_t place) {
  if (card.is_difference || place >= panel.draft.pins.size()) return;
  const int subject = panel.draft.pins[place].subject;
  if (is_frozen(panel.draft, subject) || subject == panel.draft.focused) return;
  panel.view.head = card.head.head;
  focus(panel.draft, subject);
}

void answer_click(Panel& panel, const CompareCard& card, Cell cell) {
  if (!card.is_difference) panel.view.head = card.head.head;
  toggle_pinned_query(panel, card.layer, cell.query);
}

/// Both weights of each cell and their difference.
PicturedNumbers numbers_of(const Panel& panel, const std::vector<CompareCard>& cards, const CompareCard& difference) {
  const CompareCard& left = cards[static_cast<std::size_t>(panel.view.compare.left)];
  const CompareCard& right = cards[static_cast<std::size_t>(panel.view.compare.right)];
  const Snapshot& run = run_of(left.head, *panel.snapshot);
  Pictures& pictures = panel.caches.pictures;
  return {.name = fmt::format("{} − {}", left.brief, right.brief),
          .columns = {{left.letter + " " + left.brief, left.map.request.picture},
                      {right.letter + " " + right.brief, right.map.request.picture},
                      {difference.letter, difference.map.request.picture}},
          .queries = pictures.labels(run, run.query_tokens(difference.layer)),
          .keys = pictures.labels(run, run.key_tokens(difference.layer)),
          .is_of_text = has_own_tokens(panel, difference.head, difference.layer),
          .table = {}};
}

/// Of the cell under the pointer; of the head or the difference, where it is beside the map.
void ask_card_menu(Panel& panel, const CompareCard& card, Point pointer) {
  if (!card.has_map()) return;
  const std::optional<Cell> cell = card.figure.cell_at(pointer);
  if (card.is_difference) {
    MenuTarget target{.kind = MenuKind::pictured, .head = card.head, .pictured = panel.view.pointed.pictured->numbers};
    if (cell) target.query = cell->query, target.key = cell->key;
    return ask_menu(panel, std::move(target));
  }
  if (!cell) return ask_menu(panel, {.kind = MenuKind::head, .head = card.head});
  ask_menu(panel, {MenuKind::cell, card.head, cell->query, cell->key});
}

}  // namespace

bool has_own_tokens(const Panel& panel, const ComparedHead& head, int layer) {
  return has_same_tokens(*panel.snapshot, run_of(head, *panel.snapshot), layer);
}

void find_pointed_cell(Panel& panel, const std::vector<CompareCard>& cards, Point pointer) {
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
  const bool is_clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  for (std::size_t place = 0; place < cards.size(); ++place) {
    const CompareCard& card = cards[place];
    const std::optional<Cell> cell = card.has_map() ? card.figure.cell_at(pointer) : std::nullopt;
    if (card.is_difference && card.has_map() && card.box.contains(pointer))
      panel.view.pointed.pictured = {std::make_shared<const PicturedNumbers>(numbers_of(panel, cards, card)), cell};
    if (!card.is_difference && card.has_map() && card.box.contains(pointer)) panel.view.pointed.map = card.head;
    if (card.box.contains(pointer) && is_right_click()) ask_card_menu(panel, card, pointer);
    if (!cell) continue;
    Pointed& pointed = panel.view.pointed;
    pointed.layer = card.layer;
    if (!has_own_tokens(panel, card.head, card.layer)) {
      pointed.elsewhere = cell;
      if (is_clicked) answer_click_elsewhere(panel, card, place);
      return;
    }
    pointed.cell = cell;
    pointed.head = card.is_difference ? std::nullopt : std::optional(card.head.head);
    if (is_clicked) answer_click(panel, card, *cell);
    return;
  }
}

std::optional<SharedCell> shared_cell(const Panel& panel, const std::vector<CompareCard>& cards) {
  const Pointed& pointed = panel.view.pointed;
  if (pointed.cell) return SharedCell{*pointed.cell, pointed.layer};
  if (pointed.elsewhere) return SharedCell{*pointed.elsewhere, pointed.layer, false};
  for (const CompareCard& card : cards) {
    if (!has_own_tokens(panel, card.head, card.layer)) continue;
    if (const std::optional<Cell> cell = focus_of(panel, card.layer, card.maps.get()).cell) return SharedCell{*cell, card.layer};
  }
  return std::nullopt;
}

std::optional<Cell> cell_in(const Panel& panel, const ComparedHead& head, int layer, const SharedCell& shared) {
  const Snapshot& run = run_of(head, *panel.snapshot);
  if (layer >= run.layers()) return std::nullopt;
  const bool is_same_text = shared.is_own && has_own_tokens(panel, head, layer);
  const Cell cell = is_same_text ? carried_over(*panel.snapshot, shared.cell, shared.layer, layer) : shared.cell;
  const bool is_inside = cell.query >= 0 && cell.query < run.queries(layer) && cell.key >= 0 && cell.key < run.keys(layer);
  return is_inside ? std::optional(cell) : std::nullopt;
}

std::optional<Cell> marked_in(const Panel& panel, const ComparedHead& head, int layer) {
  const Pointed& pointed = panel.view.pointed;
  if (!pointed.elsewhere && has_own_tokens(panel, head, layer)) return crosshair_of(panel, layer);
  if (pointed.cell) return cell_in(panel, head, layer, {*pointed.cell, pointed.layer});
  if (pointed.elsewhere) return cell_in(panel, head, layer, {*pointed.elsewhere, pointed.layer, false});
  return std::nullopt;
}

CellWords words_of(const Panel& panel, const CompareCard& card, const CompareCard* subtracted, Cell cell) {
  Pictures& pictures = panel.caches.pictures;
  const auto words_in = [&](const CompareCard& of) {
    const Snapshot& run = run_of(of.head, *panel.snapshot);
    const TokenNames& queries = pictures.names(run, run.query_tokens(of.layer));
    const TokenNames& keys = pictures.names(run, run.key_tokens(of.layer));
    return CellWords{queries[cell.query], keys[cell.key], queries.counted(cell.query), keys.counted(cell.key)};
  };
  CellWords words = words_in(card);
  if (subtracted == nullptr) return words;
  const CellWords others = words_in(*subtracted);
  if (others.query != words.query) words.query += " / " + others.query;
  if (others.key != words.key) words.key += " / " + others.key;
  return words;
}

}  // namespace headlight
