#include "app/gui/columns/brush.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/subjects.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

bool is_pinned(const Document& document, HeadId head) {
  return std::any_of(document.pins.begin(), document.pins.end(),
                     [&](const Pin& pin) { return pin.head == head && pin.subject == document.focused; });
}

}  // namespace

void brush_by_click(ViewState& view, HeadId head, const std::vector<HeadId>& list) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto place = std::find(list.begin(), list.end(), head);
  const auto anchor = view.measures.anchor ? std::find(list.begin(), list.end(), *view.measures.anchor) : list.end();
  view.head = head;
  if (io.KeyShift && anchor != list.end() && place != list.end()) {
    if (!io.KeyCtrl) view.brushed.clear();
    view.brushed.insert(std::min(anchor, place), std::max(anchor, place) + 1);
    return;  // the anchor stays: another click with shift is another range from it
  }
  view.measures.anchor = head;
  if (io.KeyCtrl) {
    if (!view.brushed.insert(head).second) view.brushed.erase(head);
  } else if (view.brushed == std::set<HeadId>{head}) {
    view.brushed.clear();
  } else {
    view.brushed = {head};
  }
}

std::string brushed_text(const Panel& panel) {
  const std::size_t count = brushed_here(panel).size();
  return count == 0 ? std::string() : fmt::format("{} head{} brushed", count, count == 1 ? "" : "s");
}

void pin_brushed(Panel& panel) {
  constexpr std::size_t kMost = 16;  // more could not be told apart in Compare
  std::vector<HeadId> heads = brushed_here(panel);
  if (heads.size() > kMost) {
    panel.view.notes.banner = fmt::format("{} heads are brushed: the first {} of them are pinned for Compare.", heads.size(), kMost);
    heads.resize(kMost);
  }
  const bool are_all_pinned = std::all_of(heads.begin(), heads.end(), [&](HeadId head) { return is_pinned(panel.draft, head); });
  for (const HeadId head : heads) {
    if (is_pinned(panel.draft, head) == are_all_pinned) toggle_pin(panel.draft, head);
  }
}

}  // namespace headlight
