#include "app/gui/typing/sentence_box.h"

#include <fmt/core.h>
#include <imgui_internal.h>

#include <array>
#include <cmath>

#include "app/gui/kit/shapes.h"
#include "app/gui/kit/widgets.h"
#include "app/gui/kit/written_text.h"
#include "app/gui/typing/line_edit.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

constexpr Type kType = Type::body;

/// The state that Dear ImGui keeps for the one box with the keyboard, as a LineEdit.
ImGuiInputTextState& typing() {
  return ImGui::GetCurrentContext()->InputTextState;
}
LineEdit edit_of(const ImGuiInputTextState& state) {
  return {static_cast<std::size_t>(std::max(0, state.ReloadSelectionEnd)),
          static_cast<std::size_t>(std::max(0, state.ReloadSelectionStart))};
}
void keep(ImGuiInputTextState& state, const LineEdit& edit) {
  if (edit_of(state) == edit) return;
  state.ReloadSelectionEnd = static_cast<int>(edit.caret);
  state.ReloadSelectionStart = static_cast<int>(edit.anchor);
  state.CursorAnimReset();
  state.CursorFollow = true;
}

/// One box in one frame.
struct BoxHere {
  const Look& look;
  ImGuiID id;
  ImVec2 from, to;    ///< its frame
  float left, right;  ///< what the text may take
  std::string& shown;

  float size() const { return look.points(kType) * look.scale; }
  float room() const { return right - left; }
  TextLine& line() const { return look.fonts.shaped->line(shown, look.face(kType), *look.font(kType), size()); }
};

/// How far the line is moved to the left, within what its direction allows: short text that runs to the left ends at the right edge.
float scrolled(const TextLine& line, float room, float wanted) {
  const float over = line.width() - room;
  if (line.runs_left()) return over <= 0 ? over : std::clamp(wanted, 0.0F, over);
  return std::clamp(wanted, 0.0F, std::max(0.0F, over + 1));
}
float scroll_at_rest(const TextLine& line, float room) {
  return line.runs_left() ? line.width() - room : 0;
}

void take_keyboard(const BoxHere& box, bool selects_all) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGuiInputTextState& state = typing();
  const bool is_known = state.ID == box.id;
  ImGui::SetActiveID(box.id, window);  // which asks the state about the box before
  ImGui::SetFocusID(box.id, window);
  ImGui::FocusWindow(window);
  state.ID = box.id;
  state.Flags = ImGuiInputTextFlags_ReadOnly;  // Dear ImGui holds no copy of the text
  state.TextA.resize(1);
  state.TextA[0] = 0;
  state.TextLen = 0;
  state.CursorAnimReset();
  if (!is_known) state.Scroll.x = scroll_at_rest(box.line(), box.room());
  const std::size_t end = box.shown.size();
  keep(state, selects_all ? LineEdit{end, 0} : is_known ? edit_of(state) : LineEdit{end, end});
}

/// Whether the box has the keyboard from this frame on: clicked, or asked for by Tab or by the program.
bool begin_typing(const BoxHere& box, bool is_hovered) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.ActiveId == box.id) return true;
  const bool is_clicked = is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const bool is_asked_for = context.NavActivateId == box.id && ((context.NavActivateFlags & ImGuiActivateFlags_PreferInput) != 0 ||
                                                                context.NavInputSource == ImGuiInputSource_Keyboard);
  if (!is_clicked && !is_asked_for) return false;
  const bool is_kept = typing().ID == box.id && (context.NavActivateFlags & ImGuiActivateFlags_TryToPreserveState) != 0;
  take_keyboard(box, is_clicked ? context.IO.KeyCtrl : !is_kept);
  return true;
}

void own_keys(ImGuiID id) {
  constexpr std::array kOwned{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Enter, ImGuiKey_KeypadEnter,
                              ImGuiKey_Delete,    ImGuiKey_Backspace,  ImGuiKey_Home,  ImGuiKey_End};
  for (const ImGuiKey key : kOwned) ImGui::SetKeyOwner(key, id);
  ImGui::GetCurrentContext()->ActiveIdUsingNavDirMask |= (1U << ImGuiDir_Left) | (1U << ImGuiDir_Right);
}

