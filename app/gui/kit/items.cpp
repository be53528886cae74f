#include "app/gui/kit/items.h"

#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "engine/core/error.h"

namespace headlight {
namespace {

ItemRecorder* recorder_of(const ImGuiContext& context) {
  return context.TestEngineHookItems ? static_cast<ItemRecorder*>(context.IO.UserData) : nullptr;
}

Box to_box(const ImRect& rectangle) {
  return {rectangle.Min.x, rectangle.Min.y, rectangle.GetWidth(), rectangle.GetHeight()};
}

Box cut(const Box& box, const Box& clip) {
  const float left = std::max(box.x, clip.x), right = std::min(box.right(), clip.right());
  const float top = std::max(box.y, clip.y), bottom = std::min(box.bottom(), clip.bottom());
  if (right <= left || bottom <= top) return {};
  return {left, top, right - left, bottom - top};
}

/// Whether one of the windows on a path such as "main/left rail_1A2B3C4D" has this name (Dear ImGui adds eight digits to a child's).
bool has_window(std::string_view path, std::string_view name) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.size() > 9 && part[part.size() - 9] == '_' && part != name) part.remove_suffix(9);
    if (visible_label(part) == name) return true;
  }
  return false;
}

/// Whether a window or one around it scrolls along an axis.
bool can_scroll(const ImGuiWindow* window, ImGuiAxis axis) {
  for (; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax[axis] > 0) return true;
  }
  return false;
}

/// Levenshtein's edit distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The labels most like `label`, quoted; those that contain it first.
std::string nearest_labels(const std::vector<DrawnItem>& items, std::string_view label) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const DrawnItem& item : items) {
    const bool is_part = item.label.find(label) != std::string::npos;
    ranked.emplace_back(is_part ? 0 : 1 + distance(item.label, label), item.label);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), 6); ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", printable(ranked[i].second, 40));
  }
  return text;
}

bool is_in_sight(const DrawnItem& item) {
  return item.box.width > 0 && item.box.height > 0;
}

struct LabelParts {
  std::string_view panel, label;
  std::size_t number = 0;  ///< 0: the only one
};

/// "Panel/Label#2"
LabelParts split_label(std::string_view text) {
  LabelParts parts{{}, text};
  if (const std::size_t mark = text.rfind('#'); mark != std::string_view::npos && mark + 1 < text.size()) {
    const auto [end, problem] = std::from_chars(text.data() + mark + 1, text.data() + text.size(), parts.number);
    if (problem == std::errc() && end == text.data() + text.size() && parts.number > 0) {
      parts.label = text.substr(0, mark);
    } else {
      parts.number = 0;
    }
  }
  if (const std::size_t slash = parts.label.find('/'); slash != std::string_view::npos) {
    parts.panel = parts.label.substr(0, slash);
    parts.label.remove_prefix(slash + 1);
  }
  return parts;
}

[[noreturn]] void refuse(std::string_view label, std::string problem, std::string found, std::string hint) {
  throw Error({.kind = ErrorKind::usage,
               .field = fmt::format("\"{}\"", printable(label, 80)),
               .problem = std::move(problem),
               .found = std::move(found),
               .hint = std::move(hint)});
}

}  // namespace

std::string_view visible_label(std::string_view label) {
  const std::size_t mark = label.find("##");
  if (mark == std::string_view::npos) return label;
  if (mark > 0) return label.substr(0, mark);
  const std::size_t name = label.find_first_not_of('#');
  return name == std::string_view::npos ? std::string_view() : label.substr(name);
}

const ItemRecorder* recorder_here() {
  const ImGuiContext* context = ImGui::GetCurrentContext();
  return context != nullptr ? recorder_of(*context) : nullptr;
}

void name_area(std::string_view name, Box box, const CellWindow& cells) {
  const ImGuiContext* context = ImGui::GetCurrentContext();
  ItemRecorder* recorder = context != nullptr ? recorder_of(*context) : nullptr;
  if (recorder == nullptr) return;
  const ImGuiWindow* window = context->CurrentWindow;
  recorder->add({std::string(name), window->Name, cells == CellWindow{} ? cut(box, to_box(window->ClipRect)) : box, cells});
}

void note_text(std::string_view text, ImVec2 from, float width, float size, float degrees) {
  constexpr float kCapitals = 0.73F, kBelowLine = 0.2F;  // of our faces, in ems
  const ImGuiContext* context = ImGui::GetCurrentContext();
  ItemRecorder* recorder = context != nullptr ? recorder_of(*context) : nullptr;
  if (recorder == nullptr || !recorder->watches_texts() || text.find_first_not_of(' ') == std::string_view::npos) return;
  const ImGuiWindow* window = context->CurrentWindow;
  const ImVec2 low = window->DrawList->GetClipRectMin(), high = window->DrawList->GetClipRectMax();
  const float angle = degrees * 3.14159265F / 180;
  const float c = std::cos(angle), s = std::sin(angle);
  const auto corner = [&](float x, float y) { return ImVec2(from.x + x * c + y * s, from.y - x * s + y * c); };
  const float top = -kCapitals * size, bottom = kBelowLine * size;
  recorder->add({std::string(text),
                 window->Name,
                 {corner(0, top), corner(width, top), corner(width, bottom), corner(0, bottom)},
                 {low.x, low.y, high.x - low.x, high.y - low.y},
                 can_scroll(window, ImGuiAxis_Y),
                 can_scroll(window, ImGuiAxis_X)});
}

