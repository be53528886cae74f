// The order of the pieces of a text on a line.
#include "engine/text/unicode/reading_order.h"

#include <gtest/gtest.h>

namespace headlight::testing {
namespace {

using Pieces = std::vector<std::string_view>;
using Places = std::vector<std::size_t>;

Places order_of(const Pieces& pieces) {
  return order_on_line(reading_levels(pieces).of_pieces);
}

TEST(ReadingOrder, LatinRunsToTheRight) {
  EXPECT_EQ(order_of({"the", " ", "cat", "."}), (Places{0, 1, 2, 3}));
  EXPECT_FALSE(reading_levels(Pieces{"the", " ", "cat"}).runs_left);
  EXPECT_EQ(order_of({}), Places{});
}

TEST(ReadingOrder, HebrewAndArabicRunToTheLeft) {
  EXPECT_EQ(order_of({"החתול", " ", "ישב", "."}), (Places{3, 2, 1, 0}));
  EXPECT_EQ(order_of({"القطة", " ", "جلست"}), (Places{2, 1, 0}));
  EXPECT_TRUE(reading_levels(Pieces{"القطة", " ", "جلست"}).runs_left);
}

TEST(ReadingOrder, NumbersAndLatinInHebrewRunToTheRight) {
  EXPECT_EQ(order_of({"שנת", " ", "1984", " ", "and", " ", "so"}), (Places{4, 5, 6, 3, 2, 1, 0}));
}

TEST(ReadingOrder, HebrewInLatinRunsToTheLeft) {
  EXPECT_EQ(order_of({"say", " ", "שלום", " ", "עולם", " ", "now"}), (Places{0, 1, 4, 3, 2, 5, 6}));
}

TEST(ReadingOrder, ASpecialTokenDecidesNoDirection) {
  EXPECT_TRUE(reading_levels(Pieces{kNeutralPiece, " ", "שלום"}).runs_left);
  EXPECT_FALSE(reading_levels(Pieces{kNeutralPiece, " ", "cat"}).runs_left);
  EXPECT_EQ(order_of({kNeutralPiece, " ", "שלום", " ", kNeutralPiece}), (Places{4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace headlight::testing
