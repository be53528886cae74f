#include "app/document/files/mask_files.h"

#include <gmock/gmock.h>

#include "engine/core/error.h"
#include "engine/figure/painters/png.h"
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
    EXPECT_EQ(read_mask(path(), queries, keys).mask, mask) << queries << " × " << keys;
  }
}

TEST_P(MaskFiles, AMapOfUnknownSizeTakesTheFilesOwn) {
  const Mask mask = ragged_mask(3, 7);
  write_mask(mask, path());
  EXPECT_EQ(read_mask(path()).mask, mask);
  EXPECT_TRUE(read_mask(path()).notes.empty());
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
  const Mask mask = read_mask(folder.file("mask.txt", "10\r\n\r\n1,1"), 2, 2).mask;
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

/// A .npy file of one row of two float32, given as their bytes.
std::string npy_of_two(std::string_view bytes) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  header.resize(117, ' ');
  return "\x93NUMPY" + std::string("\x01\x00\x76\x00", 4) + header + "\n" + std::string(bytes);
}
constexpr std::string_view kZero("\x00\x00\x00\x00", 4), kOne("\x00\x00\x80\x3f", 4), kHalf("\x00\x00\x00\x3f", 4),
    kMinusInfinity("\x00\x00\x80\xff", 4);

// Seeds D2: other programs' masks are converted, and a note says so; a number that is no answer is named with its place.
TEST(MaskFile, AMaskThatIsAddedToScoresIsConvertedWithANote) {
  const TemporaryFolder folder;
  const auto file = folder.file("mask.npy", npy_of_two(std::string(kZero) + std::string(kMinusInfinity)));
  const MaskFile read = read_mask(file, 1, 2);
  EXPECT_TRUE(read.mask.allows(0, 0));
  EXPECT_FALSE(read.mask.allows(0, 1));
  ASSERT_EQ(read.notes.size(), 1U);
  EXPECT_THAT(read.notes[0], HasSubstr("added to scores: 0 may attend"));
  const MaskFile text = read_mask(folder.file("mask.txt", "0 -1e9\n-10000 -0\n"));
  EXPECT_TRUE(text.mask.allows(0, 0) && text.mask.allows(1, 1));
  EXPECT_FALSE(text.mask.allows(0, 1) || text.mask.allows(1, 0));
  EXPECT_EQ(text.notes.size(), 1U);
  const auto mixed = folder.file("mask.npy", npy_of_two(std::string(kOne) + std::string(kMinusInfinity)));
  EXPECT_THAT(error_of([&] { read_mask(mixed, 1, 2); }).message(), HasSubstr("two kinds"));
  const auto half = folder.file("mask.npy", npy_of_two(std::string(kOne) + std::string(kHalf)));
  EXPECT_THAT(error_of([&] { read_mask(half, 1, 2); }).message(), HasSubstr("query 0 and key 1"));
}

TEST(MaskFile, NothingButZerosIsAMaskThatForbidsAllAndSaysSo) {
  const TemporaryFolder folder;
  const MaskFile read = read_mask(folder.file("mask.txt", "00\n00\n"));
  EXPECT_EQ(read.mask, Mask(2, 2, false));
  ASSERT_EQ(read.notes.size(), 1U);
  EXPECT_THAT(read.notes[0], HasSubstr("nothing but 0"));
}

// What numpy.savetxt writes by default, with a header and a byte order mark before it.
TEST(MaskFile, TextOfNumpyIsRead) {
  const TemporaryFolder folder;
  const MaskFile read = read_mask(folder.file("mask.txt",
                                              "\xEF\xBB\xBF# a mask\n1.000000000000000000e+00 0.000000000000000000e+00\n"
                                              "1.000000000000000000e+00,1.000000000000000000e+00\n"));
  Mask expected(2, 2, true);
  expected.set(0, 1, false);
  EXPECT_EQ(read.mask, expected);
  EXPECT_TRUE(read.notes.empty());
  EXPECT_THAT(error_of([&] { read_mask(folder.file("mask.txt", "1 0\n0.5 1\n")); }).message(), HasSubstr("line 2"));
}

TEST(MaskFile, APictureThatIsNotBlackAndWhiteIsReadWithANote) {
  const TemporaryFolder folder;
  const auto read = [&](std::initializer_list<std::uint8_t> pixels) {
    return read_mask(folder.file("mask.png", encode_png({3, 1, pixels})), 1, 3);
  };
  const MaskFile grey = read({127, 127, 127, 255, 128, 128, 128, 255, 255, 0, 0, 255});
  EXPECT_FALSE(grey.mask.allows(0, 0));
  EXPECT_TRUE(grey.mask.allows(0, 1));
  EXPECT_FALSE(grey.mask.allows(0, 2)) << "red is darker than the middle";
  ASSERT_EQ(grey.notes.size(), 1U);
  EXPECT_THAT(grey.notes[0], HasSubstr("3 of 3 pixels are neither black nor white"));
  EXPECT_THAT(grey.notes[0], HasSubstr("at least 128"));
  EXPECT_TRUE(read({0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255}).notes.empty());
}

TEST(MaskFile, APictureIsWhiteWhereAQueryMayAttend) {
  const TemporaryFolder folder;
  const Mask mask = ragged_mask(4, 4);
  write_mask(mask, folder / "mask.png");
  const Mask back = read_mask(folder / "mask.png", 4, 4).mask;
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
