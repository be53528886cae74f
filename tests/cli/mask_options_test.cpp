// Masks that --mask-file reads into a document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/cli/options/options.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

TEST(MaskOptions, AFileIsReadOnceAndItsMaskIsTheOneThatIsChecked) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.file("m.txt", "0 -inf\n0 0\n");
  CLI::App app;
  const QueryOptions options(app);
  app.parse("-m sandbox -t 'a b' --mask-file " + path.string());
  SubjectMasks masks;
  const Query query = options.document(nullptr, &masks).query;
  std::filesystem::remove(path);
  SilentProgress progress;
  Pipeline pipeline(1);
  EXPECT_THAT(check_masks(masks.at(1), *pipeline.run(query, progress)),
              ::testing::ElementsAre(::testing::HasSubstr("m.txt: taken as a mask that is added to scores")));
}

}  // namespace
}  // namespace headlight
