#include "app/session/history.h"

#include <utility>

namespace headlight {

bool History::joins(const std::string& group) const {
  return place_ > 0 && !can_redo() && !group.empty() && entries_[place_].group == group;
}

void History::record(Document document, std::string label, const std::string& group) {
  if (joins(group)) {
    entries_.pop_back();
    --place_;
    if (document == current()) return;
  }
  entries_.resize(place_ + 1, entries_.front());  // what had been undone is gone
  entries_.push_back({std::move(document), std::move(label), group});
  if (entries_.size() > kLongestHistory) entries_.erase(entries_.begin());
  place_ = entries_.size() - 1;
}

void History::close_group() {
  entries_[place_].group.clear();
}

const Document& History::base_of(const std::string& group) const {
  return joins(group) ? entries_[place_ - 1].document : current();
}

void History::undo() {
  if (can_undo()) --place_;
  close_group();
}

void History::redo() {
  if (can_redo()) ++place_;
  close_group();
}

std::string History::undo_label() const {
  return can_undo() ? entries_[place_].label : std::string();
}

std::string History::redo_label() const {
  return can_redo() ? entries_[place_ + 1].label : std::string();
}

std::vector<std::string> History::labels() const {
  std::vector<std::string> labels;
  for (std::size_t step = 0; step <= place_; ++step) labels.push_back(entries_[step].label);
  return labels;
}

}  // namespace headlight
