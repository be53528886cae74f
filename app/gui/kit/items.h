// What was drawn in a frame and can be pointed at: label, place. Scripts and tests find widgets by it; state dumps list it.
//
// Every Dear ImGui widget is recorded by itself, through the hooks of Dear ImGui's test engine, under its visible label ("Export##main" is
// "Export") or, without one, under the part after the marks ("##sentence" is "sentence"). Maps are not widgets: panels name them.
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/figure/figures.h"

namespace headlight {

/// Names a place of this frame, in pixels, for scripts and tests; does nothing while nobody records. `cells`: the part of a map that
/// the box shows, so that a script can say `click "head 1.3" cell 4,2`.
void name_area(std::string_view name, Box box, const CellWindow& cells = {});

struct DrawnItem {
  std::string label;
  std::string window;  ///< path of windows that it was drawn in
  Box box;             ///< pixels, cut to what is visible; empty: scrolled out of sight
  CellWindow cells;    ///< of a named map; empty otherwise
  bool operator==(const DrawnItem&) const = default;
};

/// A text of a frame, for tests of the layout (tests/gui/text_layout.h).
struct DrawnText {
  std::string text;
  std::string window;              ///< path of windows that it was written in
  std::array<ImVec2, 4> corners;   ///< what its letters take, from the tops of capitals to below the line; pixels, in turn
  Box clip;                        ///< what can be seen of the place it was written to
  bool can_scroll = false;         ///< a window around it scrolls up and down: what is cut off there can be brought into sight
  bool can_scroll_across = false;  ///< the same to the sides, as the token strip of a long text does
};
/// Notes a text of the current window, `size` pixels large and `width` wide, whose baseline begins at `from`, turned against the clock
/// around it. Everything that writes calls it; it does nothing while nobody records.
void note_text(std::string_view text, ImVec2 from, float width, float size, float degrees = 0);

/// The middle of a cell of a named map. Throws Error (usage) when the item is not a map or shows another part of it.
ImVec2 centre_of_cell(const DrawnItem& item, Cell cell);

/// Records the items of one ImGui context from its construction to its destruction.
class ItemRecorder {
 public:
  ItemRecorder();  ///< of the current context
  ~ItemRecorder();
  ItemRecorder(const ItemRecorder&) = delete;
  ItemRecorder& operator=(const ItemRecorder&) = delete;

  void begin_frame();  ///< forgets the last frame: call it before the panels draw
  const std::vector<DrawnItem>& items() const { return items_; }
  const std::vector<DrawnText>& texts() const { return texts_; }
  void watch_texts() { watches_texts_ = true; }  ///< from now on; few want them, and there are many

  /// Finds the one item of a label, as a script writes it: "Label", "Panel/Label" for one within a panel, "Label#2" for the second of
  /// several. Throws Error (usage): none, with the labels nearest to it; several; or one that is scrolled out of sight.
  const DrawnItem& find(std::string_view label) const;
  bool contains(std::string_view label) const;
  /// The one item of a whole label, until another is recorded; null: none, several, or one that is scrolled out of sight.
  const DrawnItem* only(std::string_view label) const;

  // Called by the hooks and name_area.
  void place(ImGuiID id, Box box, Box clip);
  void label(ImGuiID id, std::string_view label, std::string_view window);
  void add(DrawnItem item);
  void add(DrawnText text);
  bool watches_texts() const { return watches_texts_; }

 private:
  struct Placed {
    Box box;
    bool is_labelled = false;
  };
  std::vector<const DrawnItem*> matches(std::string_view panel, std::string_view label) const;
  std::vector<DrawnItem> items_;
  std::vector<DrawnText> texts_;
  bool watches_texts_ = false;
  std::unordered_map<ImGuiID, Placed> placed_;
};

/// The recorder of the current context; null: nobody records.
const ItemRecorder* recorder_here();

/// What a person sees of a Dear ImGui label.
std::string_view visible_label(std::string_view label);

}  // namespace headlight
