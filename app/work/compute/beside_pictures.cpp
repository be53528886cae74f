#include "app/work/compute/beside_pictures.h"

#include <algorithm>
#include <utility>

namespace headlight {

BesidePictures::Entry* BesidePictures::entry_of(const Query& query) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.query == query; });
  return found == entries_.end() ? nullptr : &*found;
}

BesidePictures::Snapshots BesidePictures::want(std::vector<Query> queries, const std::shared_ptr<const Snapshot>& shown) {
  std::vector<Entry> wanted;
  for (Query& query : queries) {
    const bool is_twice = std::any_of(wanted.begin(), wanted.end(), [&](const Entry& each) { return each.query == query; });
    if (is_twice) continue;
    PictureBeside picture = find(query);
    if (!picture.snapshot && shown && shown->query == query) picture = {shown, {}};
    wanted.push_back({std::move(query), std::move(picture)});
  }
  std::swap(entries_, wanted);
  Snapshots let_go;
  for (Entry& entry : wanted) {
    if (entry.picture.snapshot && !holds(entry.picture.snapshot)) let_go.push_back(std::move(entry.picture.snapshot));
  }
  return let_go;
}

const Query* BesidePictures::next() const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [](const Entry& each) { return !each.picture.snapshot && each.picture.problem.empty(); });
  return found == entries_.end() ? nullptr : &found->query;
}

void BesidePictures::put(const Query& query, const std::shared_ptr<const Snapshot>& snapshot) {
  Entry* const entry = entry_of(query);
  if (entry != nullptr && !entry->picture.snapshot) entry->picture = {snapshot, {}};
}

void BesidePictures::keep(const std::shared_ptr<const Snapshot>& snapshot) {
  if (entry_of(snapshot->query) == nullptr) entries_.push_back({snapshot->query, {snapshot, {}}});
  put(snapshot);
}

void BesidePictures::refuse(const Query& query, std::string problem) {
  Entry* const entry = entry_of(query);
  if (entry != nullptr && !entry->picture.snapshot) entry->picture.problem = std::move(problem);
}

void BesidePictures::retry() {
  for (Entry& entry : entries_) entry.picture.problem.clear();
}

PictureBeside BesidePictures::find(const Query& query) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.query == query; });
  return found == entries_.end() ? PictureBeside{} : found->picture;
}

std::vector<Query> BesidePictures::queries() const {
  std::vector<Query> queries;
  for (const Entry& entry : entries_) queries.push_back(entry.query);
  return queries;
}

bool BesidePictures::holds(const std::shared_ptr<const Snapshot>& snapshot) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.picture.snapshot == snapshot; });
}

}  // namespace headlight
