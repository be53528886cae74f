// Undo and redo as values: a list of documents and a place in it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/document.h"

namespace headlight {

/// Steps beyond this many are forgotten, oldest first.
inline constexpr std::size_t kLongestHistory = 1000;

class History {
 public:
  explicit History(Document first) : entries_{{std::move(first), "open", {}}} {}

  const Document& current() const { return entries_[place_].document; }
  /// Records a step. `group` joins steps of one gesture or one stretch of typing: while it equals the last step's group (and is not empty)
  /// the last step is replaced, so a stroke or a typed word is one undo step. A group that comes back to where it began leaves no step.
  void record(Document document, std::string label, const std::string& group = {});
  /// Removes the last step as if it had not been recorded, and brings back the redo steps that it dropped. Returns false and does nothing
  /// when something else came since.
  bool take_back();
  /// Replaces the current document without a step, by one that says more fully what was asked for.
  void amend(Document document) { entries_[place_].document = std::move(document); }
  void close_group();  ///< the gesture has ended: the next step is a new one
  /// The document that undo would return to after a step of `group` recorded now; the step's label describes the change from it.
  const Document& base_of(const std::string& group) const;
  /// From now on undo stops at the present step.
  void hold_undo();
  /// Undo goes back to the beginning again. Steps from the first hold on that lead back to where it began are no longer there, as those of a
  /// lesson that was left.
  void free_undo();
  bool can_undo() const { return place_ > floor_; }
  bool can_redo() const { return place_ + 1 < entries_.size(); }
  void undo();
  void redo();
  /// What undo would take back ("brush: row 8"), empty when there is nothing.
  std::string undo_label() const;
  std::string redo_label() const;
  std::vector<std::string> labels() const;  ///< of the steps up to the current one, oldest first
  /// Whether a step changed only how things are shown, the style and the pins, and nothing of what is computed.
  bool changed_display_only(std::size_t step) const;

 private:
  struct Entry {
    Document document;
    std::string label;
    std::string group;
  };
  bool joins(const std::string& group) const;
  std::vector<Entry> entries_;
  std::size_t place_ = 0, floor_ = 0;
  std::optional<std::size_t> held_from_;         // the first place that undo was held at
  std::optional<std::vector<Entry>> forgotten_;  // the redo steps that the last step dropped; none after undo, redo and take_back
};

/// One sentence for what changed between two documents: "heads 4 → 8", "mask: causal", "text", "brush: 3 cells"; several are joined by
/// commas, and more than three are counted.
std::string describe_change(const Document& before, const Document& after);

}  // namespace headlight