ImVec2 centre_of_cell(const DrawnItem& item, Cell cell) {
  const CellWindow& shown = item.cells;
  if (shown == CellWindow{}) refuse(item.label, "it is not a map and has no cells", {}, {});
  const float row = (static_cast<float>(cell.query) + 0.5F - shown.row_begin) / (shown.row_end - shown.row_begin);
  const float column = (static_cast<float>(cell.key) + 0.5F - shown.column_begin) / (shown.column_end - shown.column_begin);
  if (!(row >= 0 && row < 1 && column >= 0 && column < 1)) {
    refuse(
        item.label, "the map does not show this cell", fmt::format("cell {},{}", cell.query, cell.key),
        fmt::format("Rows {} to {} and columns {} to {} are shown.", shown.row_begin, shown.row_end, shown.column_begin, shown.column_end));
  }
  return {item.box.x + column * item.box.width, item.box.y + row * item.box.height};
}

ItemRecorder::ItemRecorder() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.IO.UserData = this;
  context.TestEngineHookItems = true;
}

ItemRecorder::~ItemRecorder() {
  ImGuiContext* context = ImGui::GetCurrentContext();
  if (context == nullptr || context->IO.UserData != this) return;
  context->TestEngineHookItems = false;
  context->IO.UserData = nullptr;
}

void ItemRecorder::begin_frame() {
  items_.clear();
  texts_.clear();
  placed_.clear();
}

void ItemRecorder::place(ImGuiID id, Box box, Box clip) {
  placed_[id].box = cut(box, clip);
}

void ItemRecorder::label(ImGuiID id, std::string_view label, std::string_view window) {
  const auto found = placed_.find(id);
  const std::string_view shown = visible_label(label);
  if (found == placed_.end() || found->second.is_labelled || shown.empty()) return;
  found->second.is_labelled = true;
  add({std::string(shown), std::string(window), found->second.box, {}});
}

void ItemRecorder::add(DrawnItem item) {
  items_.push_back(std::move(item));
}

void ItemRecorder::add(DrawnText text) {
  texts_.push_back(std::move(text));
}

std::vector<const DrawnItem*> ItemRecorder::matches(std::string_view panel, std::string_view label) const {
  std::vector<const DrawnItem*> found;
  for (const DrawnItem& item : items_) {
    if (item.label == label && (panel.empty() || has_window(item.window, panel))) found.push_back(&item);
  }
  return found;
}

const DrawnItem& ItemRecorder::find(std::string_view label) const {
  std::vector<const DrawnItem*> found = matches({}, label);
  std::size_t number = 0;
  if (found.empty()) {
    const LabelParts parts = split_label(label);
    number = parts.number;
    found = matches(parts.panel, parts.label);
    if (found.empty() && !parts.panel.empty()) found = matches({}, label.substr(0, label.rfind('#')));
  }
  if (found.empty()) refuse(label, "nothing with this label is in sight", {}, "The nearest labels: " + nearest_labels(items_, label));
  if (number > found.size()) refuse(label, "there are fewer with this label", fmt::format("{}", found.size()), {});
  if (number == 0 && found.size() > 1) {
    refuse(label, "several with this label are drawn", fmt::format("{}", found.size()),
           "Write \"Panel/Label\", or \"Label#2\" for the second of them.");
  }
  const DrawnItem& item = *found[number == 0 ? 0 : number - 1];
  if (!is_in_sight(item)) refuse(label, "it is scrolled out of sight", {}, "Scroll to it first.");
  return item;
}

bool ItemRecorder::contains(std::string_view label) const {
  return !matches({}, label).empty();
}

const DrawnItem* ItemRecorder::only(std::string_view label) const {
  const std::vector<const DrawnItem*> found = matches({}, label);
  return found.size() == 1 && is_in_sight(*found.front()) ? found.front() : nullptr;
}

}  // namespace headlight

// The hooks of Dear ImGui's test engine (IMGUI_ENABLE_TEST_ENGINE), called for every item while a recorder lives.

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* ctx, ImGuiID id, const ImRect& bb, const ImGuiLastItemData* /*item_data*/) {
  const ImGuiWindow* window = ctx->CurrentWindow;
  auto* recorder = headlight::recorder_of(*ctx);
  if (recorder == nullptr || window == nullptr || id == window->ID) return;
  recorder->place(id, headlight::to_box(bb), headlight::to_box(window->ClipRect));
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* ctx, ImGuiID id, const char* label, ImGuiItemStatusFlags /*flags*/) {
  auto* recorder = headlight::recorder_of(*ctx);
  if (recorder != nullptr && label != nullptr) recorder->label(id, label, ctx->CurrentWindow->Name);
}

void ImGuiTestEngineHook_Log(ImGuiContext* /*ctx*/, const char* /*fmt*/, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext* /*ctx*/, ImGuiID /*id*/) {
  return nullptr;
}
