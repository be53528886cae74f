// Our few own widgets. Every one that can be pressed has a name of its own, so that a script can say "click NAME".
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/kit/theme.h"
#include "engine/figure/scene.h"

namespace headlight {

// --- Text -------------------------------------------------------------------------------------------------------------------------

float text_width(const Look& look, Type type, std::string_view text);
/// Draws into the draw list, vertically centred at `y`; `x` is the text's left, centre or right.
void draw_text(const Look& look, float x, float y, Type type, Colour colour, std::string_view text, AlignX align = AlignX::left);
/// Notes a text that Dear ImGui draws by itself, at the same place (items.h).
void note_line(const Look& look, ImVec2 left_middle, Type type, std::string_view text);
/// `text`, its end replaced by "…" where it is wider than `width` pixels.
std::string elided(const Look& look, Type type, std::string_view text, float width);
/// The same with "…" in the middle: for names, whose beginning and end tell them apart.
std::string elided_middle(const Look& look, Type type, std::string_view text, float width);

/// Items that take the width of their panel: one line; or as many as needed.
void text_line(const Look& look, Type type, Colour colour, std::string_view text);
struct Span {
  std::string text;
  Colour colour;
  Type type = Type::body;
};
/// Spans one after the other, broken at blanks.
/// `width` in pixels; 0: what is left of the line.
void paragraph(const Look& look, std::span<const Span> spans, float width = 0);
void paragraph(const Look& look, Type type, Colour colour, std::string_view text, float width = 0);
/// How high a paragraph of this width gets, in pixels.
float paragraph_height(const Look& look, Type type, std::string_view text, float width);
float paragraph_height(const Look& look, std::span<const Span> spans, float width);
void gap(const Look& look, float points);

// --- Rows: label left, control right, one column edge ---------------------------------------------------------------------------

/// A row of a rail. Controls are placed inside it; the cursor is already below it.
struct Row {
  float left = 0, right = 0, top = 0, height = 0;  ///< pixels
  float control_left = 0;                          ///< right of the label
  const char* help = nullptr;                      ///< the tooltip of the label and of every control in the row
  float middle() const { return top + height / 2; }
};
/// Reserves a row and draws its label; `help` is what the label's tooltip explains to a newcomer.
Row begin_row(const Look& look, std::string_view label, const char* help = nullptr, float height = kRow);
/// A label and a number, right-aligned.
void number_row(const Look& look, std::string_view label, std::string_view number, const char* help = nullptr, float height = kNumberRow);

// --- Controls --------------------------------------------------------------------------------------------------------------------

struct Press {
  bool is_clicked = false, is_hovered = false, is_held = false;
};
/// An area that can be pressed, anywhere in the window; the cursor stays where it is.
Press press_area(const char* name, ImVec2 at, ImVec2 size);
/// One of many alike, that arrows reach from each other: Tab stops at one of them only.
Press press_area_in_list(const char* name, ImVec2 at, ImVec2 size, bool is_tab_stop);
/// A tooltip for the last item, wrapped; null: none.
void hint(const Look& look, const char* text);

/// Gives the keyboard to whatever popup or dialog is open: arrows go from control to control, Enter presses. While none is open, they do so
/// only where a person `is_walking` by Tab, and else go from head to head. Call it every frame, before the panels.
void give_keyboard(bool is_walking);
/// Whether a control of the regions shows that it has the keyboard: then plain arrows, Enter, Space and Esc belong to it and are not commands.
bool is_walked_by_keyboard();
/// Whether Escape was pressed for the innermost popup or dialog, which is the one being drawn.
bool is_escape_for_popup();
/// A popup that takes the keyboard, and that Esc closes, once no text box in it is being typed into. ImGui::EndPopup after true.
bool begin_popup(const char* name);

/// The title of a section; pressing it folds the section. Returns whether its rows are to be drawn. `note` is shown at its right while
/// it is folded.
bool section(const Look& look, const char* title, std::set<std::string, std::less<>>& folded, std::string_view note = {});
/// A row that folds what follows inside a section, likewise; `name` distinguishes it from others with the same label.
bool fold_row(const Look& look, const char* name, std::string_view label, std::set<std::string, std::less<>>& folded,
              std::string_view note = {});
/// A word in a frame: something worth knowing about a picture or a setting. Returns its width in pixels.
float draw_badge(const Look& look, float left, float middle, std::string_view word, Colour colour);
float badge_width(const Look& look, std::string_view word);

/// Segments side by side at the right of the row, one of which is chosen. They are named "NAME LABEL". `chosen` −1: none of them.
bool segmented(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, int& chosen);
/// One of several, with a tooltip for each; one that is not enabled cannot be pressed, and its tooltip says why.
struct Choice {
  std::string label;
  std::string help = {};
  bool is_enabled = true;
};
bool segmented(const Look& look, const Row& row, const char* name, std::span<const Choice> choices, int& chosen);
float segments_width(const Look& look, std::span<const std::string> labels);
/// The same, but any number of them can be on. Returns the segment that was pressed, or −1. `names`: if they are not the labels.
int segmented_many(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, const std::vector<bool>& is_on,
                   std::span<const std::string> names = {});

/// One of many from a list that drops down; shows the chosen one and a ▾ at the right of the row. Entries are named by their label.
bool drop_down(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, int& chosen);
/// The width from the left of the shown label to the right of the row.
float drop_down_width(const Look& look, std::string_view label);
/// The same, with a tooltip for each; one that is not enabled stays in the list, and its tooltip says why.
bool drop_down(const Look& look, const Row& row, const char* name, std::span<const Choice> choices, int& chosen);
/// An entry of a list, `width` pixels wide and `height` points high. Returns whether it was chosen.
bool list_entry(const Look& look, const std::string& label, bool is_chosen, float width, float height = kLine,
                ImGuiSelectableFlags flags = ImGuiSelectableFlags_None);
/// The ▾ and its button alone, `text` right-aligned at `right`; returns whether it was pressed.
bool drop_button(const Look& look, const char* name, float right, float middle, std::string_view text);

inline constexpr float kSliderNumber = 40;
/// A thin track with a knob and the value in numbers. A double click sets `home`.
bool slider(const Look& look, const Row& row, const char* name, float& value, float low, float high, float home, std::string_view text);
/// `text` is shown instead of the number, `room` points wide.
bool slider(const Look& look, const Row& row, const char* name, int& value, int low, int high, std::string_view text = {},
            float room = kSliderNumber);

/// − value +
bool stepper(const Look& look, const Row& row, const char* name, int& value, int low, int high);
bool on_off(const Look& look, const Row& row, const char* name, bool& value);

/// The one main button of a window, and all others.
bool main_button(const Look& look, const char* name, ImVec2 at, ImVec2 size, bool is_enabled = true);
bool quiet_button(const Look& look, const char* name, ImVec2 at, ImVec2 size, bool is_enabled = true);
float button_width(const Look& look, std::string_view label);
/// Words that can be pressed, ending at `right`: for bars where a button would stand out too much.
Press word_button(const Look& look, const char* name, std::string_view text, float right, const Box& bar);
/// A small × that puts something away.
bool close_button(const Look& look, const char* name, ImVec2 centre);

/// A text box at a place; the frame takes the accent while it has the keyboard. Shows the new text when undo changes it.
bool text_box(const Look& look, const char* name, const char* placeholder, std::string& text, ImVec2 at, float width,
              float height = kControl);

/// Enter was pressed in the text_box that was drawn last.
bool is_entered();
/// Call it after a text_box: once it has the keyboard, its text is selected, and typing replaces it.
void select_all_when_entered();
/// Call it before a text_box of a popup: typing while no box of the popup has the keyboard goes to this box, and gives it the keyboard.
void send_typing_to_next_box(std::string& text);
/// Call it after that box: Dear ImGui selects all of a text that is entered by keyboard, and the next character would replace the first.
void keep_caret_behind_typing();

/// A ramp of a colour scale, left to right.
void draw_ramp(const std::array<Colour, 256>& colours, ImVec2 at, ImVec2 size);
void draw_triangle(const Look& look, ImVec2 centre, Colour colour, bool points_up = false);  ///< ▾

}  // namespace headlight
