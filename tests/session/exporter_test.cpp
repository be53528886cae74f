#include "app/session/exporter.h"

#include <gmock/gmock.h>

#include "engine/pipeline.h"
#include "tests/session/waiting.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using testing::wait_until;

std::shared_ptr<const Snapshot> small_snapshot() {
  Query query;
  query.model.sandbox.layers = 1;
  query.text = "a b c";
  SilentProgress silent;
  return Pipeline(1).run(query, silent);
}

TEST(Exporter, WritesTheFigureAndSaysWhere) {
  const TemporaryFolder folder;
  Exporter exporter;
  exporter.start(small_snapshot(), {}, folder / "head.svg");
  wait_until([&] { return !exporter.status().is_busy; });
  EXPECT_EQ(exporter.status().finished, 1U);
  EXPECT_FALSE(exporter.status().is_failure);
  EXPECT_THAT(exporter.status().message, HasSubstr("head.svg"));
  EXPECT_THAT(testing::bytes_of(folder / "head.svg"), HasSubstr("<svg"));
}

TEST(Exporter, AFailureIsAMessageAndTheNextFileIsWritten) {
  const TemporaryFolder folder;
  Exporter exporter;
  const auto snapshot = small_snapshot();
  exporter.start(snapshot, {}, folder / "missing/head.png");
  wait_until([&] { return exporter.status().finished == 1; });
  EXPECT_TRUE(exporter.status().is_failure);
  EXPECT_THAT(exporter.status().message, HasSubstr("missing"));

  exporter.start(snapshot, {}, folder / "head.png");
  wait_until([&] { return exporter.status().finished == 2; });
  EXPECT_FALSE(exporter.status().is_failure);
  EXPECT_THAT(testing::bytes_of(folder / "head.png"), StartsWith("\x89PNG"));
}

TEST(Exporter, FinishesWhatWasAskedForBeforeItEnds) {
  const TemporaryFolder folder;
  {
    Exporter exporter;
    for (const char* name : {"a.json", "b.json", "c.json"}) exporter.save(first_document(), Json::object(), folder / name);
  }
  for (const char* name : {"a.json", "b.json", "c.json"}) EXPECT_EQ(load_document(folder / name), first_document());
}

}  // namespace
}  // namespace headlight
