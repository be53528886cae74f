#include "app/session/mask_files.h"

#include <gmock/gmock.h>

#include "engine/core/error.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::bytes_of;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// Causal, with a hole and an island: no shape that a symmetric mistake could turn into itself.
Mask ragged_mask(Index queries, Index keys) {
  Mask mask(queries, keys, false);
  for (Index query = 0; query < queries; ++query) {
    for (Index key = 0; key < keys; ++key) mask.set(query, key, key <= query);
  }
  mask.set(2, 1, false);
  mask.set(0, keys - 1, true);
  return mask;
}

Mask painted(Mask mask, const std::vector<CellBlock>& strokes) {
  for (const CellBlock& block : strokes) {
    for (Index query = block.query_begin; query < block.query_end; ++query) {
      for (Index key = block.key_begin; key < block.key_end; ++key) mask.set(query, key, block.is_allowed);
    }
  }
  return mask;
}

class MaskFiles : public ::testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path path() const { return folder / (std::string("mask.") + GetParam()); }
  const TemporaryFolder folder;
};

TEST_P(MaskFiles, ComeBackAsTheyWereWritten) {
  for (const auto& [queries, keys] : {std::pair<Index, Index>{4, 4}, {3, 7}, {9, 5}}) {
    const Mask mask = ragged_mask(queries, keys);
    write_mask(mask, path());
    EXPECT_EQ(read_mask(path(), queries, keys), mask) << queries << " × " << keys;
  }
}

TEST_P(MaskFiles, AMapOfUnknownSizeTakesTheFilesOwn) {
  const Mask mask = ragged_mask(3, 7);
  write_mask(mask, path());
  EXPECT_EQ(read_mask(path()), mask);
}

TEST_P(MaskFiles, AnotherShapeIsRefusedWithBoth) {
  write_mask(ragged_mask(4, 6), path());
  const Error error = error_of([&] { read_mask(path(), 6, 4); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), HasSubstr("6 × 4"));
  EXPECT_THAT(error.message(), HasSubstr(std::string(GetParam()) == "txt" ? "a row of 6" : "4 × 6"));
}

TEST_P(MaskFiles, EveryTruncationIsRefused) {
  write_mask(ragged_mask(4, 4), path());
  const std::string whole = bytes_of(path());
  // The last line break of a text carries nothing; a PNG is whole once its picture is, without the closing chunk's checksum.
  const std::size_t spare = std::string(GetParam()) == "npy" ? 0 : std::string(GetParam()) == "txt" ? 1 : 12;
  for (std::size_t size = 0; size + spare < whole.size(); ++size) {
    const auto cut = folder.file(std::string("cut.") + GetParam(), std::string_view(whole).substr(0, size));
    EXPECT_EQ(error_of([&] { read_mask(cut, 4, 4); }).kind(), ErrorKind::input) << size;
  }
}

TEST_P(MaskFiles, AMissingFileIsNamed) {
  const Error error = error_of([&] { read_mask(path(), 4, 4); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), HasSubstr("mask."));
}

INSTANTIATE_TEST_SUITE_P(Endings, MaskFiles, ::testing::Values("npy", "txt", "png"));

TEST(MaskFile, AnotherEndingIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { write_mask(ragged_mask(3, 3), folder / "mask.jpg"); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { read_mask(folder / "mask", 3, 3); }).kind(), ErrorKind::usage);
}

TEST(MaskFile, TextMayBeWrittenWithOrWithoutBlanks) {
  const TemporaryFolder folder;
  const Mask mask = read_mask(folder.file("mask.txt", "10\r\n\r\n1,1"), 2, 2);
  EXPECT_FALSE(mask.allows(0, 1));
  EXPECT_TRUE(mask.allows(1, 1));
  const Error error = error_of([&] { read_mask(folder.file("mask.txt", "10\n12\n"), 2, 2); });
  EXPECT_THAT(error.message(), HasSubstr("line 2"));
}

TEST(MaskFile, RowsOfDifferentLengthsAndNothingAreNoMask) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read_mask(folder.file("mask.txt", "10\n1\n")); }).message(), HasSubstr("a row of 1 in line 2"));
  EXPECT_THAT(error_of([&] { read_mask(folder.file("mask.txt", "\n")); }).message(), HasSubstr("0 × 0"));
}

TEST(MaskFile, AnAdditiveMaskIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  header.resize(117, ' ');
  header += '\n';
  const std::string file = "\x93NUMPY" + std::string("\x01\x00\x76\x00", 4) + header + std::string("\x00\x00\x00\x00\x00\x00\x80\xff", 8);
  const Error error = error_of([&] { read_mask(folder.file("mask.npy", file), 1, 2); });
  EXPECT_THAT(error.message(), HasSubstr("query 0 and key 1"));
  EXPECT_THAT(error.message(), HasSubstr("-inf"));
}

TEST(MaskFile, APictureIsWhiteWhereAQueryMayAttend) {
  const TemporaryFolder folder;
  const Mask mask = ragged_mask(4, 4);
  write_mask(mask, folder / "mask.png");
  const Mask back = read_mask(folder / "mask.png", 4, 4);
  EXPECT_TRUE(back.allows(3, 0));
  EXPECT_FALSE(back.allows(2, 1));
}

TEST(MaskStrokes, GiveTheMaskOverAnyOther) {
  const Mask mask = ragged_mask(6, 9);
  const std::vector<CellBlock> strokes = strokes_of(mask);
  EXPECT_EQ(painted(Mask(6, 9, true), strokes), mask);
  EXPECT_EQ(painted(Mask(6, 9, false), strokes), mask);
  EXPECT_EQ(strokes_of(Mask(5, 5, true)).size(), 1U);
}

TEST(MaskStrokes, ReplaceThoseOfTheirScopeAndKeepItsText) {
  MaskEdits edits{{{{}, "none", {{0, 1, 0, 1, false}}}, {{Scope::Kind::layer, {1, 0}}, "", {{2, 3, 2, 3, false}}}}};
  paint_mask(edits, {}, {{0, 4, 0, 4, true}});
  paint_mask(edits, {Scope::Kind::head, {0, 2}}, {{0, 2, 0, 2, false}});
  ASSERT_EQ(edits.rules.size(), 3U);
  EXPECT_EQ(edits.rules[0], (MaskRule{{}, "none", {{0, 4, 0, 4, true}}}));
  EXPECT_EQ(edits.rules[1].strokes.size(), 1U);
  EXPECT_EQ(edits.rules[2].scope.where, (HeadId{0, 2}));
}

}  // namespace
}  // namespace headlight