/// A click, a double one on a word, a triple one, and a drag.
void answer_mouse(const BoxHere& box, bool is_hovered, LineEdit& edit) {
  const ImGuiIO& io = ImGui::GetIO();
  ImGuiInputTextState& state = typing();
  if (!io.MouseDown[0]) state.SelectedAllMouseLock = false;
  const TextLine& line = box.line();
  const std::size_t under = line.caret_at(io.MousePos.x - box.left + state.Scroll.x);
  if (is_hovered && io.MouseClicked[0]) {
    ImGui::SetKeyOwner(ImGuiKey_MouseLeft, box.id);
    state.SelectedAllMouseLock = io.MouseClickedCount[0] > 1 || (edit.has_selection() && io.KeyCtrl);
    if (io.MouseClickedCount[0] == 2) {
      const ByteRange word = line.word_around(under);
      edit = {word.end, word.begin};
    } else if (io.MouseClickedCount[0] > 2 || io.KeyCtrl) {
      edit = {box.shown.size(), 0};
    } else {
      edit = {under, io.KeyShift ? edit.anchor : under};
    }
    state.CursorAnimReset();
  } else if (io.MouseDown[0] && !state.SelectedAllMouseLock && io.MouseDelta.x != 0) {
    edit.caret = under;
  }
}

void answer_caret_keys(const BoxHere& box, LineEdit& edit) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool is_word = io.ConfigMacOSXBehaviors ? io.KeyAlt : io.KeyCtrl;
  const auto step = [&](ImGuiKey key, CaretStep one, CaretStep word) {
    if (ImGui::IsKeyPressed(key)) edit = moved(edit, box.line(), is_word ? word : one, io.KeyShift);
  };
  step(ImGuiKey_LeftArrow, CaretStep::left, CaretStep::word_left);
  step(ImGuiKey_RightArrow, CaretStep::right, CaretStep::word_right);
  step(ImGuiKey_Home, CaretStep::start, CaretStep::start);
  step(ImGuiKey_End, CaretStep::end, CaretStep::end);
  const auto take = [&](ImGuiKey key, Erased one, Erased word) {
    if (ImGui::IsKeyPressed(key)) edit = erase(edit, box.line(), is_word ? word : one, box.shown);
  };
  take(ImGuiKey_Backspace, Erased::character_before, Erased::word_before);
  if (!io.KeyShift) take(ImGuiKey_Delete, Erased::character_after, Erased::word_after);
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_A, 0, box.id)) edit = {box.shown.size(), 0};
}

/// What the keyboard, or an input method, hands over: whole code points, in order.
void take_characters(const BoxHere& box, LineEdit& edit) {
  ImGuiIO& io = ImGui::GetIO();
  std::string typed;
  for (const ImWchar character : io.InputQueueCharacters) {
    const bool is_character = (character >= 0x20 || character == '\n') && character != 0x7F && (character < 0xD800 || character > 0xDFFF) &&
                              character <= 0x10FFFF;
    if (is_character) append_utf8(typed, character);
  }
  io.InputQueueCharacters.resize(0);
  if (ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_Enter)) typed += '\n';
  const bool is_command = io.KeyCtrl && !io.KeyAlt;  // AltGr is both, and writes characters
  if (!typed.empty() && !is_command) edit = insert(edit, on_one_line(typed), box.shown);
}

/// The line breaks of a selection go to other programs as such.
void copy(const BoxHere& box, const LineEdit& edit) {
  const bool is_all = !edit.has_selection();
  const std::string part = is_all ? box.shown : box.shown.substr(edit.begin(), edit.end() - edit.begin());
  ImGui::SetClipboardText(with_line_breaks("", part).c_str());
}

void answer_clipboard_keys(const BoxHere& box, const char* question, LineEdit& edit) {
  const bool is_cut = ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_X, ImGuiInputFlags_Repeat, box.id) ||
                      ImGui::Shortcut(ImGuiMod_Shift | ImGuiKey_Delete, ImGuiInputFlags_Repeat, box.id);
  const bool is_copied =
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_C, 0, box.id) || ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Insert, 0, box.id);
  if (is_cut || is_copied) copy(box, edit);
  if (is_cut) edit = insert(edit.has_selection() ? edit : LineEdit{box.shown.size(), 0}, "", box.shown);
  const bool is_paste = ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_V, ImGuiInputFlags_Repeat, box.id) ||
                        ImGui::Shortcut(ImGuiMod_Shift | ImGuiKey_Insert, ImGuiInputFlags_Repeat, box.id);
  const char* clipboard = is_paste ? ImGui::GetClipboardText() : nullptr;
  if (clipboard == nullptr) return;
  const std::string pasted = line_of(clipboard);
  if (pasted.size() > kMostPasted && first_characters(pasted, kMostPasted).size() < pasted.size()) return ImGui::OpenPopup(question);
  edit = insert(edit, pasted, box.shown);
}

