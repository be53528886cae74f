#include "app/work/columns/column_shelf.h"

#include <algorithm>
#include <utility>

namespace headlight {

void ColumnShelf::set_source(ColumnSource source) {
  const auto same = std::find_if(sources_.begin(), sources_.end(), [&](const ColumnSource& each) { return each.id == source.id; });
  if (same == sources_.end()) {
    sources_.push_back(std::move(source));
  } else {
    *same = std::move(source);
  }
}

void ColumnShelf::remove_source(std::string_view id) {
  std::erase_if(sources_, [&](const ColumnSource& each) { return each.id == id; });
}

const ColumnSource* ColumnShelf::source(std::string_view id) const {
  const auto found = std::find_if(sources_.begin(), sources_.end(), [&](const ColumnSource& each) { return each.id == id; });
  return found == sources_.end() ? nullptr : &*found;
}

void ColumnShelf::set_group(const std::string& group, HeadColumns columns) {
  if (columns.empty()) {
    groups_.erase(group);
  } else {
    groups_[group] = std::move(columns);
  }
}

const HeadColumns& ColumnShelf::group(const std::string& group) const {
  static const HeadColumns kNone;
  const auto found = groups_.find(group);
  return found == groups_.end() ? kNone : found->second;
}

HeadColumns ColumnShelf::grouped() const {
  HeadColumns all;
  for (const auto& [name, columns] : groups_) all.insert(all.end(), columns.begin(), columns.end());
  return all;
}

}  // namespace headlight
