// What the keyboard does while Inside is shown. Digits still lead from view to view; with alt they lead from step to step.
#include <algorithm>

#include "app/gui/views/inside/inside_view.h"
#include "app/gui/views/inside/playing.h"
#include "engine/figure/inside/ledger_rows.h"

namespace headlight {
namespace {

InsidePage& page_of(Panel& panel) {
  return panel.view.inside;
}

void play_or_pause(Panel& panel) {
  InsidePage& page = page_of(panel);
  page.is_playing ? void(page.is_playing = false) : start_playing(page);
}

/// To the end of the step itself where it is not there yet.
void step_on(Panel& panel) {
  const InsideMoment now = page_of(panel).moment;
  show_moment(page_of(panel), end_of_step(now.number() + (now.progress >= 1 ? 1 : 0)));
}

/// The row above or below of the keys that have one of their own weight; those that are folded open by being chosen.
void move_key(Panel& panel, Index by) {
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (!found) return;
  InsidePage& page = page_of(panel);
  const Inside& inside = *found->inside;
  Index key = marked_key(page, inside);
  for (Index next = key + by; next >= 0 && next < inside.keys(); next += by) {
    if (!inside.row.is_allowed[static_cast<std::size_t>(next)]) continue;
    key = next;
    break;
  }
  page.chosen_key = key;
  page.ringed.reset();
}

void change_speed(Panel& panel, int by) {
  InsidePage& page = page_of(panel);
  page.speed = std::clamp(page.speed + by, 0, static_cast<int>(kInsideSpeeds.size()) - 1);
}

/// Opens the fold that holds the most, by its largest keys.
void open_fold(Panel& panel) {
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (!found) return;
  constexpr std::size_t kRows = 14;  // of the view, about
  InsidePage& page = page_of(panel);
  const Inside& inside = *found->inside;
  const LedgerRow* largest = nullptr;
  const std::vector<LedgerRow> rows = plan_rows(inside, {kRows, marked_key(page, inside), page.opened, false, page.most_keys});
  for (const LedgerRow& row : rows) {
    if (row.kind == LedgerRow::Kind::fold && (largest == nullptr || row.weight > largest->weight)) largest = &row;
  }
  if (largest == nullptr) return;
  for (const Index key : largest_of_fold(inside, *largest)) page.opened.insert(key);
}

template <int number>
void go_to(Panel& panel) {
  show_moment(page_of(panel), end_of_step(number));
}

std::string without_ring(const Panel& panel) {
  return panel.view.inside.ringed ? "" : "No number is marked.";
}

constexpr std::array kCommands{
    WindowCommand{.name = "Play or pause", .words = "computation animation", .keys = {ImGuiKey_Space}, .act = play_or_pause},
    WindowCommand{.name = "Next step", .keys = {ImGuiKey_RightArrow}, .act = step_on, .repeats = true},
    WindowCommand{.name = "Step before",
                  .keys = {ImGuiKey_LeftArrow},
                  .act = [](Panel& panel) { show_moment(page_of(panel), end_of_step(page_of(panel).moment.number() - 1)); },
                  .repeats = true},
    WindowCommand{.name = "Next stop",
                  .words = "part of a step",
                  .keys = {ImGuiMod_Shift | ImGuiKey_RightArrow},
                  .act = [](Panel& panel) { show_moment(page_of(panel), next_stop(page_of(panel).moment)); },
                  .repeats = true},
    WindowCommand{.name = "Stop before",
                  .words = "part of a step",
                  .keys = {ImGuiMod_Shift | ImGuiKey_LeftArrow},
                  .act = [](Panel& panel) { show_moment(page_of(panel), previous_stop(page_of(panel).moment)); },
                  .repeats = true},
    WindowCommand{.name = "First step", .words = "beginning start", .keys = {ImGuiKey_Home}, .act = go_to<1>},
    WindowCommand{.name = "Last step", .words = "end", .keys = {ImGuiKey_End}, .act = go_to<kInsideSteps>},
    WindowCommand{
        .name = "Key above", .words = "row", .keys = {ImGuiKey_UpArrow}, .act = [](Panel& panel) { move_key(panel, -1); }, .repeats = true},
    WindowCommand{.name = "Key below",
                  .words = "row",
                  .keys = {ImGuiKey_DownArrow},
                  .act = [](Panel& panel) { move_key(panel, 1); },
                  .repeats = true},
    WindowCommand{.name = "Open folded keys", .words = "unfold rows", .keys = {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, .act = open_fold},
    WindowCommand{.name = "Fold opened keys again",
                  .words = "close rows",
                  .keys = {ImGuiKey_Backspace},
                  .act = [](Panel& panel) { page_of(panel).opened.clear(); },
                  .why_not = [](const Panel& panel) -> std::string { return panel.view.inside.opened.empty() ? "No fold is open." : ""; }},
    WindowCommand{.name = "Fewer keys with rows",
                  .words = "fold limit",
                  .keys = {ImGuiKey_Comma},
                  .act = [](Panel& panel) { change_most_keys(page_of(panel), -1); }},
    WindowCommand{.name = "More keys with rows",
                  .words = "unfold limit",
                  .keys = {ImGuiKey_Period},
                  .act = [](Panel& panel) { change_most_keys(page_of(panel), 1); }},
    WindowCommand{.name = "Slower", .words = "speed", .keys = {ImGuiKey_LeftBracket}, .act = [](Panel& panel) { change_speed(panel, -1); }},
    WindowCommand{.name = "Faster", .words = "speed", .keys = {ImGuiKey_RightBracket}, .act = [](Panel& panel) { change_speed(panel, 1); }},
    WindowCommand{.name = "Write this moment as a figure …",
                  .words = "still export picture",
                  .keys = {ImGuiKey_E},
                  .act = [](Panel& panel) { panel.view.dialogs.figure_export = true; }},
    WindowCommand{.name = "Release the marked number",
                  .keys = {ImGuiKey_Escape},
                  .act = [](Panel& panel) { page_of(panel).ringed.reset(); },
                  .why_not = without_ring},
    WindowCommand{.name = "Step 1, query", .keys = {ImGuiMod_Alt | ImGuiKey_1}, .act = go_to<1>},
    WindowCommand{.name = "Step 2, keys", .keys = {ImGuiMod_Alt | ImGuiKey_2}, .act = go_to<2>},
    WindowCommand{.name = "Step 3, products", .keys = {ImGuiMod_Alt | ImGuiKey_3}, .act = go_to<3>},
    WindowCommand{.name = "Step 4, scale", .keys = {ImGuiMod_Alt | ImGuiKey_4}, .act = go_to<4>},
    WindowCommand{.name = "Step 5, mask", .keys = {ImGuiMod_Alt | ImGuiKey_5}, .act = go_to<5>},
    WindowCommand{.name = "Step 6, softmax", .keys = {ImGuiMod_Alt | ImGuiKey_6}, .act = go_to<6>},
    WindowCommand{.name = "Step 7, values", .keys = {ImGuiMod_Alt | ImGuiKey_7}, .act = go_to<7>},
    WindowCommand{.name = "Step 8, output", .keys = {ImGuiMod_Alt | ImGuiKey_8}, .act = go_to<8>},
};

}  // namespace

std::span<const WindowCommand> inside_commands() {
  return kCommands;
}

}  // namespace headlight