/// Whether the box keeps the keyboard: Enter, Escape and a click elsewhere leave it.
bool keeps_keyboard(bool is_hovered) {
  const bool is_entered = !ImGui::GetIO().KeyShift && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  const bool is_elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_hovered;
  return !is_entered && !is_elsewhere && !ImGui::IsKeyPressed(ImGuiKey_Escape);
}

/// Moves the line so that the caret can be seen.
void follow_caret(const BoxHere& box, const TextLine& line, float caret) {
  ImGuiInputTextState& state = typing();
  float& scroll = state.Scroll.x;
  if (state.CursorFollow) {
    const float jump = box.room() / 4;
    if (caret < scroll) scroll = caret - jump;
    if (caret > scroll + box.room() - 1) scroll = caret - box.room() + jump;
    state.CursorFollow = false;
  }
  scroll = std::round(scrolled(line, box.room(), scroll));
}

/// Where the input method shows its window.
void tell_input_method(const BoxHere& box, ImVec2 caret) {
  ImGuiPlatformImeData& data = ImGui::GetCurrentContext()->PlatformImeData;
  data.WantVisible = data.WantTextInput = true;
  data.InputPos = {caret.x - 1, caret.y};
  data.InputLineHeight = box.size();
  data.ViewportId = ImGui::GetCurrentWindow()->Viewport->ID;
}

void draw_typing(const BoxHere& box, const LineEdit& edit, ImDrawList& canvas) {
  ImGuiInputTextState& state = typing();
  TextLine& line = box.line();
  const float top = std::round((box.from.y + box.to.y) / 2 - box.size() / 2);
  const float caret = line.x_of(edit.caret);
  follow_caret(box, line, caret);
  const float left = box.left - state.Scroll.x;
  for (const auto& [from, to] : line.stretches(edit.begin(), edit.end())) {
    canvas.AddRectFilled({std::round(left + from), top - 1}, {std::round(left + to), top + box.size() + 2},
                         ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  }
  line.draw(canvas, {left, top}, baseline_of(box.look.fonts, box.look.face(kType), box.size()), state.Scroll.x, state.Scroll.x + box.room(),
            to_imgui(box.look.colours.text));
  state.CursorAnim += ImGui::GetIO().DeltaTime;
  const bool is_caret_shown =
      !ImGui::GetIO().ConfigInputTextCursorBlink || state.CursorAnim <= 0 || std::fmod(state.CursorAnim, 1.2F) <= 0.8F;
  const float x = std::trunc(left + caret), thick = std::max(1.0F, std::floor(box.look.scale));
  if (is_caret_shown) canvas.AddRectFilled({x, top}, {x + thick, top + box.size()}, ImGui::GetColorU32(ImGuiCol_InputTextCursor));
  tell_input_method(box, {x, top});
}

void draw_resting(const BoxHere& box, const char* placeholder, ImDrawList& canvas) {
  const float middle = (box.from.y + box.to.y) / 2;
  if (box.shown.empty()) {
    return draw_text(box.look, box.left, middle, kType, box.look.colours.text_second, elided(box.look, kType, placeholder, box.room()));
  }
  TextLine& line = box.line();
  const float scroll = std::round(scrolled(line, box.room(), scroll_at_rest(line, box.room())));
  line.draw(canvas, {box.left - scroll, std::round(middle - box.size() / 2)}, baseline_of(box.look.fonts, box.look.face(kType), box.size()),
            scroll, scroll + box.room(), to_imgui(box.look.colours.text));
}

std::string most_pasted() {
  return fmt::format("{},{:03}", kMostPasted / 1000, kMostPasted % 1000);
}

/// Asks before a long paste is cut. Returns what is to be pasted.
std::string ask_about_paste(const Look& look, const char* question, ImVec2 below) {
  std::string taken;
  ImGui::SetNextWindowPos({below.x, below.y + look.px(kInside)}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(kBetween)));
  if (begin_popup(question)) {
    const char* clipboard = ImGui::GetClipboardText();
    const std::string pasted = line_of(clipboard != nullptr ? clipboard : "");
    const std::string first = "Paste the first " + most_pasted();
    paragraph(
        look, Type::body, look.colours.text,
        fmt::format(
            "The clipboard holds {:.1f} MB of text. A sentence takes {} characters at a time; with more, every keystroke would be slow.",
            static_cast<double>(pasted.size()) / 1e6, most_pasted()),
        look.px(320));
    gap(look, kUnit);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = button_width(look, first), height = look.px(kControl);
    ImGui::Dummy({look.px(320), height});
    if (main_button(look, first.c_str(), at, {wide, height})) taken = first_characters(pasted, kMostPasted);
    const bool is_left =
        quiet_button(look, "Paste nothing", {at.x + wide + look.px(kUnit), at.y}, {button_width(look, "Paste nothing"), height});
    if (is_left || !taken.empty()) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return taken;
}

/// Everything a person does with the box in this frame. Returns whether it has the keyboard after it.
bool type(const BoxHere& box, const char* question, bool is_hovered) {
  if (!begin_typing(box, is_hovered)) return false;
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.ActiveIdAllowOverlap = !context.IO.MouseDown[0];
  own_keys(box.id);
  LineEdit edit = edit_of(typing());
  const TextLine& line = box.line();  // undo may have changed the text
  edit = {line.snapped(edit.caret), line.snapped(edit.anchor)};
  answer_mouse(box, is_hovered, edit);
  const bool has_just_begun = context.ActiveIdIsJustActivated;
  const std::string before = box.shown;
  if (!has_just_begun) {
    answer_caret_keys(box, edit);
    answer_clipboard_keys(box, question, edit);
  }
  has_just_begun ? context.IO.InputQueueCharacters.resize(0) : take_characters(box, edit);
  if (box.shown != before) edit = {box.line().snapped(edit.caret), box.line().snapped(edit.anchor)};
  keep(typing(), edit);
  if (has_just_begun || keeps_keyboard(is_hovered)) return true;
  ImGui::ClearActiveID();
  return false;
}

}  // namespace

