#include "app/work/links/link_studies.h"

#include <gtest/gtest.h>

#include "tests/work/snapshots.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::snapshot_of;
using testing::wait_until;

std::shared_ptr<const Snapshot> snapshot_of_text(const std::string& text) {
  Query query;
  query.text = text;
  return snapshot_of(query);
}

/// Asks until the lines are of the snapshot.
void find_lines(LinkStudies& links, const std::shared_ptr<const Snapshot>& snapshot) {
  wait_until([&] {
    const auto found = links.ask(snapshot, {{0, 0}}, {}, {});
    return found && found->snapshot == snapshot;
  });
}

TEST(LinkStudies, NothingOfAnEarlierTextIsHeldWhileTheNextIsShown) {
  Worker worker;
  LinkStudies links(worker);
  auto first = snapshot_of_text("one two three"), second = snapshot_of_text("one two four");
  find_lines(links, first);
  find_lines(links, second);
  const std::weak_ptr<const Snapshot> released = first;
  first.reset();
  wait_until([&] { return released.expired(); });  // the desk's thread lets go of its step after it has published
}

}  // namespace
}  // namespace headlight
