#include "app/work/exporter.h"

#include <gmock/gmock.h>

#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"
#include "tests/work/waiting.h"

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
    for (const char* name : {"a.json", "b.json", "c.json"}) exporter.save(sandbox_document(), Json::object(), folder / name);
  }
  for (const char* name : {"a.json", "b.json", "c.json"}) EXPECT_EQ(load_document(folder / name), sandbox_document());
}

TEST(Exporter, ReadsAMaskAndHandsItOverOnce) {
  const TemporaryFolder folder;
  Exporter exporter;
  Mask mask(2, 3, false);
  mask.set(1, 2, true);
  exporter.write_mask(std::make_shared<const Mask>(mask), folder / "mask.npy");
  exporter.read_mask({Scope::Kind::layer, {1, 0}}, 2, 3, folder / "mask.npy");
  wait_until([&] { return exporter.status().finished == 2; });
  EXPECT_THAT(exporter.status().message, StartsWith("Read: "));
  const std::optional<ReadMask> read = exporter.take_mask();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->scope.where.layer, 1);
  EXPECT_EQ(read->strokes, (std::vector<CellBlock>{{0, 2, 0, 3, false}, {1, 2, 2, 3, true}}));
  EXPECT_FALSE(exporter.take_mask());
  exporter.read_mask({}, 3, 2, folder / "mask.npy");
  wait_until([&] { return exporter.status().finished == 3; });
  EXPECT_TRUE(exporter.status().is_failure);
  EXPECT_FALSE(exporter.take_mask());
  exporter.read_mask({}, 1, 2, folder.file("added.txt", "0 -inf\n"));
  wait_until([&] { return exporter.status().finished == 4; });
  EXPECT_THAT(exporter.status().message, ::testing::HasSubstr("added to scores")) << "how it was read";
}

}  // namespace
}  // namespace headlight