bool sentence_box(const Look& look, const char* name, const char* placeholder, std::string& text, ImVec2 at, float width, float height) {
  const std::string label = fmt::format("##{}", name), question = fmt::format("paste into {}", name);
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  std::string shown = on_one_line(text);
  const float edge = look.px(2 * kInside + 2);
  const BoxHere box{look, window.GetID(label.c_str()), at, {at.x + width, at.y + look.px(height)}, at.x + edge, at.x + width - edge, shown};
  const ImRect place(box.from, box.to);
  if (!ImGui::ItemAdd(place, box.id, nullptr, ImGuiItemFlags_Inputable)) return false;
  const bool is_hovered = ImGui::ItemHoverable(place, box.id, ImGui::GetItemFlags() | ImGuiItemFlags_NoNavDisableMouseHover);
  if (is_hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const bool is_typed_in = type(box, question.c_str(), is_hovered);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  fill(look, box.from, box.to, look.colours.ground);
  outline(look, box.from, box.to, is_typed_in ? look.colours.accent : look.colours.line);
  canvas.PushClipRect({box.left - look.px(2), box.from.y}, {box.right + look.px(2), box.to.y}, true);
  is_typed_in && !shown.empty() ? draw_typing(box, edit_of(typing()), canvas) : draw_resting(box, placeholder, canvas);
  if (is_typed_in && shown.empty()) draw_typing(box, {}, canvas);
  canvas.PopClipRect();
  ImGuiContext& g = *ImGui::GetCurrentContext();  // as the macro wants it
  IMGUI_TEST_ENGINE_ITEM_INFO(box.id, label.c_str(), g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Inputable);
  const ImGuiLastItemData item = g.LastItemData;
  const std::string pasted = ask_about_paste(look, question.c_str(), {box.from.x, box.to.y});
  g.LastItemData = item;
  if (!pasted.empty()) {
    const TextLine& line = box.line();
    const LineEdit edit = typing().ID == box.id ? edit_of(typing()) : LineEdit{shown.size(), shown.size()};
    keep(typing(), insert({line.snapped(edit.caret), line.snapped(edit.anchor)}, pasted, shown));
  }
  if (shown == on_one_line(text)) return false;
  ImGui::MarkItemEdited(box.id);
  text = with_line_breaks(text, shown);
  return true;
}

}  // namespace headlight
