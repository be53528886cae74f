#include "app/document/history.h"

#include <iterator>
#include <utility>

namespace headlight {

bool History::joins(const std::string& group) const {
  return can_undo() && !can_redo() && !group.empty() && entries_[place_].group == group;
}

void History::record(Document document, std::string label, const std::string& group) {
  if (joins(group)) {
    entries_.pop_back();
    --place_;
    if (document == current()) return forgotten_.reset();
  } else {
    const auto undone = entries_.begin() + static_cast<std::ptrdiff_t>(place_) + 1;
    forgotten_.emplace(std::make_move_iterator(undone), std::make_move_iterator(entries_.end()));
    entries_.erase(undone, entries_.end());
  }
  entries_.push_back({std::move(document), std::move(label), group});
  if (entries_.size() > kLongestHistory) {
    entries_.erase(entries_.begin());
    floor_ -= floor_ > 0 ? 1 : 0;
    if (held_from_ && *held_from_ > 0) --*held_from_;
  }
  place_ = entries_.size() - 1;
}

void History::hold_undo() {
  floor_ = place_;
  if (!held_from_) held_from_ = place_;
}

void History::free_undo() {
  floor_ = 0;
  if (!held_from_) return;
  const std::size_t held_from = *std::exchange(held_from_, std::nullopt);
  for (const std::size_t before : {held_from, held_from - (held_from > 0 ? 1 : 0)}) {
    if (place_ <= before || entries_[before].document != current()) continue;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(before) + 1, entries_.end());
    place_ = before;
    forgotten_.reset();
    return;
  }
}

bool History::take_back() {
  if (!forgotten_ || !can_undo()) return false;
  entries_.pop_back();
  std::move(forgotten_->begin(), forgotten_->end(), std::back_inserter(entries_));
  forgotten_.reset();
  --place_;
  close_group();
  return true;
}

void History::close_group() {
  entries_[place_].group.clear();
}

const Document& History::base_of(const std::string& group) const {
  return joins(group) ? entries_[place_ - 1].document : current();
}

void History::undo() {
  if (can_undo()) --place_;
  forgotten_.reset();
  close_group();
}

void History::redo() {
  if (can_redo()) ++place_;
  forgotten_.reset();
  close_group();
}

std::string History::undo_label() const {
  return can_undo() ? entries_[place_].label : std::string();
}

std::string History::redo_label() const {
  return can_redo() ? entries_[place_ + 1].label : std::string();
}

bool History::changed_display_only(std::size_t step) const {
  if (step == 0 || step >= entries_.size()) return false;
  Document before = entries_[step - 1].document;
  const Document& after = entries_[step].document;
  before.style = after.style;
  before.pins = after.pins;
  return before == after;
}

std::vector<std::string> History::labels() const {
  std::vector<std::string> labels;
  for (std::size_t step = 0; step <= place_; ++step) labels.push_back(entries_[step].label);
  return labels;
}

}  // namespace headlight
